# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034
#
# For compare, shrink and soak: runs a history bare and preloaded, each in a fresh folder.
#
# DIFF_DIR: where the folders are, another file system, say; DIFF_LIB: the library.
# DIFF_NOWAIT=no: without RWF_NOWAIT, to which xfs and btrfs answer as their state and the clock will.
# DIFF_MODES: what the library is told, in turn: on lseek auto audit; SEEKLESS_... are passed on.
diff_lib=${DIFF_LIB:-$PWD/build/libseekless.so}
history=$PWD/build/test/diff/history
read -ra diff_modes <<<"${DIFF_MODES:-on on on lseek on on auto audit}"

diff_usage() { # SCRIPT: its first comment
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$1"
	exit 2
}

diff_build() {
	[ -e "$diff_lib" ] || { echo "$diff_lib is not built"; exit 2; }
	make -s build/test/diff/history >&2 || exit 2
}

# A small file system that can be full needs a mount namespace; without, that part is a folder.
diff_own_mounts() {
	local words
	[ -z "${DIFF_INSIDE-}" ] || return 0
	export DIFF_INSIDE=no
	for words in -m -rm; do
		# shellcheck disable=SC2086 # the words are to be split
		unshare $words sh -c 'mount -t tmpfs -o size=4k tmpfs /mnt' 2>/dev/null &&
			DIFF_INSIDE=yes exec unshare $words "$@"
	done
}

# The folder of all runs, of which $diff is the name; removed at the end.
diff_begin() {
	local other=/dev/shm
	diff=$(mktemp -d "${DIFF_DIR:-${TMPDIR:-/tmp}}/diff.XXXXXX") || exit 2
	trap 'diff_clear' EXIT
	trap 'exit 130' INT TERM
	mkdir "$diff/small"
	[ "$(stat -f -c %T "$diff")" != tmpfs ] || other=${TMPDIR:-/tmp}
	[ -w "$other" ] || other=$diff
	diff_other=$(mktemp -d "$other/diff-other.XXXXXX") || exit 2
}

diff_clear() {
	umount -l "$diff/small" 2>/dev/null
	rm -rf "$diff" "$diff_other"
}

# The words for env(1) of a mode.
diff_words() { # MODE
	case $1 in
	bare) echo "-u LD_PRELOAD -u SEEKLESS" ;;
	on) echo "LD_PRELOAD=$diff_lib SEEKLESS=on" ;;
	lseek | auto) echo "LD_PRELOAD=$diff_lib SEEKLESS=on SEEKLESS_SIZE=$1" ;;
	audit) echo "LD_PRELOAD=$diff_lib SEEKLESS=audit SEEKLESS_AUDIT_EVERY=7" ;;
	*) echo "unknown mode $1" >&2; exit 2 ;;
	esac
}

# A new one for each run: a process that is just ending may still have files of the last one, and their room.
diff_new_small() {
	rm -rf "${diff:?}"/small/*
	[ "$DIFF_INSIDE" = yes ] || return 0
	umount -l "$diff/small" 2>/dev/null
	mount -t tmpfs -o size=48k,nr_inodes=16 tmpfs "$diff/small" || exit 2
}

# A history, or a program, in its own folder; what it tells goes to $diff/NAME.
diff_run() { # NAME MODE COMMAND...
	local name=$1 words
	words=$(diff_words "$2")
	shift 2
	rm -rf "$diff/in" "$diff/report" "${diff_other:?}"/*
	diff_new_small
	mkdir "$diff/in" && ln -s "$diff_other" "$diff/in/o" && ln -s "$diff/small" "$diff/in/s" || exit 2
	# A pipe: RLIMIT_FSIZE is in the game.
	# shellcheck disable=SC2086 # the words are to be split
	(cd "$diff/in" && exec env $words SEEKLESS_REPORT="$diff/report" timeout "${DIFF_SECONDS:-120}" "$@") \
		2>"$diff/$name.err" </dev/null | cat >"$diff/$name"
	echo "exit ${PIPESTATUS[0]}" >>"$diff/$name"
	cat "$diff/$name.err" >>"$diff/$name"
	[[ $words == *=audit* ]] || return 0
	[ -s "$diff/report" ] || echo "the audit has no report" >>"$diff/$name"
	grep 'the kernel has .*(wrong)' "$diff/report" >>"$diff/$name"
}

# Is what NAME tells another thing than what the bare run told?
diff_differs() { # NAME
	! cmp -s "$diff/bare" "$diff/$1"
}

# In which line it first differs.
diff_line() { # NAME
	local line
	line=$(cmp "$diff/bare" "$diff/$1" 2>/dev/null | sed -nE 's/.* line ([0-9]+)$/\1/p')
	echo "${line:-$(wc -l <"$diff/$1")}" # one ends where the other goes on
}
