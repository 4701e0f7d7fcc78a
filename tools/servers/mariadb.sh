# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # sourced by tools/servers/run
#
# MariaDB: a fixed sequence of statements on MyISAM, Aria, CSV and InnoDB tables with sorts that spill,
# a binary log; then four clients at once on MyISAM and Aria; CHECK TABLE and what the tables hold; SIGKILL,
# recovery of Aria and REPAIR of MyISAM: what was acknowledged is there.  Without InnoDB's io_uring, for with
# it the library leaves all to the kernel.
packages="mariadb-server-core mariadb-client-core"
only=mariadbd
least_saved=500

show_sql() { show_client "$1" mariadb --no-defaults -S "$folder/data/sock" -u root -NB test -e "$1"; }
sql() { client mariadb --no-defaults -S "$folder/data/sock" -u root -NB test -e "$1"; }

start() {
	serve mariadbd --no-defaults --datadir="$folder/data/db" --socket="$folder/data/sock" --skip-networking \
		--skip-grant-tables --tmpdir="$folder/data" --pid-file="$folder/data/pid" --key-buffer-size=128K \
		--sort-buffer-size=64K --myisam-sort-buffer-size=64K --read-buffer-size=16K --tmp-memory-table-size=16K \
		--log-bin=bin --server-id=1 --innodb-buffer-pool-size=8M --aria-pagecache-buffer-size=512K \
		--secure-file-priv= --query-cache-size=0 --max-binlog-size=1M --aria-sort-buffer-size=64K \
		--aria-log-file-size=16M --innodb-use-native-aio=0
	wait_until "mariadbd starts" 40 client mariadb --no-defaults -S "$folder/data/sock" -u root -e "select 1"
}

statements() { # ENGINE
	local t=$1
	show_sql "create table $t (id int primary key, k int, v varchar(3000), b blob, key (k), key (v(20))) engine=$1"
	show_sql "insert into $t select seq, seq * 7919 % 1009, repeat(char(97 + seq % 26), seq % 1500), md5(seq)
		from seq_1_to_4000"
	show_sql "update $t set v = concat(v, 'more'), b = repeat(md5(id), 40) where id % 5 = 0"
	show_sql "delete from $t where id % 11 = 0; insert into $t select seq, 1, 'again', sha1(seq) from seq_9001_to_9300"
	show_sql "select count(*), sum(k), md5(group_concat(md5(concat_ws(',', id, k, v, b)) order by id)) from $t"
	show_sql "select k, count(*) c, sum(length(v)) from $t group by k order by c desc, k limit 20"
	show_sql "select sql_big_result a.k, count(distinct a.v) from $t a join $t b using (k) group by a.k order by 2, 1 limit 5"
	show_sql "optimize table $t; check table $t extended; analyze table $t"
	show_sql "alter table $t add w int not null default 3, add key (w, k); checksum table $t extended"
	show_sql "select id, k, left(v, 9) from $t where v like 'e%' order by v desc, id limit 20"
	show_sql "select * into outfile '$folder/data/$t.txt' from $t order by id; create table ${t}2 like $t"
	show_sql "load data infile '$folder/data/$t.txt' into table ${t}2; checksum table ${t}2 extended"
	show_sql "truncate ${t}2; insert into ${t}2 select * from $t order by rand(1); check table ${t}2 extended"
}

others() {
	show_sql "create table csv (i int not null, t text not null) engine=csv; insert into csv select seq, md5(seq) from seq_1_to_500"
	show_sql "update csv set t = 'x' where i % 3 = 0; delete from csv where i % 4 = 0; select count(*), sum(crc32(t)) from csv"
	show_sql "create table ft (t text, fulltext (t)) engine=myisam; insert into ft select concat_ws(' ', md5(seq), md5(seq % 9),
		'alpha') from seq_1_to_1500; select count(*) from ft where match (t) against (md5(3)); check table ft extended"
	show_sql "create table fixed (i int, c char(200), key (i)) engine=myisam row_format=fixed;
		insert into fixed select seq * 31 % 3001, md5(seq) from seq_1_to_3000; delete from fixed where i % 2;
		insert into fixed select seq, sha1(seq) from seq_1_to_900; check table fixed extended; checksum table fixed"
	show_sql "select length(load_file('$folder/data/MyISAM.txt')), md5(load_file('$folder/data/MyISAM.txt'))"
	show_sql "select table_name, engine, table_rows, data_length, index_length from information_schema.tables
		where table_schema = 'test' and engine in ('MyISAM', 'CSV') order by 1"
}

