# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the scripts of this folder: which system calls does a program make?  The programs mark
# the part that counts with two getpriority().
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
root=$PWD
lib=$root/build/libseekless.so
dir=$(mktemp -d "${TMPDIR:-/tmp}/strace.XXXXXX") && cd "$dir" || exit 2
trap 'rm -rf "$dir"' EXIT
data=$dir/data
export LC_ALL=C
unset LD_PRELOAD "${!SEEKLESS@}"

skip() { echo "$*"; exit 77; }
fail() {
	if [ -s "$dir/calls" ]; then
		echo "the calls between the marks:"
		marked | head -n 60
	fi
	echo "${0##*/}: $*"
	exit 1
}
for tool in strace perl; do
	type -P $tool >/dev/null || skip "$tool is not installed"
done
strace -qq -o "$dir/calls" true 2>/dev/null || skip "strace may not trace here"
[ -e "$lib" ] || fail "$lib is not built"
head -c 1048576 /dev/urandom >"$data"

# trace SETTING COMMAND...: the calls of COMMAND, one a line, without the process number, to
# $dir/calls; its output to $dir/out and $dir/err.  SETTING is bare, or words NAME=VALUE for the
# environment of the program (not of strace), under the library.
trace() {
	local setting=$1 word words=()
	shift
	if [ "$setting" != bare ]; then
		words=(-E "LD_PRELOAD=$lib")
		for word in $setting; do words+=(-E "$word"); done
	fi
	rm -f "$dir"/trace.*
	strace -ff -qq -s 16 -o "$dir/trace" "${words[@]}" "$@" >"$dir/out" 2>"$dir/err"
	# shellcheck disable=SC2034 # for the scripts
	status=$?
	# shellcheck disable=SC2046 # by number, and without blanks
	cat $(ls -v "$dir"/trace.*) >"$dir/calls"
}

# What lies between the two marks.
marked() { awk '/^getpriority\(/ { on = !on; next } on' "$dir/calls"; }

# How many calls of this name (a pattern) are in the marked part?
count() { marked | grep -cE "^($1)\("; }

# expect N PATTERN: exactly so many.
expect() {
	local n
	n=$(count "$2")
	[ "$n" = "$1" ] || fail "$2: $n calls, not $1 (${setting_words:-})"
}

# The marked part consists of nothing but calls of these names.
only() {
	! marked | grep -qvE "^($1)\(" || fail "other calls than $1: $(marked | grep -vE "^($1)\(" | head -n 3)"
}

# A list to compare: no addresses, no process numbers, no times, the preloaded library by one name.
plain() {
	sed -E -e 's/0x[0-9a-f]{4,}/ADDRESS/g' -e "s%$dir/[a-z-]*\.so|$lib%PRELOAD%g" \
		-e 's/(kill|getpid|getppid|gettid|set_tid_address|vfork|fork|clone3?|wait4)\(.*/\1(...)/' \
		-e '/open.*PRELOAD/,/^close/s/st_size=[0-9]+/st_size=.../' \
		-e '/urandom/,/^close/s/"([^"\\]|\\.)*"/.../' -e '/^getrandom/s/"[^"]*"(\.\.\.)?/.../' -e 's/ += / = /' -e 's/[0-9]+ vars/VARS/' -e '/^(--- SIG|\+\+\+)/d'
}
