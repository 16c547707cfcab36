# SPDX-License-Identifier: Apache-2.0
# --accesses, --cache, --reuse, --false-sharing: regions of the program's are
# variables, of which every number is known.
. "$(dirname "$0")/../lib.sh" analyze-lib

export WMCC_ACCESS=1 WM_DIR=run
bring access/regions.c
ok "the program is built" \
	wmcc -g -O1 -static $(wm-config --cflags) -o regions regions.c
ok "and runs" ./regions.wma

at() { # TEXT: the line of the program that has it
	grep -n "$1" regions.c | cut -d: -f1
}
rows() { # LIST KEYS...: these of each row but those of pointers, sorted
	local list=$1
	shift
	json "'\n'.join(sorted(' '.join(str(r[k]) for k in '$*'.split())
		for r in j['accesses']['$list'] if not r['loads']))" \
		--accesses run/*
}
is "by variable, with the place of what they lie on" \
	"$(rows variables variable kind stores variable_line blocks)" \
	"cells static 100 $(at '^struct cell cells') 0
half heap 501 $(at 'block = malloc') 0
inner static 100 $(at '^double work') 0
main::block heap 500 $(at 'block = malloc') 1
mapped map 250 $(at 'mapping = mmap') 0
pressure static 1000 $(at '^double work') 0
reused static 2 $(at '^double work') 0
velocity static 1000 $(at '^double work') 0
work static 2000 $(at '^double work') 0"
is "by element" "$(rows members member stores)" "cells[].y 100
half[1] 1
half[] 500
inner +0..792 by 8 100
main::block +0..3992 by 8 500
mapped[]+8 250
pressure[] 1000
reused[] 2
velocity[] 1000
work[] 2000"
is "a static variable that is one region has its members" "$(json "
	[(s['variable'], [m['stores'] for m in s['members']])
	for s in j['accesses']['structures']]" --accesses run/*)" \
	"[('cells', [0, 100])]"
counted() { # REPORT LIST KEY ARGUMENT...: of each variable that is a region
	local report=$1 list=$2 key=$3
	shift 3
	json "sorted((r['name'], r['$key']) for r in j['$report']['$list']
		if r['name'] in ('pressure', 'velocity', 'half', 'mapped'))" \
		"$@" run/*
}
is "caches" "$(counted cache variables stores --cache L1=32K/8)" \
	"[('half', 501), ('mapped', 250), ('pressure', 1000), ('velocity', 1000)]"
is "reuse" "$(counted reuse variables touches --reuse)" \
	"[('half', 501), ('mapped', 250), ('pressure', 1000), ('velocity', 1000)]"
is "exports say the same" "$(wm-analyze -q --export gleipnir run/* |
	sed -nE 's/^S .* ([GH]) (fill|main) GS ([a-z]+).*/\1 \3/p' |
	grep -v work | sort | uniq -c | awk '{ print $1, $2, $3 }')" \
	"100 G inner
1000 G pressure
2 G reused
1000 G velocity
501 H half
250 H mapped"

# Without debug information nothing is known but what the program says.
ok "the program is built without debug information" \
	wmcc -O1 -static $(wm-config --cflags) -o regions regions.c
rm -rf run
./regions.wma
is "then a region is better than its variable" \
	"$(rows members member stores | grep cells)" \
	"cells of the program[]+8 100"

# ---- two threads on a line of a region ----
cat >shared.c <<'E2'
#include <pthread.h>
#include <wm/wmtrace.h>
static long pool[512] __attribute__((aligned(64)));
static void *count(void *at)
{
	for (int i = 0; i < 1000; i++)
		++*(volatile long *)at;
	return 0;
}
int main(void)
{
	pthread_t t[2];

	wm_region("counters", pool + 8, 8 * sizeof(long), sizeof(long));
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, count, pool + 8 + i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
E2
rm -rf run
ok "shared: built" wmcc -g -O1 $(wm-config --cflags) -o shared shared.c -lpthread
./shared.wma
is "false sharing" "$(json "sorted({(p['part_variable'], p['member'])
	for r in j['sharing']['false_sharing'] for p in r['parts']})" \
	--false-sharing run/*)" "[('counters', 'counters[]')]"
done_testing
