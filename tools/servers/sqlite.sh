# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # sourced by tools/servers/run
#
# No server, but as many writers: the sqlite3 shell with rollback journals and with a write-ahead log,
# four at once on one file; SIGKILL of one; integrity_check, and what was acknowledged is there.
packages="sqlite3"
only=sqlite3
# Pread and pwrite as it is.
least_saved=0

transactions() { # WRITER COUNT
	local i
	echo "pragma busy_timeout=30000; pragma synchronous=off;"
	for ((i = 0; i < $2; i++)); do
		echo "begin immediate; insert into t (c, n, v) values ($1, $i, hex(zeroblob($((i * 97 % 2000)))));
			update sums set s = s + $i where c = $((i % 3)); commit; select '$i';"
		[ $((i % 20)) != 0 ] || echo "select count(*) from t where v like '00%' and c = $1;"
	done
}

journal() { # MODE
	local i pids=() n kept
	tool sqlite3 "$1.db" "pragma page_size=1024; pragma journal_mode=$1; create table t (i integer primary key, c, n, v);
		create index t_v on t (c, v); create table sums (c integer primary key, s);
		insert into sums values (0, 0), (1, 0), (2, 0)" >/dev/null
	for i in 1 2 3 4; do transactions $i 150 | tool sqlite3 -bail "$1.db" >"$1.$i" 2>&1 & pids+=($!); done
	transactions 9 100000 >forever
	with_library sqlite3 -bail "$1.db" <forever >acknowledged 2>&1 &
	server=$!
	servers+=("$server")
	wait_until "transactions go on" 60 grep -qx 300 acknowledged
	look_at "$server"
	stop KILL "$server"
	n=$(sed '$d' acknowledged | grep -xE '[0-9]+' | tail -n 1) # the last line may be half of one
	await "${pids[@]}"
	for i in 1 2 3 4; do
		[ "$(tail -n 1 "$1.$i")" = 149 ] || problem "$1: writer $i: $(tail -n 1 "$1.$i")"
	done
	figure "$1: killed a writer after $((n + 1)) transactions"
	kept=$(client sqlite3 "$1.db" "select count(*) from t where c = 9")
	# It prints when a buffer is full: more may be there than it said.
	[ "$kept" -ge $((n + 1)) ] || problem "$1: $((n + 1)) were acknowledged, $kept are there"
	show "$1: $(tool sqlite3 "$1.db" "pragma integrity_check; select c, count(*), sum(n), sum(length(v)) from t where c < 9 group by c;
		select (select sum(s) from sums) = (select sum(n) from t); vacuum; pragma integrity_check; reindex; pragma quick_check")"
	grep -q '^ok' "$folder/output" || problem "$1: integrity_check"
	show "$1: $(tool sqlite3 "$1.db" .dump | grep -v ',9,' | sed -E 's/VALUES\([0-9]+,//' | grep -v sums | sort | cksum)"
}

load() {
	journal delete
	journal persist
	journal wal
}
