# SPDX-License-Identifier: Apache-2.0
# --export gleipnir, dinero, lackey: loads and stores one by one.
. "$(dirname "$0")/../lib.sh" analyze-lib

export WMCC_ACCESS=1 WM_DIR=.
bring access/lines.c

lines() { # FORMAT RUN: addresses and numbers of processes are left out
	wm-analyze --quiet --export "$1" "$2" |
		sed -E 's/^([LSM]) [0-9a-f]{9,16} /\1 /
			s/MALLOC [0-9a-f]+/MALLOC/
			s/START [0-9]+:[0-9]+/START/; s/END [0-9]+/END/
			/^X RUN /d' |
		grep -v ' 1 S '
}

ok "the program is built" wmcc -g -O0 -o lines lines.c
./lines.wma
is "gleipnir, with debug information" "$(lines gleipnir lines.wma.*.wm)" \
	"X START at 0
S 4 1 G main GS myG.Ab
S 4 1 G main GS myG.Ba
X 1 MALLOC 200 mystruct 0
S 4 1 H main H-0 mystruct.100
X MARK half way
L 4 1 G foo GS myG.Ab
S 4 1 H foo H-0 mystruct.20
L 4 1 H foo H-0 mystruct.100
L 4 1 G main GV counter
S 4 1 G main GV counter
X 1 MALLOC 12 main::ptr 0
S 4 1 H main H-0 main::ptr.4
X 1 MALLOC 12 main::ptr 1
S 4 1 H main H-1 main::ptr.8
X INST 18
X END at 18"
is "lackey: the same accesses" "$(wm-analyze --quiet --export lackey \
	lines.wma.*.wm | sed -E '/^==/d; s/^ ([LS]) ([0-9a-f]+),([0-9]+)$/\1 \2 \3/')" \
	"$(wm-analyze --quiet --export gleipnir lines.wma.*.wm |
		sed -nE 's/^([LS]) ([0-9a-f]+) ([0-9]+) .*/\1 \2 \3/p')"
is "dinero: the same accesses" "$(wm-analyze --quiet --export dinero \
	lines.wma.*.wm | sed 's/^r/L/; s/^w/S/')" \
	"$(wm-analyze --quiet --export gleipnir lines.wma.*.wm |
		sed -nE 's/^([LS]) ([0-9a-f]+) ([0-9]+) .*/\1 \2 \3/p')"
id=$(readelf -n lines.wma | sed -n 's/.*Build ID: //p')
wm-analyze -q --export gleipnir lines.wma.*.wm | sed -n 's/^X RUN //p' >from
is "gleipnir: where it comes from" "$(sed 's/started .*, program/program/
	s/run .*:/run:/; s/wmtools .*/wmtools/' from)" "lines.wma run: ./lines.wma
program $W/lines.wma, build $id, traced by wmtools"
wm-analyze -q --export lackey lines.wma.*.wm | sed -n 's/^==[0-9]*== //p' >same
is "lackey: the same, as valgrind's own lines" "$(cat same)" "$(cat from)"
has_no "dinero: no place for it" '^[^rw]' \
	wm-analyze -q --export dinero lines.wma.*.wm
is "one rank" "$(status wm-analyze --export dinero --rank all \
	lines.wma.*.wm)" 2

rm -r lines.wma.*.wm
WM_ACCESS_LOCALS=on ./lines.wma
is "gleipnir, with local variables" "$(wm-analyze --quiet --export gleipnir \
	lines.wma.*.wm | cut -d' ' -f1,3- | grep -E '^[LSM].* (S|foo) ')" \
	"S 4 1 S main LV A
L 4 1 S main LV A
S 4 1 S main LS Arr[5]
L 4 1 S main LS Arr[5]
L 4 1 G foo GS myG.Ab
L 4 1 S foo LV f_loc
S 4 1 S foo LV f_loc
L 4 1 S foo LV f_loc
S 4 1 H foo H-0 mystruct.20
L 4 1 H foo H-0 mystruct.100
L 4 1 S foo LV f_loc"