# Each client adds up what it may; the order among them does not matter.
worker() { # NUMBER
	local i
	for ((i = 0; i < 250; i++)); do
		echo "insert into m_log values (null, $1, $i, repeat('$1', $((i * 37 % 700)))); select last_insert_id();"
		echo "update MyISAM set k = k + $i where id between $((i * 13)) and $((i * 13 + 20));"
		echo "insert into a_log values (null, $1, $i, repeat('$1', $((i * 53 % 900))));"
		echo "update Aria set k = k + $i where id = $((i * 7 % 999));"
		[ $((i % 10)) != 0 ] || echo "delete from m_log where c = $1 and n < $((i - 40)); select count(*) from m_log where c = $1;"
	done
}

clients() {
	local i pids=() list
	for list in m_log:myisam a_log:aria; do
		show_sql "create table ${list%:*} (i int auto_increment primary key, c int, n int, t text, key (c, n)) engine=${list#*:}"
	done
	for i in 1 2 3 4; do
		worker $i | client mariadb --no-defaults -S "$folder/data/sock" -u root -NB test >/dev/null 2>"worker$i" &
		pids+=($!)
	done
	look_at "$server"
	for i in 1 2 3 4; do wait "${pids[i - 1]}" || problem "client $i: $(tail -n 1 "worker$i")"; done
	show_sql "select c, count(*), sum(n), sum(crc32(t)) from m_log group by c order by c"
	show_sql "select c, count(*), sum(n), sum(crc32(t)) from a_log group by c order by c"
	show_sql "checksum table MyISAM, Aria extended; check table m_log, a_log, MyISAM, Aria extended"
}

crash() {
	local i n count good most verdict
	sql "create table m_kept (i int primary key, t varchar(500)) engine=myisam; create table a_kept like m_kept;
		alter table a_kept engine=aria" || problem "no tables to lose"
	for ((i = 1; i <= 1000000; i++)); do
		echo "insert into m_kept values ($i, repeat(md5($i), $((i % 15)))); insert into a_kept select * from m_kept where i = $i; select $i;"
	done | client mariadb --no-defaults -S "$folder/data/sock" -u root -NB --unbuffered test >acknowledged 2>/dev/null &
	wait_until "inserts go on" 20 grep -qx 300 acknowledged
	stop KILL "$server"
	wait
	n=$(grep -x '[0-9]*' acknowledged | tail -n 1)
	figure "killed the server after $n acknowledged inserts"
	start || return
	for i in m_kept a_kept; do
		sql "repair table $i" >/dev/null
		# Those acknowledged, and at most the one that was under way.
		sql "select count(*), sum(t = repeat(md5(i), i % 15)), max(i) from $i; check table $i extended" >kept
		{ read -r count good most; read -r _ _ _ verdict; } <kept
		[ "$count" -ge "$n" ] && [ "$count" -le $((n + 1)) ] && [ "$good" = "$count" ] && [ "$most" = "$count" ] &&
			[ "$verdict" = OK ] && continue
		problem "$i: $n were acknowledged, now $(cat kept)"
	done
	show_sql "select count(*), sum(k), md5(group_concat(md5(concat_ws(',', id, k, v, b)) order by id)) from InnoDB"
}

load() {
	local engine line
	client mkdir db
	tool mariadb-install-db --no-defaults --datadir="$folder/data/db" --auth-root-authentication-method=normal \
		--skip-test-db --cross-bootstrap >>"$folder/log" 2>&1 || { problem "mariadb-install-db fails"; return; }
	client mkdir -p db/test
	start || return
	for engine in MyISAM Aria InnoDB; do statements $engine; done
	others
	clients
	stop TERM "$server" || problem "mariadbd ends with $?"
	start || return
	show_sql "check table MyISAM, MyISAM2, Aria, Aria2, m_log, a_log, ft, fixed extended; checksum table MyISAM, Aria, InnoDB"
	look_at "$server"
	grep -E '\[(Warning|ERROR)\]' "$folder/log" >early
	crash
	look_at "$server"
	stop TERM "$server" || problem "mariadbd ends with $?"
	grep -vE 'max_open_files|skip-grant-tables|mysql\.|io_uring|liburing|option|feedback' early | head -n 3 |
		while read -r line; do problem "the log: $line"; done
}
