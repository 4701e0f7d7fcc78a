# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # sourced by tools/servers/run
#
# PostgreSQL 15 with checksums: TPC-B and select-only by pgbench, sorts and joins that spill to files,
# a base backup, SIGKILL of a backend under load and recovery.  Whatever was committed before is there
# afterwards, the sums of TPC-B agree, pg_checksums finds nothing.  Where rows lie in a table depends on when
# autovacuum came; so what is compared is in order.
packages="postgresql-15"
only=postgres,initdb,pg_checksums,pg_basebackup,pg_verifybackup
least_saved=1000

bin=/usr/lib/postgresql/15/bin

sql() { client $bin/psql -h "$folder/data" -d postgres -XAtq -v ON_ERROR_STOP=1 -c "$1"; }
show_sql() { show_client "$1" $bin/psql -h "$folder/data" -d postgres -XAtq -v ON_ERROR_STOP=1 -c "$1"; }
bench() { client $bin/pgbench -h "$folder/data" -n "$@" postgres; }

start() {
	serve $bin/postgres -D db -k "$folder/data" -h '' -c shared_buffers=2MB -c max_wal_size=32MB \
		-c min_wal_size=32MB -c wal_keep_size=512MB -c checkpoint_timeout=30s -c log_min_messages=warning -c work_mem=64kB \
		-c maintenance_work_mem=1MB -c autovacuum_naptime=1 -c max_parallel_workers_per_gather=2 \
		-c min_parallel_table_scan_size=1MB
	wait_until "postgres starts" 30 sql "select 1"
}

# What TPC-B keeps equal, whatever ran.
sums() {
	sql "select (select sum(abalance) from pgbench_accounts), (select sum(bbalance) from pgbench_branches),
		(select sum(tbalance) from pgbench_tellers), (select sum(delta) from pgbench_history)"
}
check_sums() { # WHEN
	local a b c d
	IFS='|' read -r a b c d <<<"$(sums)"
	[ "$a/$a/$a" = "${b:-none}/$c/$d" ] || problem "$1: the sums of TPC-B are accounts $a, branches $b, tellers $c, history $d"
}

queries() {
	show_sql "select sum(abalance), md5(string_agg(aid || ':' || abalance, ',' order by aid)) from pgbench_accounts"
	show_sql "create table t as select i, md5(i::text) as m, repeat(chr(97 + i % 26), i % 3000) as filler
		from generate_series(1, 8000) i"
	show_sql "create index on t (m); create index on t using hash (i)"
	show_sql "select count(*), sum(hashtext(x.m)) from (select a.m from t a join t b on a.m = b.m order by a.filler, a.i) x"
	show_sql "update t set m = reverse(m) where i % 3 = 0; delete from t where i % 7 = 0"
	show_sql "vacuum full t"
	show_sql "copy (select * from t order by i) to '$folder/data/t.copy'; create table u (like t); copy u from '$folder/data/t.copy'"
	show_sql "select count(*), md5(string_agg(m || filler, '' order by i)) from u"
	show_sql "select md5(pg_read_binary_file('$folder/data/t.copy', 12345, 54321))"
	show_sql "reindex table pgbench_accounts; cluster pgbench_accounts using pgbench_accounts_pkey; analyze"
	show_sql "create extension amcheck; select bt_index_parent_check('pgbench_accounts_pkey', true)"
	show_sql "select i, filler <> '' from t tablesample bernoulli (100) where i < 20 order by i"
}

backup() {
	client rm -rf backup
	tool $bin/pg_basebackup -h "$folder/data" -D backup -X fetch -c fast >>"$folder/log" 2>&1 ||
		problem "pg_basebackup fails"
	tool $bin/pg_verifybackup backup >>"$folder/log" 2>&1 || problem "pg_verifybackup fails"
}

# SIGKILL of a backend: the server ends all others, recovers, goes on.
crash() {
	local before acknowledged after more pid victim
	before=$(sql "select count(*) from pgbench_history")
	bench -c 4 -j 2 -T 60 -P 1 >"$folder/data/bench.log" 2>&1 &
	pid=$!
	wait_until "TPC-B goes on" 20 grep -q 'progress: 2' "$folder/data/bench.log"
	look_at "$server"
	victim=$(sql "select pid from pg_stat_activity where application_name = 'pgbench' limit 1")
	[ -n "$victim" ] || { problem "no backend to kill"; kill $pid; wait $pid; return; }
	kill -KILL "$victim"
	wait $pid
	wait_until "postgres recovers" 30 sql "select 1"
	acknowledged=$(sed -nE 's/^number of transactions actually processed: ([0-9]+).*/\1/p' "$folder/data/bench.log")
	after=$(sql "select count(*) from pgbench_history")
	figure "killed a backend after ${acknowledged:-?} transactions; $((after - before)) are there"
	acknowledged=${acknowledged:-0} more=$((after - before - acknowledged)) # one for each client, at most
	if [ "$acknowledged" = 0 ] || [ $more -lt 0 ] || [ $more -gt 4 ]; then
		problem "committed before the crash: $acknowledged; there afterwards: $((after - before))"
	fi
	check_sums "after the crash"
}

check_log() { # PATTERN: words that may be in it
	grep -E '(WARNING|ERROR|FATAL|PANIC): ' "$folder/log" | grep -vE "$1" | head -n 3 |
		while read -r line; do problem "the log: $line"; done
}

load() {
	local tps
	tool $bin/initdb -D db -k -A trust --locale=C -E UTF8 >>"$folder/log" 2>&1 || { problem "initdb fails"; return; }
	start || return
	client $bin/pgbench -h "$folder/data" -i -s 3 -q postgres >/dev/null 2>&1 || problem "pgbench -i fails"
	tps=$(bench -c 4 -j 2 -t 500 --random-seed=1 2>&1 | sed -nE 's/^tps = ([0-9]+).*/\1/p')
	figure "TPC-B: ${tps:-no} transactions a second"
	check_sums "after TPC-B"
	tps=$(bench -S -c 4 -j 2 -t 3000 --random-seed=2 2>&1 | sed -nE 's/^tps = ([0-9]+).*/\1/p')
	figure "select-only: ${tps:-no} a second"
	[ -n "$tps" ] || problem "pgbench -S fails"
	queries
	backup
	look_at "$server"
	check_log 'starting up'
	crash
	stop INT "$server" || problem "postgres ends with $?"
	tool $bin/pg_checksums --check -D db >"$folder/data/sums" 2>&1 || problem "pg_checksums: $(tail -n 2 sums)"
	start || return # and by itself once more
	check_sums "after a restart"
	show_sql "select count(*), md5(string_agg(m || filler, '' order by i)) from t"
	look_at "$server"
	stop INT "$server" || problem "postgres ends with $?"
	check_log "terminating connection because of crash|terminating .* due to administrator command|recovery mode|starting up|not yet accepting|connection to client lost"
}
