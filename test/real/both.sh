# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For scripts in this folder: `both TITLE CODE` runs bash CODE without and with the library, in a folder
# with the same files, and compares what it prints, its exit status and the files it leaves.  The last
# line of such a script is `both_done`.  Everything that CODE starts has the library too.
# both_beside=FILE: another library is preloaded, always; then ours before it, and ours behind it.
# both_again=PATTERN: what that library prints where it fails by itself, at times; then it is run again.
set -u
both_failed=0
both_beside=''
both_again=''
both_library=$PWD/build/libseekless.so
both_top=$(mktemp -d)
trap 'rm -rf "$both_top"' EXIT

both_files() {
	seq 1 3000 >lines
	seq -f 'line %.0f of another file' 1 500 >other
	head -c 100000 lines >zeros
	truncate -s 1M zeros
}
(mkdir "$both_top/files" && cd "$both_top/files" && both_files)

both_run() { # RESULT PRELOAD CODE
	local try
	for try in 1 2 3 4 5; do
		both_run_once "$@"
		[ -n "$both_again" ] && grep -q "$both_again" "$both_top/$1" || return 0
		echo "run $try: the other library failed"
	done
}

# The same path each time: programs may print it.
both_run_once() { # RESULT PRELOAD CODE
	local words=()
	rm -rf "$both_top/run"
	cp -a "$both_top/files" "$both_top/run"
	[ -z "$2" ] || words=(LD_PRELOAD="$2")
	(
		cd "$both_top/run" || exit 1
		env "${words[@]}" SEEKLESS=on bash -c "$3" 2>&1 </dev/null
		printf '\nexit %s\n' $?
		find . -type f -exec cksum {} + | sort
	) >"$both_top/$1"
}

both() { # TITLE CODE
	local list lists=("$both_library")
	[ -z "$both_beside" ] || lists=("$both_library:$both_beside" "$both_beside:$both_library")
	both_run without "$both_beside" "$2"
	if ! grep -q '^exit 0$' "$both_top/without"; then
		echo "$1: fails without the library:"
		tail -n 20 "$both_top/without"
		both_failed=1
		return
	fi
	for list in "${lists[@]}"; do
		both_run with "$list" "$2"
		cmp -s "$both_top/without" "$both_top/with" && continue
		echo "$1: differs with LD_PRELOAD=$list:"
		diff "$both_top/without" "$both_top/with" | head -n 20
		both_failed=1
	done
}

both_done() {
	exit $both_failed
}