rm -r lines.wma.*.wm
ok "the program is built without debug information" \
	wmcc -O0 -o lines lines.c
./lines.wma
is "gleipnir, with annotations alone" "$(lines gleipnir lines.wma.*.wm |
	grep '^[LS]')" "S 4 1 G main GS myGlobal.0
S 4 1 G main GS myGlobal.4
S 4 1 H main H-0 mystruct.100
L 4 1 G foo GS myGlobal.0
S 4 1 H foo H-0 mystruct.20
L 4 1 H foo H-0 mystruct.100
L 4 1 G main GS counter.0
S 4 1 G main GS counter.0
S 4 1 H main H-0 main.4
S 4 1 H main H-1 main.8"

# Two call paths with one site, a block that the program calls like it, and a
# name that goes: numbers are of the name that is told.
cat >sites.c <<'E'
#include <stdlib.h>
#include <wm/wmtrace.h>
static char *p[6];
static char *grab(int i) { return malloc(10 + i); }
static void one(void) { p[0] = grab(0); p[2] = grab(2); }
static void two(void) { p[1] = grab(1); p[3] = grab(3); }
int main(void)
{
	one();
	two();
	wm_name_next("grab");
	p[4] = malloc(14);
	p[5] = malloc(15);
	wm_name(p[5], "other");
	for (int i = 0; i < 6; i++)
		p[i][0] = (char)i;
	wm_unname(p[5]);
	p[5][1] = 0;
	return 0;
}
E
ok "sites: built" wmcc -g -O0 $(wm-config --cflags) -o sites sites.c
./sites.wma
is "sites: blocks" "$(lines gleipnir sites.wma.*.wm | grep -o 'MALLOC.*')" \
	"MALLOC 10 grab 0
MALLOC 12 grab 1
MALLOC 11 grab 2
MALLOC 13 grab 3
MALLOC 14 grab 4
MALLOC 15 main::p[5] 0"
is "sites: accesses" "$(lines gleipnir sites.wma.*.wm | grep -o 'H-.*')" \
	"H-0 grab.0
H-2 grab.0
H-1 grab.0
H-3 grab.0
H-4 grab.0
H-0 other.0
H-0 main::p[5].1"
is "no line ends in a blank" \
	"$(wm-analyze -q --export gleipnir sites.wma.*.wm | grep -c ' $')" 0

# The parts of a mapping that munmap leaves are the same block, an atomic
# operation is M, the stack of another thread is no block.
cat >cut.c <<'E'
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
static char *m;
static void *own;
static int hits;
static void fill(volatile int *a) { a[1] = 7; }
static void *run(void *unused)
{
	int mine[4];

	fill(mine);
	__atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);
	m[8193] = 3;
	own = malloc(77);
	return unused;
}
int main(void)
{
	pthread_t t;

	m = mmap(0, 12288, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	m[1] = 1;
	munmap(m + 4096, 4096);
	m[2] = 2;
	pthread_create(&t, 0, run, 0);
	pthread_join(t, 0);
	return 0;
}
E
ok "cut: built" wmcc -g -O0 -o cut cut.c -lpthread
./cut.wma
is "cut: what munmap leaves is no new block" \
	"$(lines gleipnir cut.wma.*.wm | grep -c 'MALLOC 12288\|MALLOC 4096')" 1
is "cut: its accesses keep name, number and offset" \
	"$(lines gleipnir cut.wma.*.wm | grep -o 'H-.*')" \
	"H-0 main.1
H-0 main.2
H-0 main.8193"
is "cut: of the second thread" "$(lines gleipnir cut.wma.*.wm |
	grep -E '^(X THREAD|[LSM] [0-9]+ 2 )')" "X THREAD_CREATE 1:2
S 4 2 S fill
M 4 2 G run GV hits
L 8 2 G run GV m
S 1 2 H run H-0 main.8193
S 8 2 G run GV own"
is "cut: who allocates" "$(lines gleipnir cut.wma.*.wm |
	grep -E 'MALLOC (12288|77) ')" "X 1 MALLOC 12288 main 0
