# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# For readahead and readahead-programs: disks whose window can be set, in $work, which goes with the script.
#   disk_slow, disk_loop: ext4 on a loop device, mounted on $work/slow, $work/loop
[ "$(id -u)" = 0 ] || { echo "only root can make loop devices"; exit 3; }
# In a mount namespace of its own: no other one gets a copy of these mounts, which would keep them busy.
[ -n "${DISKS_INSIDE-}" ] || DISKS_INSIDE=1 exec unshare -m --propagation private "$me" "$@"
work=$(mktemp -d "${TMPDIR:-build}/readahead.XXXXXX") || exit 2
work=$(realpath "$work")
mkdir "$work/fuse" "$work/slow" "$work/loop"
loops=()
# shellcheck disable=SC2317 # the trap calls it
clean() {
	local loop
	umount "$work/slow" "$work/loop" 2>/dev/null
	for loop in "${loops[@]}"; do losetup -d "$loop"; done
	umount "$work/fuse" 2>/dev/null || umount -l "$work/fuse" 2>/dev/null
	rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM

data() { head -c $((64 << 20)) /dev/urandom >"$1" && sync "$1"; }

set_up() { # NAME IMAGE: a loop device on it, ext4, mounted on $work/NAME
	local loop
	loop=$(losetup -f --show --direct-io=on "$2") || return 1
	loops+=("$loop")
	mkfs.ext4 -q -E lazy_itable_init=0 "$loop" && mount "$loop" "$work/$1" || return 1
	printf -v "loop_$1" %s "${loop#/dev/}"
}
# 0.5 ms for a request, then 200 MB/s, 4 requests at a time, in memory.
disk_slow() {
	build/slow-disk "$work/fuse" 1024 500 200 4 &
	for _ in $(seq 50); do [ -e "$work/fuse/disk" ] && break; sleep 0.1; done
	set_up slow "$work/fuse/disk" || { echo "no slow device: FUSE and a loop device are needed"; exit 3; }
}
disk_loop() {
	truncate -s 256M "$work/image" && set_up loop "$work/image" || { echo "no loop device on the disk"; exit 3; }
}

# The window counts from the next open on; a mount keeps the old one for what it knows.
window() { # slow|loop KIB
	local name=loop_$1
	echo "$2" >"/sys/block/${!name}/queue/read_ahead_kb"
}
