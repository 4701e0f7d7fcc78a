# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # sourced by tools/servers/run
#
# An rsync daemon that takes changed files --inplace, from four clients at once, and gives them back:
# inserts, cuts, moved blocks, growth, holes.  Afterwards both sides are the same, byte for byte.
packages="rsync"
only=rsync
least_saved=2000

# A number of lines that only the seed decides.
lines() { # SEED COUNT
	awk -v seed="$1" -v n="$2" 'BEGIN { srand(seed); while (n--) printf "%.12f %d\n", rand(), n }'
}

make_side() { # NUMBER: what a client has
	local d=source$1 i
	client mkdir -p "$d/sub" "mine$1"
	for i in 1 2 3; do lines "$1$i" $((i * 60000)) | client tee "$d/file$i" >/dev/null; done
	lines "$1" 200 | client tee "$d/sub/small" >/dev/null
	client truncate -s 4M "$d/holes"
	lines "$1" 100 | client dd of="$d/holes" bs=4k seek=300 conv=notrunc status=none
}

change_side() { # NUMBER ROUND
	local d=source$1 i
	for i in 1 2 3; do
		case $(((i + $2) % 3)) in
		0) lines "$1$2" 1 | client dd of="$d/file$i" bs=1k seek=$(($2 * 211 + i * 37)) conv=notrunc status=none ;;
		1) { head -c 700000 "$d/file$i"; lines "$2" 5; tail -c +700100 "$d/file$i"; } | client tee "$d/new" >/dev/null &&
			client mv "$d/new" "$d/file$i" ;;
		2) { tail -c 900000 "$d/file$i"; head -c -900000 "$d/file$i"; } | client tee "$d/new" >/dev/null &&
			client mv "$d/new" "$d/file$i" ;;
		esac
	done
	client truncate -s $((4000000 + $2 * 100001)) "$d/holes"
	lines "$2" 50 | client dd of="$d/holes" bs=4k seek=$(($2 * 111)) conv=notrunc status=none
	lines "$2" $(($2 * 20)) | client tee "$d/sub/small" >/dev/null
}

# Daemon and client both have the library; on one machine only --no-whole-file looks for differences.
one_client() { # NUMBER ROUND
	local url=rsync://127.0.0.1:$port/store more=()
	[ $(($2 % 2)) = 0 ] || more=(--sparse)
	tool rsync -a --inplace --no-whole-file --ignore-times "${more[@]}" "source$1/" "$url/of$1/" ||
		problem "client $1, round $2: it cannot send"
	diff -r "source$1" "store/of$1" || problem "client $1, round $2: the daemon has something else"
	tool rsync -a --inplace --no-whole-file --ignore-times "$url/of$1/" "mine$1/" || problem "client $1, round $2: it cannot fetch"
	diff -r "source$1" "mine$1" || problem "client $1, round $2: it got something else"
}

load() {
	local round i pids
	port=$(free_port)
	client mkdir store
	client tee rsyncd.conf >/dev/null <<-END
		address = 127.0.0.1
		port = $port
		use chroot = no
		reverse lookup = no
		log file = $folder/data/daemon.log
		pid file = $folder/data/rsyncd.pid
		[store]
		path = $folder/data/store
		read only = no
	END
	for i in 1 2 3 4; do make_side $i; done
	serve rsync --daemon --no-detach --config="$folder/data/rsyncd.conf"
	wait_until "rsync starts" 20 client rsync "rsync://127.0.0.1:$port/" || return
	for round in 1 2 3 4 5; do
		pids=()
		for i in 1 2 3 4; do one_client $i $round & pids+=($!); done
		watch 3 "$server"
		await "${pids[@]}"
		show "round $round: $(cat store/of*/* store/of*/sub/* 2>/dev/null | cksum)"
		for i in 1 2 3 4; do change_side $i $round; done
	done
	tool rsync -a --append-verify "source1/" "rsync://127.0.0.1:$port/store/of1/" || problem "--append-verify fails"
	look_at "$server"
	stop TERM "$server"
	cat daemon.log >>"$folder/log"
	grep -iE 'error|fail|warning|corrupt' daemon.log | head -n 3 | while read -r line; do problem "the log: $line"; done
}
