# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154,SC2034 # sourced by tools/servers/run
#
# nginx with sendfile off, as Apache: files whole and in ranges, by threads and without, a cache on disk
# in front of it.  It reads by pread as it is: the library has nothing to save, and nothing to spoil.
packages="nginx-light curl"
only=nginx
least_saved=0
# shellcheck source=tools/servers/web.inc
. "$(dirname "$0")/web.inc"

load() {
	local line
	make_files
	client mkdir -p cache temp logs
	port=$(free_port)
	client tee nginx.conf >/dev/null <<-END
		daemon off;
		worker_processes 2;
		pid $folder/data/nginx.pid;
		error_log $folder/log warn;
		events { worker_connections 256; }
		http {
			access_log $folder/data/logs/access;
			client_body_temp_path temp/body; proxy_temp_path temp/proxy; fastcgi_temp_path temp/f;
			uwsgi_temp_path temp/u; scgi_temp_path temp/s;
			sendfile off; output_buffers 2 16k;
			proxy_cache_path $folder/data/cache keys_zone=c:1m;
			server {
				listen 127.0.0.1:$port;
				root $folder/data/www;
				location /cached/ {
					proxy_pass http://127.0.0.1:$port/;
					proxy_cache c; proxy_cache_valid any 1h; proxy_buffers 4 4k; proxy_max_temp_file_size 100m;
				}
			}
		}
	END
	serve nginx -p "$folder/data" -c "$folder/data/nginx.conf"
	wait_until "nginx starts" 20 client curl -sf -o /dev/null "http://127.0.0.1:$port/small0" || return
	whole_files /
	ranges /
	several_ranges
	whole_files /cached/
	ranges /cached/
	look_at "$server"
	stop QUIT "$server" || problem "nginx ends with $?"
	grep -vE 'buffered to a temporary file|could not open error log|the "user" directive' "$folder/log" | head -n 3 |
		while read -r line; do problem "the log: $line"; done
}
