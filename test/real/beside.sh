# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For scripts in this folder, one for each library that others preload, too: ours before it and ours
# behind it, programs must do what they do with it alone, and it must be reached.
#
#   beside LIBRARY                  a file, or the name of an installed one; skips if there is none.
#                                   In beside_lists: it alone, behind ours, before ours
#   beside_reached TITLE CODE       CODE (bash) says by its exit status whether the library was at work:
#                                   not without it, but alone and with ours in both orders
#   beside_done                     the last line: the work, the row tests, the verdict
. test/real/both.sh

beside() {
	local file
	for file in "$1" /usr/local/lib/"$1" /usr/lib/*-linux-gnu/"$1" /usr/lib64/"$1" /usr/lib/"$1"; do
		[[ $file == /* && -f $file ]] || continue
		both_beside=$file
		beside_lists=("$file" "$both_library:$file" "$file:$both_library")
		return
	done
	echo "$1 is not installed"
	exit 77
}

beside_reached() {
	local list
	for list in "" "$both_library" "${beside_lists[@]}"; do
		both_run reached "$list" "$2"
		if grep -q '^exit 0$' "$both_top/reached"; then
			[[ $list == *"$both_beside"* ]] && continue
			echo "$1: is so without the library, LD_PRELOAD=$list:"
		else
			[[ $list == *"$both_beside"* ]] || continue
			echo "$1: is not so with LD_PRELOAD=$list:"
		fi
		tail -n 20 "$both_top/reached"
		both_failed=1
	done
}

beside_rows() {
	local list row
	for list in "${beside_lists[@]}"; do
		for row in open close dup2 lseek read readv preadv2 write writev pwritev2 sendfile fork vfork execve popen fopen sigaction; do
			env TMPDIR="$both_top" SEEKLESS_REPORT="$both_top/report" LD_PRELOAD="$list" SEEKLESS=on \
				timeout 60 "build/test/row/$row" >"$both_top/log" 2>&1
			case $? in
			0 | 77) ;;
			*) echo "row/$row, LD_PRELOAD=$list:"; tail -n 5 "$both_top/log"; both_failed=1 ;;
			esac
		done
	done
}

# shellcheck disable=SC2016 # the code is for the bash that `both` starts
beside_work() {
	both "perl: seeks, reads, writes, forks" '
	perl -e "open F, q(+<), q(lines) or die; for (1..200) { sysseek F, \$_ * 31, 0; sysread F, \$b, 20;
		print \$b; sysseek F, -5, 1; syswrite F, q(abc); print sysseek(F, 0, 1), qq(\n) }
		if (!fork) { sysread F, \$b, 9; print \$b; exit } wait; print sysseek(F, 0, 1)"'
	both "coreutils, several threads" '
	dd if=lines of=other bs=13 seek=11 skip=2 count=9 conv=notrunc 2>/dev/null
	sort -S 10k --parallel=2 -r lines | cksum; tac lines | cksum; split -n 7 lines; tail -c 55 lines
	cp --sparse=always zeros a; cmp a zeros'
	both "bash: one offset, several programs" '
	exec 3<>lines; read -r -u 3 a; (read -r -u 3 b; echo "in $b"); echo x >&3; head -c 7 <&3; cat <&3 | cksum
	while read -r a; do echo "$a: $(head -n 1)"; [ "$a" -lt 20 ] || break; done <lines'
	command -v python3 >/dev/null && both "python" '
	python3 -c "
import os, threading
def work(n):
    fd = os.open(\"lines\", os.O_RDONLY); got = 0
    for i in range(300): os.lseek(fd, i * n, 0); got += sum(os.read(fd, 50))
    sums[n] = (got, os.lseek(fd, 0, 1)); os.close(fd)
sums = {}; all = [threading.Thread(target=work, args=(n,)) for n in (3, 5, 7)]
[t.start() for t in all]; [t.join() for t in all]; print(sorted(sums.items()))"'
}

beside_done() {
	beside_work
	beside_rows
	both_done
}