X 2 MALLOC 77 run::own 0"
is "cut: no block is a stack" "$(lines gleipnir cut.wma.*.wm |
	awk '/MALLOC/ && $4 > 1000000' | wc -l)" 0
is "cut: dinero has the atomic operation twice" "$(wm-analyze --quiet \
	--export dinero cut.wma.*.wm | awk '{ print $1 }' | sort | uniq -c |
	awk '{ print $1, $2 }')" "$(wm-analyze -q --export gleipnir cut.wma.*.wm |
	awk '$1 ~ /^[LM]$/ { r++ } $1 ~ /^[SM]$/ { w++ }
		END { print r, "r"; print w, "w" }')"

# Ranks: the one with most accesses, or the one that is asked for.
env PMI_RANK=0 PMI_SIZE=2 WM_RUN_ID=one WM_DIR=two ./lines.wma
env PMI_RANK=1 PMI_SIZE=2 WM_RUN_ID=one WM_DIR=two SWEEP=1 ./lines.wma
insts() { # ARGUMENT...: accesses in the file
	wm-analyze --quiet --export gleipnir "$@" two/* | sed -n 's/X INST //p'
}
is "ranks: rank 0" "$(insts --rank 0)" 18
is "ranks: the one with most accesses" "$(insts)" "$(insts --rank 1)"
ok "ranks: it has more" test "$(insts)" -gt 1000

# app.wm records no accesses.
WM_DIR=none ./cut.wm
like "no accesses: how to get them" \
	"$(wm-analyze --export gleipnir none/* 2>&1)" \
	"no loads and stores in the trace: WMCC_ACCESS=1 makes app.wma"
is "no accesses: status" "$(status wm-analyze --export lackey none/*)" 3

# Damage is found when the trace goes by, and it goes by once more: no line
# comes twice.
rm -r lines.wma.*.wm
SCATTER=1 ./lines.wma
wm-analyze --quiet --export dinero lines.wma.*.wm >whole
cp -r lines.wma.*.wm hurt.wm
at=$(($(stat -c %s hurt.wm/*.wmt.xz) * 9 / 10))
printf '\377\377\377' | dd of="$(echo hurt.wm/*.wmt.xz)" bs=1 seek=$at \
	conv=notrunc status=none
is "a damaged trace: status" "$(status wm-analyze --quiet --export dinero \
	--output hurt.txt hurt.wm)" 4
is "a damaged trace: the lines before that, once" \
	"$(wc -l <hurt.txt | sed 's/[1-9][0-9]\{5\}/many/'
	head -n "$(wc -l <hurt.txt)" whole | diff - hurt.txt | head -n 3)" many

# lackey looks at app, we at app.wma: offsets in their symbols are the same.
of_globals() { # PROGRAM: kind, symbol+offset and bytes of lines on stdin
	nm -S "$1" | awk '$4 ~ /^(myG|counter|grid)$/ { print $1, $2, $4 }' >where
	python3 -c '
import sys
where = [(int(a, 16), int(b, 16), n) for a, b, n in
	(l.split() for l in open("where"))]
for l in sys.stdin:
	if l[:2] not in (" L", " S", " M"):
		continue
	addr, size = l[3:].split(",")
	for a, b, n in where:
		if 0 <= int(addr, 16) - a < b:
			kinds = "LS" if l[1] == "M" else l[1]
			for k in kinds:
				print(k, n, int(addr, 16) - a, int(size))
'
}

if command -v valgrind >/dev/null; then
	rm -r lines.wma.*.wm
	wmcc -g -O0 -static -o lines lines.c
	SWEEP=1 ./lines.wma
	wm-analyze --quiet --export lackey lines.wma.*.wm |
		of_globals lines.wma >ours
	SWEEP=1 valgrind --tool=lackey --trace-mem=yes ./lines 2>&1 |
		of_globals lines >lackeys
	is "named globals: lackey's loads and stores, one by one" \
		"$(diff ours lackeys | head -n 5; wc -l <ours)" 4049
else
	skip "valgrind" "valgrind is missing: scripts/setup"
fi
done_testing
