# SPDX-License-Identifier: Apache-2.0
# Names from servers (debuginfod): only when they are asked for, within a bounded
# time, and of the right build.
. "$(dirname "$0")/../lib.sh" analyze-lib
unset WM_DEBUG_PATH WM_DEBUGINFOD DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH \
	DEBUGINFOD_TIMEOUT DEBUGINFOD_PROGRESS DEBUGINFOD_MAXTIME
PATH=$PATH:/usr/sbin:/sbin ldconfig -p | grep -q 'libdebuginfod\.so\.1' ||
	skip_all "no libdebuginfod.so.1 (package libdebuginfod1)"
export XDG_CACHE_HOME=$W/cache

server=
trap 'kill $server 2>/dev/null; cd /; rm -rf "$W"' EXIT
# serve MODE: DEBUGINFOD_URLS is a new server, whose requests are in log
serve() {
	[ -z "$server" ] || { kill "$server"; wait "$server"; } 2>/dev/null
	rm -rf cache log port
	mkdir cache
	: >log
	"$SRC/tests/tools/debug-server" www log "$1" >port &
	server=$!
	soon [ -s port ]
	export DEBUGINFOD_URLS=http://127.0.0.1:$(cat port)
}
held() { # ARGUMENT...: the function that holds the most
	json '[(f["name"].split("+")[0], f["line"]) for f in
		j["functions"]][0]' --functions "$@"
}
told() { # ARGUMENT...
	wm-analyze --functions "$@" 2>&1 >/dev/null
}
requests() {
	sort log | uniq -c | sed 's/^ *//'
}

cat >one.c <<'X'
#include <stdlib.h>
void *volatile keep;
__attribute__((noinline)) static void holder(void)
{
	keep = malloc(77777);
}
int main(void) { holder(); return 0; }
X
mkdir bin www
gcc -g -O1 -o full one.c
strip full -o bin/prog
WM_DIR=run wm-run bin/prog
id=$(eu-readelf -n full | sed -n 's/.*Build ID: //p')
mkdir -p "www/buildid/$id"
objcopy --only-keep-debug full "www/buildid/$id/debuginfo"
asked="1 /buildid/$id/debuginfo"
good="('holder', 5)"
none="('?? (prog', 0)"

serve good
is "servers alone are not asked" "$(held run/*.wm)" "$none"
is "nor with the variable off" "$(WM_DEBUGINFOD=0 held run/*.wm)" "$none"
is "what is neither on nor off is refused" \
	"$(WM_DEBUGINFOD=maybe told run/*.wm)" \
	"wm-analyze: WM_DEBUGINFOD='maybe' is neither on nor off"
like "the message names the way" "$(told run/*.wm)" \
	"or ask servers with --debuginfod\$"
is "no request has been made" "$(requests)" ""
is "--debuginfod" "$(held --debuginfod run/*.wm)" "$good"
is "one request has been made" "$(requests)" "$asked"
is "the answer is kept where XDG_CACHE_HOME says" \
	"$(ls "cache/debuginfod_client/$id/debuginfo")" \
	"cache/debuginfod_client/$id/debuginfo"
is "WM_DEBUGINFOD=1" "$(WM_DEBUGINFOD=1 held run/*.wm)" "$good"
is "what is here is not asked for again" "$(requests)" "$asked"
like "where names come from is said" "$(told --debuginfod run/*.wm)" \
	"names of '.*/bin/prog' come from '.*/cache/debuginfod_client/$id/"
mv bin/prog bin/gone
is "of a program that is gone, too" "$(held --debuginfod run/*.wm)" "$good"
mv bin/gone bin/prog
serve good
is "local files come first" "$(held --debuginfod --exe full run/*.wm)" "$good"
is "nothing is asked for then" "$(requests)" ""

mv "www/buildid/$id/debuginfo" kept
serve good
is "a server that has none" "$(held --debuginfod run/*.wm)" "$none"
like "it is said" "$(told --debuginfod run/*.wm)" \
	"; no debuginfod server has them; name its file with --exe FILE"
gcc -g -O1 -o www/wrong -DX -x c - <<'X'
int main(void) { return 0; }
X
serve wrong
is "a server that sends another build" "$(held --debuginfod run/*.wm)" "$none"
mv kept "www/buildid/$id/debuginfo"

serve slow
script -qec "wm-analyze --functions --debuginfod run/*.wm" /dev/null >out 2>&1
like "progress on a terminal" "$(tr '\r' '\n' <out)" \
	"wm-analyze: debug information of prog: [0-9.]+ of [0-9.]+ MiB"
like "and the report" "$(cat out)" 'holder'
serve slow
like "none elsewhere" "x$(told --debuginfod run/*.wm | grep MiB)" '^x$'

serve silent
is "a server that is silent for an hour is not waited for" "$(status \
	timeout 100 wm-analyze --functions --debuginfod run/*.wm)" 0
serve silent
kill $server
wait $server 2>/dev/null
server=
# two files that lack names: the server is asked once
mkdir lib
echo '#include <stdlib.h>
void *volatile lib_keep;
static __attribute__((noinline)) void f(void) { lib_keep = malloc(42); }
void lib_hold(void) { f(); }' >lib.c
gcc -O1 -shared -fPIC -s -o lib/libhold.so lib.c
echo 'void lib_hold(void); int main(void) { lib_hold(); return 0; }' >use.c
gcc -O1 -s -o bin/use use.c -Llib -lhold -Wl,-rpath,"$PWD/lib"
WM_DIR=run2 wm-run bin/use
is "a server that is not there" "$(status wm-analyze --functions \
	--debuginfod run2/*.wm)" 0
is "one line says so" "$(told --debuginfod run2/*.wm | grep debuginfod:)" \
	"wm-analyze: for information: debuginfod: $DEBUGINFOD_URLS: Connection refused"
unset DEBUGINFOD_URLS
like "no server is named" "$(told --debuginfod run/*.wm)" \
	'debuginfod: DEBUGINFOD_URLS names no server'
is "that is no loss" "$(status wm-analyze --debuginfod run/*.wm)" 0

# ---- elfutils' own server ----

if command -v debuginfod >/dev/null; then
	rm -rf cache
	mkdir cache files
	cp full files/
	port=$(python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
	debuginfod -d :memory: -p "$port" -F files >server.log 2>&1 &
	server=$!
	export DEBUGINFOD_URLS=http://127.0.0.1:$port
	got=
	for _ in $(seq 100); do
		got=$(held --debuginfod run/*.wm)
		[ "$got" != "$good" ] || break
		rm -rf cache/*
		sleep 0.2
	done
	is "the server of elfutils" "$got" "$good"
else
	skip "the server of elfutils" "it is missing (package debuginfod)"
fi
done_testing
