# SPDX-License-Identifier: Apache-2.0
# Loads and stores that cannot be written are counted, one by one: at a cap, a
# limit on file sizes or on open files, on a full disk.  The line at the end, the
# analysis and its JSON say it.
. "$(dirname "$0")/../lib.sh" access-lib
trap 'umount "$W/small" 2>/dev/null' EXIT

ok "compiles" gcc -O1 -g -fsanitize=thread -c -o lost.o \
	"$progs/access/lost.c"

run() { # WHERE PROGRAM ARGUMENTS...
	local where=$1
	shift
	rm -rf "${where:?}"/*.wm
	# a pipe: `limit` holds for files
	WM_DIR=$where timeout $stuck "$@" 2>&1 | cat >err
	return "${PIPESTATUS[0]}"
}
written() { # accesses that the trace in $1 has
	"$dump" "$1"/*/rank-000000.wmt.xz --count |
		awk '{n += $3} END {print n + 0}'
}
lost() {
	wm-analyze --json --quiet "$1"/*.wm 2>/dev/null |
		jq .run.accesses_lost
}
# WHAT WHERE: what is lost is counted, and said
counted() {
	local what=$1 where=$2 w l

	w=$(written "$where") l=$(lost "$where")
	ok "$what: some are written ($w)" [ "${w:-0}" -gt 0 ]
	ok "$what: many are lost ($l)" [ "${l:-0}" -gt 100000 ]
	is "$what: all are counted" $((w + l)) "$all"
	like "$what: the run says so" "$(cat err)" \
		"$l loads and stores or more were not recorded"
	like "$what: the analysis says so" \
		"$(wm-analyze "$where"/*.wm 2>&1 >/dev/null)" \
		"$l loads and stores, or more, were not recorded"
}

for kind in static dynamic; do
	ok "links, $kind" access_link $kind gcc lost lost.o
	for threads in 1 4; do
		what="$kind, $threads threads"
		mkdir -p run
		run run ./lost none $threads
		is "$what: same end" $? 7
		is "$what: silent" "$(cat err)" ""
		all=$(written run)
		ok "$what: many accesses" \
			[ "$all" -ge $((900000 * threads)) ]
		is "$what: none is lost" "$(lost run)" 0

		run run env WM_MAX_BYTES=1M ./lost none $threads
		is "$what, a cap: same end" $? 7
		counted "$what, a cap" run
		run run env WM_ACCESS_MAX_BYTES=1M ./lost none $threads
		is "$what, a cap of their own: same end" $? 7
		counted "$what, a cap of their own" run
		ok "$what, a cap of their own: it holds" [ "$(stat -c %s \
			run/*/rank-000000.wmt.xz)" -lt $((1100 << 10)) ]
		is "$what, a cap of their own: the trace ends well" \
			"$(wm-analyze --json -q run/*.wm | jq -c \
				'[.run.complete, .run.capped_ranks]')" \
			"[true,[]]"
		run run ./lost limit $threads
		is "$what, a limit: same end" $? 7
		counted "$what, a limit" run

		# it goes on, behind a gap
		run run ./lost closed $threads
		is "$what, no descriptors: same end" $? 7
		counted "$what, no descriptors" run
		is "$what, no descriptors: all that came later" \
			"$("$dump" run/*/rank-000000.wmt.xz |
			grep -c ' w0 [0-9a-f]* 4 ')" $((300000 * threads))

		if mkdir -p small &&
			mount -t tmpfs -o size=2M small small 2>mount.err; then
			run small ./lost none $threads
			is "$what, a full disk: same end" $? 7
			counted "$what, a full disk" small
			umount small
		else
			skip "$what, a full disk" "$(head -1 mount.err)"
		fi
	done
done
# The cap is of bytes as they are written, events go on behind it.
cat >again.c <<'E'
#include <stdlib.h>
static volatile int a[4096];
static int way[1000];
int main(void)
{
	char *p;

	for (int i = 0; i < 1000; i++)
		way[i] = rand() % 4096;
	for (int k = 0; k < 2000; k++)
		for (int i = 0; i < 1000; i++)
			a[way[i]] = k;
	p = malloc(50 << 20);
	return p ? 0 : 1;
}
E
ok "again: compiles" gcc -O1 -fsanitize=thread -c -o again.o again.c
ok "again: links" access_link static gcc again again.o
run run env WM_COMPRESS=0 ./again
all=$(written run)
for cap in 2097152 65536; do
	run run env WM_COMPRESS=0 WM_ACCESS_MAX_BYTES=$cap ./again
	is "again, $cap: all are counted" $(($(written run) + $(lost run))) \
		"$all"
	ok "again, $cap: it holds" [ "$(stat -c %s \
		run/*/rank-000000.wmt.xz)" -lt $((cap + 30000)) ]
	ok "again, $cap: memory is traced behind it" [ "$(wm-analyze --json \
		-q run/*.wm | jq .heap.peak.max)" -ge 52428800 ]
done
ok "again: a small cap takes what is small" [ "$(written run)" -gt 100000 ]
run run env WM_COMPRESS=0 WM_ACCESS_MAX_BYTES=2M ./again
is "again: what is packed counts as it is written" "$(lost run)" 0
done_testing
