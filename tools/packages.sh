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

install_packages() { # LOG PACKAGE...: those that are missing; false where some cannot be had
	local log=$1 as_root=() package
	shift
	mapfile -t wanted_packages < <(lacking "$@" | sort -u)
	[ ${#wanted_packages[@]} -gt 0 ] || return 0
	[ "$(id -u)" = 0 ] || as_root=(sudo -n)
	echo "Installing ${wanted_packages[*]}."
	# shellcheck disable=SC2317 # no_services calls it
	get_packages() { # PACKAGE...
		"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 \
			install -y --no-install-recommends "$@" </dev/null >"$log" 2>&1
	}
	# Lists may be missing, or too old to fetch by: then get new ones.
	no_services get_packages "${wanted_packages[@]}" && return
	"${as_root[@]}" apt-get -o Acquire::Retries=3 update >"$log" 2>&1 || { tail -n 5 "$log" >&2; return 1; }
	no_services get_packages "${wanted_packages[@]}" && return
	tail -n 5 "$log" >&2
	# One that cannot be had keeps nobody from having the others.
	for package in "${wanted_packages[@]}"; do
		no_services get_packages "$package" || echo "$package cannot be installed" >&2
	done
	return 1
}
