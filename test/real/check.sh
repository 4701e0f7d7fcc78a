# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034 # used where this is read
# What the tests of `seekless check` begin with.  In a folder of their own, with what they want of it.
unset "${!SEEKLESS@}" LD_LIBRARY_PATH
export LC_ALL=C
# shellcheck source=test/real/expect.sh
. test/real/expect.sh
tree=$PWD
command=$PWD/build/seekless
work=$(mktemp -d)
children=()
public=
trap 'kill "${children[@]}" 2>/dev/null; rm -rf "$work" "$public"' EXIT
cd "$work" || exit 1
x86=false
[ "$(uname -m)" != x86_64 ] || x86=true
if "$command" check true 2>&1 | grep -q 'has no libelf'; then
	echo "the command was built without libelf (libelf-dev)"
	exit 77
fi

check() { # STATUS OUT ERR ARG...
	local first=("$1" "$2" "$3")
	shift 3
	expect "${first[@]}" "$command" check "$@"
}

# As another user, who may see the folder $public, not $work.
nobody=(setpriv --reuid 65534 --clear-groups)
public_make() {
	public=$(mktemp -d /tmp/seekless-check.XXXXXX) && chmod 755 "$public" && cp "$command" "$public"
}

# Names that this libc may lack are there in a library.
for name in lseek lseek64 __lseek llseek read __read __read_chk write __write readv writev fread fseek \
	fseeko fseeko64 fsetpos fsetpos64 rewind mmap64 open io_uring_queue_init dlopen \
	_ZNSi5seekgElSt12_Ios_Seekdir p{read,write}{,64,v,v64,v2,v64v2} __p{read,write}64 __pread{,64}_chk; do
	echo "void $name(void); void $name(void) {}"
done >names.c
mkdir names
cc -fno-builtin -w -shared -fPIC -o names/libnames.so names.c

program() { # NAME SYMBOL...: a program that imports the symbols
	local name=$1 symbol n=0
	shift
	{
		for symbol; do echo "void f$((++n))(void) __asm__(\"$symbol\");"; done
		echo "int main(void) {"
		for symbol; do echo "f$((n--))();"; done
		echo "return 5; }"
	} >"$name.c"
	cc -O1 -o "$name" "$name.c" "${flags[@]}" -Lnames -Wl,--as-needed -lnames -Wl,-rpath,"$work/names"
}
flags=()

is_json() { # FILE
	if python3 -c '' 2>/dev/null; then
		python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$1"
	elif perl -MJSON::PP -e '' 2>/dev/null; then
		perl -MJSON::PP -0777 -ne 'decode_json($_)' "$1"
	fi || { echo "no JSON:"; cat "$1"; failed=1; }
}
