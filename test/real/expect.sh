# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034 # used where this is read
# For scripts that run a command and say what it should answer; `failed` tells whether one did not.
failed=0

# expect STATUS OUTPUT-PATTERN ERROR-PATTERN WORDS...: an empty pattern means no output at all.
expect() {
	local status=$1 out=$2 err=$3 got
	shift 3
	"$@" >out 2>err </dev/null
	got=$?
	# shellcheck disable=SC2053 # patterns are meant
	if [ $got != "$status" ] || [[ $(cat out) != $out ]] || [[ $(cat err) != $err ]] ||
		[ "$(wc -l <err)" -gt 1 ]; then
		echo "'$*': exit $got, not $status, or not the output that was expected:"
		cat out err
		failed=1
	fi
}
