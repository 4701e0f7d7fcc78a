# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For the scripts that try the library with programs of Debian: which packages are missing, and getting
# them.  To be sourced.

lacking() { # PACKAGE...: prints those that are not installed
	local package
	for package; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
			echo "$package"
	done
}

# A package of a server starts it, as a rule: not while this file is there.
no_services() { # COMMAND...
	local policy=/usr/sbin/policy-rc.d status
	[ ! -e $policy ] || { "$@"; return; }
	"${as_root[@]}" install -m 755 /dev/stdin $policy <<<$'#!/bin/sh\nexit 101' || return
	"$@"
	status=$?
	"${as_root[@]}" rm -f $policy
	return $status
}

install_packages() { # LOG PACKAGE...: those that are missing; where it fails, the end of LOG tells why
	local log=$1 as_root=()
	shift
	mapfile -t wanted_packages < <(lacking "$@" | sort -u)
	[ ${#wanted_packages[@]} -gt 0 ] || return 0
	[ "$(id -u)" = 0 ] || as_root=(sudo -n)
	echo "Installing ${wanted_packages[*]}."
	# shellcheck disable=SC2317 # no_services calls it
	get_packages() {
		"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
			install -y --no-install-recommends "${wanted_packages[@]}" </dev/null >"$log" 2>&1
	}
	# Lists may be missing, or too old to fetch by: then get new ones.
	no_services get_packages ||
		{ "${as_root[@]}" apt-get update >"$log" 2>&1 && no_services get_packages; } ||
		{ tail -n 5 "$log" >&2; return 1; }
}
