# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # sourced by tools/servers/run
#
# Redis with append-only file and snapshots: a fixed load, its digest before and after a restart from each
# kind of file; rewriting under four clients; SIGKILL: what was acknowledged is there.
packages="redis-server redis-tools"
only=redis-server,redis-check-aof,redis-check-rdb
# Its files are stdio streams, or only appended to as it is.
least_saved=0
conf=(--port 0 --unixsocket sock --appendfsync everysec --save "" --daemonize no --enable-debug-command local
	--auto-aof-rewrite-percentage 0 --loglevel notice)

cli() { client redis-cli -s "$folder/data/sock" "$@"; }
start() { # MORE
	serve redis-server "${conf[@]}" --dir "$folder/data/db" --unixsocket "$folder/data/sock" "$@"
	wait_until "redis starts" 20 answers
}
answers() { [ "$(cli ping)" = PONG ]; }
digest() { cli debug digest; }

commands() { # CLIENT COUNT
	awk -v c="$1" -v n="$2" 'BEGIN {
		for (i = 0; i < n; i++) {
			v = sprintf("%0" (i * 37 % 400 + 1) "d", i)
			print "set key:" c ":" i % 700, v
			print "rpush list:" c ":" i % 10, i
			print "zadd zset:" c, i * 7919 % 1000, "m" i % 300
			print "hset hash:" c ":" i % 30, "f" i % 50, v
			print "incrby shared", i
			if (i % 5 == 0) print "del key:" c ":" i * 3 % 700
			if (i % 9 == 0) print "append text:" c, i
		} }'
}

idle() { ! cli info persistence | grep -qE '(rdb_bgsave|aof_rewrite)_in_progress:1'; }

load() {
	local i pids=() n kept
	client mkdir db
	start --appendonly yes
	commands 0 3000 | cli >/dev/null
	show "digest: $(digest)"
	for i in 1 2 3 4; do commands $i 2000 | cli >/dev/null & pids+=($!); done
	for i in 1 2 3; do
		cli bgrewriteaof >/dev/null
		sleep 0.3
		watch 2 "$server"
		wait_until "the file is rewritten" 20 idle
		cli bgsave >/dev/null
		wait_until "the snapshot is made" 20 idle
	done
	await "${pids[@]}"
	show "shared: $(cli get shared) $(digest)"
	look_at "$server"
	stop TERM "$server" || problem "redis ends with $?"
	tool redis-check-aof db/appendonlydir/appendonly.aof.manifest >>"$folder/log" 2>&1 || problem "redis-check-aof"
	start --appendonly yes
	show "after a restart: $(digest)"
	show "reload: $(cli debug reload) $(digest)"
	cli save >/dev/null
	stop TERM "$server" || problem "redis ends with $?"
	tool redis-check-rdb db/dump.rdb >>"$folder/log" 2>&1 || problem "redis-check-rdb"
	client mv db/appendonlydir aside
	start --appendonly no
	show "from the snapshot: $(digest)"
	look_at "$server"
	stop TERM "$server" || problem "redis ends with $?"
	client rm -rf db/appendonlydir
	client mv aside db/appendonlydir
	start --appendonly yes
	cli config set appendfsync always >/dev/null
	for ((i = 1; i <= 100000; i++)); do echo "rpush kept $i"; done | cli >acknowledged 2>/dev/null &
	wait_until "pushes go on" 20 grep -qx 500 acknowledged
	stop KILL "$server"
	wait
	n=$(grep -x '[0-9]*' acknowledged | tail -n 1)
	figure "killed the server after $n acknowledged pushes"
	start --appendonly yes
	kept=$(cli llen kept)
	if [ "$kept" -lt "$n" ] || [ "$kept" -gt $((n + 1)) ] || [ "$(cli lindex kept -1)" != "$kept" ]; then
		problem "$n pushes were acknowledged, $kept are there"
	fi
	stop TERM "$server" || problem "redis ends with $?"
	grep -iE 'error|fail|corrupt|bug report|crash|wrong|short read|truncat' "$folder/log" | grep -vE 'overcommit' |
		head -n 3 | while read -r i; do problem "the log: $i"; done
}
