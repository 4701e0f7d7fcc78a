# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Sourced by check-bare, check-distros and others: minimal Debian systems in folders, made as root from the
# package mirror that this machine's own apt uses.  They run in a mount and process namespace of their
# own, so that nothing is left mounted or running.  The script that sources this has cannot().

# "URI SUITE COMPONENT" for every source of this suite that apt knows here.
apt_sources() { # SUITE
	# shellcheck disable=SC2016 # apt fills these in
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk -v suite="$1" '$2 ~ "^" suite && $3 == "main"' | sort -u
}

# The mirror of this machine's own Debian: what it has of other releases is asked there, too.  Without a
# slash at its end: some mirrors refuse two in a row.
system_mirror() {
	local own
	own=$(. /etc/os-release && echo "$VERSION_CODENAME")
	apt_sources "$own" | awk -v suite="$own" '$2 == suite { sub("/+$", "", $1); print $1; exit }'
}

# A system of SUITE in FOLDER, with what debootstrap is told by WORDS; the log is FOLDER.log.
system_make() { # SUITE FOLDER MIRROR WORDS...
	local suite=$1 folder=$2 mirror=$3
	shift 3
	rm -rf "$folder.part"
	mkdir -p "$folder.part"
	debootstrap --variant=minbase "$@" "$suite" "$folder.part" "$mirror" >"$folder.log" 2>&1 || {
		tail -n 5 "$folder.log" >&2
		return 1
	}
	# Proxies and the like: how apt reaches the mirror from here.
	apt-config dump | grep -E '^Acquire::(https?|Check-|Retries|ForceIPv)' \
		>"$folder.part/etc/apt/apt.conf.d/90acquire" || true
	rm -rf "$folder.part/var/lib/apt/lists"/*
	mv "$folder.part" "$folder"
}

# A bare system of SUITE, one that this machine's apt knows, in build/bare/SUITE; with a PACKAGE more, in
# build/bare/SUITE-PACKAGE.  It is made once.
system_bare() { # SUITE [PACKAGE]
	local suite=$1 base=build/bare/$1${2:+-$2} mirror uri release component
	[ ! -d "$base" ] || return 0
	mirror=$(apt_sources "$suite" | awk -v suite="$suite" '$2 == suite { print $1; exit }')
	[ -n "$mirror" ] || cannot "this machine's apt has no source for Debian's $suite"
	echo "Making a bare Debian ($suite)."
	mkdir -p "${base%/*}"
	system_make "$suite" "$base" "$mirror" ${2:+--include="$2"} || cannot "debootstrap failed"
	apt_sources "$suite" | while read -r uri release component; do
		echo "deb $uri $release $component"
	done >"$base/etc/apt/sources.list"
}

# A fresh copy of it, in ROOT.
system_copy() { # SUITE[-PACKAGE] ROOT
	rm -rf "$2"
	cp -a "build/bare/$1" "$2"
	cp -L /etc/resolv.conf /etc/hosts "$2/etc/"
}

# In a namespace that system_enter has made: what a system needs to see.
system_mount() { # ROOT
	local root=$1 device
	mount -t proc proc "$root/proc"
	mount -t tmpfs -o mode=755 dev "$root/dev"
	for device in null zero full random urandom tty; do
		touch "$root/dev/$device"
		mount --bind "/dev/$device" "$root/dev/$device"
	done
	mkdir "$root/dev/pts" "$root/dev/shm"
	mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
	mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
	ln -s pts/ptmx "$root/dev/ptmx"
	ln -s /proc/self/fd "$root/dev/fd"
}

# Runs COMMAND, which mounts what it needs, in namespaces that end with it.
system_enter() { # COMMAND...
	unshare --mount --pid --fork --kill-child --propagation private "$@"
}

# A shell line in the system; a newcomer's shell has little in its environment.
system_run() { # ROOT LINE
	env -i HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		chroot "$1" bash -c "$2" </dev/null
}
