# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For scripts in this folder, one for each file system: makes it in a mount namespace of this script's
# own, which goes with it and takes the mounts and loop devices along, and runs there, bare and
# preloaded, test/real/edges, random histories (test/diff; FS_SEEDS=50 for many) and the row tests of
# reading and writing.
#
#   fs_image SIZE MKFS WORD...   this command makes $fs/image, which is mounted on $fs/mnt
#   fs_mount WORD...             what mount(8) takes, but for the folder $fs/mnt
#   fs_edges TAKEN PART...       edges on $fs/mnt/edges; TAKEN: does the library take offsets here (yes, no)?
#   fs_all TAKEN                 edges of all that programs can do to files, histories, rows
#   fs_done                      the last line
set -u
fs_library=$PWD/build/libseekless.so
fs_failed=0

fs_skip() {
	echo "$*"
	exit 77
}

if [ -z "${FS_INSIDE-}" ]; then
	for fs_words in -m -rm; do # without root, a namespace of users may do
		unshare $fs_words true 2>/dev/null && FS_INSIDE=1 exec unshare $fs_words "$0"
	done
	fs_skip "no mount namespace of its own: not root, or not allowed"
fi
fs=$(mktemp -d) || exit 2
trap 'fs_clear' EXIT
trap 'exit 130' INT TERM
mkdir "$fs/mnt"

fs_clear() {
	umount -l "$fs"/*/ 2>/dev/null
	rm -rf "$fs"
}

fs_kernel_has() { # TYPE
	grep -qw "$1" /proc/filesystems || modprobe -q "$1" 2>/dev/null ||
		fs_skip "the kernel has no $1"
}

fs_make() { # SIZE MKFS WORD...
	local size=$1
	shift
	PATH=$PATH:/usr/sbin:/sbin
	command -v "$1" >/dev/null || fs_skip "$1 is not installed"
	truncate -s "$size" "$fs/image" && "$@" >"$fs/log" 2>&1 </dev/null && return
	tail -n 5 "$fs/log"
	exit 1
}

fs_mount() {
	mount "$@" "$fs/mnt" 2>"$fs/log" || fs_skip "cannot mount: $(tail -n 1 "$fs/log")"
}

fs_image() {
	fs_make "$@"
	fs_mount -o loop "$fs/image"
}

# Hook: what must be anew before each run of edges.
fs_fresh() {
	rm -f "$fs/mnt/edges"
}

fs_run_edges() { # NAME COMMAND...
	local name=$1
	shift
	fs_fresh
	# A pipe: sizes of files get limited.
	env "$@" 2>"$fs/$name.err" | cat >"$fs/$name"
	echo "exit ${PIPESTATUS[0]}" >>"$fs/$name"
}

fs_edges() { # TAKEN PART...
	local size words=("$PWD/build/test/real/edges" "${fs_path:-$fs/mnt/edges}" "${@:2}")
	fs_run_edges bare "${words[@]}"
	if ! grep -q '^exit 0$' "$fs/bare"; then
		echo "edges ${*:2}: fails without the library:"
		tail -n 20 "$fs/bare" "$fs/bare.err"
		fs_failed=1
		return
	fi
	for size in fstat lseek; do
		fs_run_edges on LD_PRELOAD="$fs_library" SEEKLESS=on SEEKLESS_SIZE=$size \
			SEEKLESS_REPORT="$fs/report" EDGES_TAKEN="$1" "${words[@]}"
		cmp -s "$fs/bare" "$fs/on" && continue
		echo "edges ${*:2}: differs with the library, SEEKLESS_SIZE=$size:"
		diff -U 8 "$fs/bare" "$fs/on" | head -n 40
		tail -n 3 "$fs/on.err"
		fs_failed=1
	done
}

fs_rows() {
	local row rows="lseek read write readv writev preadv2 o_direct write_limits ftruncate \
		posix_fallocate sendfile copy_file_range fork"
	[ "${DIFF_NOWAIT-}" = no ] || rows+=" pwritev2"
	for row in $rows; do
		ROW_DIR=$fs/mnt SEEKLESS_REPORT=$fs/report env LD_PRELOAD="$fs_library" SEEKLESS=on \
			timeout 60 "build/test/row/$row" >"$fs/log" 2>&1
		case $? in
		0 | 77) ;;
		*) echo "row/$row:"; tail -n 5 "$fs/log"; fs_failed=1 ;;
		esac
	done
}

# A file system that programs write to, tried in every way.
fs_all() { # TAKEN
	fs_edges "$1" limits ends holes append direct rlimit full
	DIFF_DIR=$fs/mnt test/diff/compare 1 2000 "${FS_SEEDS:-2}" 20 || fs_failed=1
	[ "$1" = no ] || fs_rows
}

fs_done() {
	exit $fs_failed
}
