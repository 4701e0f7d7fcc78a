# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For scripts in this folder whose faults are a file system's own: the scenario runs bare and preloaded on a
# file system that is made anew for each, and must print the same.  Then there is room, or a readable page,
# for one more, until nothing fails any more.
. test/real/fs.sh
scenario=$PWD/build/test/fault/scenario
runner=() # what starts the program
places=0

media_run() { # NAME N WORD...
	local name=$1 n=$2
	shift 2
	media_fresh "$n"
	"${runner[@]}" env "$@" "$scenario" "$fs/mnt/file" >"$fs/$name" 2>&1
	echo "exit $?" >>"$fs/$name"
	umount "$fs/mnt" || fs_failed=1
}

# The script's media_fresh N makes $fs/mnt and the file in it.
media() { # ERRNO MOST: n from 0 to MOST; this error is to be met
	local n size met=0
	for ((n = 0; n <= $2; n++)); do
		media_run bare "$n"
		tail -n 1 "$fs/bare" | grep -qx 'exit 0' || { cat "$fs/bare"; fs_failed=1; return; }
		! grep -q "errno $1\$" "$fs/bare" || met=$((met + 1))
		for size in fstat lseek; do
			media_run on "$n" LD_PRELOAD="$fs_library" SEEKLESS=on SEEKLESS_SIZE=$size \
				SEEKLESS_REPORT="$fs/report"
			places=$((places + 1))
			cmp -s "$fs/bare" "$fs/on" && continue
			echo "at place $n it differs with the library, SEEKLESS_SIZE=$size:"
			diff -U 4 "$fs/bare" "$fs/on" | head -n 20
			fs_failed=1
		done
	done
	echo "$places runs; without the library, $met met errno $1"
	if [ "$met" -lt 3 ] || [ "$met" -gt "$2" ]; then
		echo "it should be met at first, and not in the end"
		fs_failed=1
	fi
}
