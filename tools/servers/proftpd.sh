# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # sourced by tools/servers/run
#
# ProFTPD, which seeks to where a transfer is to begin: downloads from somewhere on, uploads that go on
# where one ended, appending, by four clients at once; all is compared.
packages="proftpd-core curl"
only=proftpd
least_saved=40

make_config() {
	client tee proftpd.conf >/dev/null <<-END
		ServerType standalone
		DefaultAddress 127.0.0.1
		SocketBindTight on
		Port $port
		User $(client id -un)
		Group $(client id -gn)
		UseSendfile off
		AllowOverwrite on
		AllowStoreRestart on
		AllowRetrieveRestart on
		RequireValidShell off
		AuthUserFile $folder/data/passwd
		AuthOrder mod_auth_file.c
		UseReverseDNS off
		WtmpLog off
		TransferLog none
		ScoreboardFile $folder/data/scoreboard
		PidFile $folder/data/proftpd.pid
		SystemLog $folder/data/system.log
		MaxInstances 30
	END
	echo "me:$(perl -e 'print crypt "secret", q($6$salt$)'):$(client id -u):$(client id -g)::$folder/data/home:/bin/sh" |
		client tee passwd >/dev/null
	chmod 600 passwd
}

numbers() { # SEED BYTES
	awk -v seed="$1" 'BEGIN { srand(seed); for (;;) printf "%.12f%d\n", rand(), NR }' 2>/dev/null | head -c "$2"
}

ftp() { # FILE CURL-WORDS...
	client curl -sS --disable-epsv -u me:secret "ftp://127.0.0.1:$port/$1" "${@:2}" 2>>curl.err
}

one_client() { # NUMBER
	local i from n=$1 size=$(($1 * 700001))
	for i in 1 2 3 4 5 6 7 8; do
		from=$((size * i / 9))
		ftp "file$n" -C $from | cmp -s - <(tail -c "+$((from + 1))" "home/file$n") || problem "file$n from $from on came back changed"
		ftp "file$n" -r "$from-$((from + 3000))" | cmp -s - <(tail -c "+$((from + 1))" "home/file$n" | head -c 3001) ||
			problem "file$n: 3001 bytes from $from came back changed"
	done
	head -c $((size / 3)) "home/file$n" | client tee "home/up$n" >/dev/null
	ftp "up$n" -C $((size / 3)) -T "home/file$n" || problem "an upload does not go on"
	cmp -s "home/up$n" "home/file$n" || problem "up$n: what was uploaded further differs"
	for i in 1 2 3; do ftp "grown$n" -a -T "home/file$n" || problem "it does not append"; done
	cmp -s "home/grown$n" <(cat "home/file$n" "home/file$n" "home/file$n") || problem "grown$n: what was appended differs"
}

load() {
	local i pids=() line
	port=$(free_port)
	client mkdir home
	make_config
	for i in 1 2 3 4; do numbers "$i" $((i * 700001)) | client tee "home/file$i" >/dev/null; done
	serve proftpd --nodaemon -c "$folder/data/proftpd.conf"
	wait_until "proftpd starts" 20 ftp file1 -o /dev/null || return
	for i in 1 2 3 4; do one_client "$i" & pids+=($!); done
	watch 3 "$server"
	await "${pids[@]}"
	show "files: $(cat home/* | cksum)"
	look_at "$server"
	stop TERM "$server"
	cat system.log >>"$folder/log"
	grep -iE 'error|fail|corrupt|crash' system.log | head -n 3 | while read -r line; do problem "the log: $line"; done
}
