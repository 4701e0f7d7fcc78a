# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # sourced by tools/servers/run
#
# Apache httpd with sendfile and mmap off, so that it reads and seeks: files of many sizes, whole, in
# ranges, in several ranges at once, compressed, by parallel clients; PUT by WebDAV, a cache on disk.
# Each answer is compared with the file that it comes from.
packages="apache2-bin curl"
only=apache2
least_saved=500
# shellcheck source=tools/servers/web.inc
. "$(dirname "$0")/web.inc"

configure() { # MPM
	{
		echo "ServerRoot $folder/data"
		echo "Listen 127.0.0.1:$port"
		echo "ServerName localhost"
		echo "PidFile $folder/data/apache.pid"
		echo "ErrorLog $folder/log"
		echo "LogLevel warn"
		echo "DefaultRuntimeDir $folder/data"
		echo "Mutex file:$folder/data default"
		local m
		for m in "mpm_$1" authz_core mime dav dav_fs deflate cache cache_disk alias; do
			[ ! -e /usr/lib/apache2/modules/"mod_$m.so" ] ||
				echo "LoadModule ${m}_module /usr/lib/apache2/modules/mod_$m.so"
		done
		echo "TypesConfig /dev/null"
		echo "EnableSendfile Off"
		echo "EnableMMAP Off"
		echo "DocumentRoot $folder/data/www"
		echo "<Directory />"
		echo "Require all granted"
		echo "</Directory>"
		echo "DavLockDB $folder/data/lock"
		echo "Alias /put $folder/data/put"
		echo "<Directory $folder/data/put>"
		echo "Dav On"
		echo "</Directory>"
		echo "CacheRoot $folder/data/cache"
		echo "Alias /cached $folder/data/www"
		echo "CacheEnable disk /cached"
		echo "CacheDefaultExpire 3600"
		echo "CacheMinFileSize 1"
		echo "CacheMaxFileSize 100000000"
		echo "<Location /small>"
		echo "SetOutputFilter DEFLATE"
		echo "</Location>"
	} | client tee apache.conf >/dev/null
}

load() {
	local mpm
	make_files
	client mkdir -p put cache
	for mpm in event prefork; do
		port=$(free_port)
		configure $mpm
		serve apache2 -f "$folder/data/apache.conf" -DFOREGROUND
		wait_until "apache starts" 20 client curl -sf -o /dev/null "http://127.0.0.1:$port/small0" || return
		whole_files /
		ranges /
		several_ranges
		whole_files /cached/
		ranges /cached/
		put_files /put/
		client curl -s --compressed "http://127.0.0.1:$port/small3" | cmp -s - www/small3 || problem "$mpm: small3 compressed"
		look_at "$server"
		stop WINCH "$server" || problem "apache ends with $?"
	done
	grep -E ':(warn|error|crit|alert|emerg)\]' "$folder/log" | head -n 3 | while read -r line; do problem "the log: $line"; done
}
