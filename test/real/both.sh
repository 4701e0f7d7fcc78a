# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For scripts in this folder: `both TITLE CODE` runs bash CODE without and with the library, in a folder
# with the same files, and compares what it prints, its exit status and the files it leaves.  The last
# line of such a script is `both_done`.  Everything that CODE starts has the library too.
set -u
both_failed=0
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

both() { # TITLE CODE
	local how words
	for how in without with; do
		# The same path both times: programs may print it.
		rm -rf "$both_top/run"
		cp -a "$both_top/files" "$both_top/run"
		words=()
		[ $how = without ] || words=(LD_PRELOAD="$both_library" SEEKLESS=on)
		(
			cd "$both_top/run" || exit 1
			env "${words[@]}" bash -c "$2" 2>&1 </dev/null
			printf '\nexit %s\n' $?
			find . -type f -exec cksum {} + | sort
		) >"$both_top/$how"
	done
	if ! cmp -s "$both_top/without" "$both_top/with"; then
		echo "$1: differs with the library:"
		diff "$both_top/without" "$both_top/with" | head -n 20
		both_failed=1
	elif ! grep -q '^exit 0$' "$both_top/without"; then
		echo "$1: fails without the library:"
		tail -n 20 "$both_top/without"
		both_failed=1
	fi
}

both_done() {
	exit $both_failed
}
