# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For scripts in this folder: runs nth.c, where tracing is allowed.
set -u
export FAULT_STEP
export FAULT_LIBRARY=${FAULT_LIBRARY:-$PWD/build/libseekless.so}

fault_nth() { # WORD...
	local tool=$PWD/build/test/fault/nth
	[ -e "$FAULT_LIBRARY" ] || { echo "$FAULT_LIBRARY is not built"; exit 1; }
	"$tool" "$@"
}
