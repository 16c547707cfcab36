# SPDX-License-Identifier: Apache-2.0
# --accesses: which variable, member, function and line the loads and stores of
# a program belong to, of which every number is known.
. "$(dirname "$0")/../lib.sh" analyze-lib

export WMCC_ACCESS=1
bring access/known.c
ok "the program is built" wmcc -g -O1 -static -o known known.c -lpthread
export WM_DIR=.
is "a block is reused" "$(./known.wma)" "reused"
run=$(echo known.wma.*.wm)

rows() { # LIST KEYS...: these of each row, sorted
	local list=$1
	shift
	json "'\n'.join(sorted(' '.join(str(r[k]) for k in '$*'.split())
		for r in j['accesses']['$list'] if r.get('variable') !=
		'(stack of the main thread)'))" --accesses "$run"
}

is "by variable" "$(rows variables variable kind variable_line loads stores \
	bytes threads blocks)" "$(sort <<E2
cells static $(grep -n 'cells\[50\]' known.c | cut -d: -f1) 50 60 880 1 0
first heap $(($(grep -n 'long \*first' known.c | cut -d: -f1) + 2)) 0 100 800 1 1
grow heap $(($(grep -n 'long \*grow' known.c | cut -d: -f1) + 2)) 200 0 1600 1 1
list::x heap $(grep -n 'struct node \*x = malloc' known.c | cut -d: -f1) 240 80 2560 1 40
second heap $(($(grep -n 'long \*second' known.c | cut -d: -f1) + 2)) 60 30 720 1 1
shared heap $(($(grep -n 'long \*shared' known.c | cut -d: -f1) + 2)) 2000 2000 32000 4 1
table static $(grep -n 'table\[1000\]' known.c | cut -d: -f1) 250 1000 10000 1 0
E2
)"
is "by member" "$(rows members member loads stores | grep -v ' +')" \
	"cells[].x 0 10
cells[].y 50 50
table[] 250 1000"
is "of blocks: where in them" "$(rows members member loads stores | grep ' +')" \
	"first +0..792 by 8 0 100
grow +0..1592 by 8 200 0
list::x +0 120 40
list::x +8 120 40
second +0..232 by 8 0 30
second +0..472 by 8 60 0
shared +0..3992 by 8 2000 2000"
is "by function and variable" "$(rows function_variables function variable \
	loads stores pattern threads)" "fill first 0 100 sequential 1
fill second 0 30 sequential 1
fill shared 0 2000 sequential 4
fill table 0 1000 sequential 1
list list::x 0 80 stride 32 1
look grow 200 0 sequential 1
look second 60 0 sequential 1
look shared 2000 0 sequential 4
look table 250 0 stride 32 1
move_cells cells 50 60 stride 24 1
walk list::x 240 0 stride -32 1"
is "the main thread's stack" "$(json "[[r['stores'], r['threads']]
	for r in j['accesses']['variables'] if r['kind'] == 'stack']" \
	--accesses "$run")" "[[20, 1]]"
is "by line: the sums of the functions" "$(json "all(
	sum(r[k] for r in j['accesses']['lines']) == j['accesses'][k] ==
	sum(r[k] for r in j['accesses']['functions'])
	for k in ('loads', 'stores', 'bytes'))" --accesses "$run")" True
is "a line" "$(json "[r['stores'] for r in j['accesses']['lines']
	if r['line'] == $(grep -n 'to\[i\] = i' known.c | cut -d: -f1)]" \
	--accesses "$run")" "[3150]"
is "nothing is lost" "$(json "[j['accesses'][k]
	for k in ('lost', 'gaps', 'no_room', 'threads')]" --accesses "$run")" \
	"[0, 0, 0, 5]"
is "objects without hooks: the system's alone" "$(json "
	[all(h['system'] for h in j['accesses']['hookless']),
	len(j['accesses']['hookless']) > 0]" --accesses "$run")" "[True, True]"

text=$(wm-analyze --accesses "$run")
like "text: the sums" "$text" \
	"loads and 3,290 stores, 47\.7 KiB, by 5 threads"
like "text: a variable" "$text" \
	"  2,000   2,000  +31\.2 KiB        4 .* sequential +heap +shared  known\.c:"
like "text: a function" "$text" "  0   2,000 +15\.6 KiB.* fill +shared"
like "text: what is not seen" "$text" "none of these is the program's own: 1 of 1 have hooks"
like "--by member" "$(wm-analyze --accesses --by member "$run")" \
	"stride 24 .* cells\[\]\.y"
like "--by line" "$(wm-analyze --accesses --by line "$run")" \
	"move_cells  known\.c:"
is "CSV" "$(wm-analyze --accesses --by function --csv "$run" |
	cut -d, -f1,3,4 | sed -n '1p; /^fill/p')" "function,loads,stores
fill,0,3150"
like "--by of something else" "$(wm-analyze --accesses --by sites "$run" 2>&1)" \
	"not variable, member, function or line"
like "all ranks" "$(wm-analyze --accesses --rank all "$run" 2>&1)" \
	"--accesses is about one rank"

mkdir plain
WM_DIR=plain ./known.wm >/dev/null
like "a run without" "$(wm-analyze --accesses plain/*)" \
	"There are no loads and stores in the trace"
is "JSON of it" "$(json "j['accesses']" --accesses plain/*)" None

# names that the program gives
cat >named.c <<'E2'
#include <stdlib.h>
#include <wm/wmtrace.h>
__attribute__((noinline)) static void fill(volatile long *p, long n)
{
	for (long i = 0; i < n; i++)
		p[i] = i;
}
int main(void)
{
	void *p = malloc(800), *q;

	fill(p, 10);
	wm_name(p, "matrix");
	fill(p, 20);
	p = realloc(p, 80000);
	fill(p, 30);
	wm_name(p, "other");
	fill(p, 40);
	wm_name(p, NULL);
	fill(p, 50);
	free(p);
	wm_name_next("soon");
	q = malloc(80000);
	fill(q, 60);
	free(q);
	q = malloc(80000);
	fill(q, 70);
	free(q);
	return 0;
}
E2
mkdir names
ok "a program with names" wmcc -g -O1 $(wm-config --cflags) -static -o named named.c
WM_DIR=names ./named.wma
is "accesses by names of blocks" "$(json "sorted((r['stores'], r['variable'],
	r['variable_line'], r['blocks']) for r in j['accesses']['variables'])" \
	--accesses names/*)" "[(10, 'main::p', 10, 1), (20, 'matrix', 10, 1), \
(30, 'matrix', 15, 1), (40, 'other', 15, 1), (50, 'main::p', 15, 1), \
(60, 'soon', 23, 1), (70, 'main::q', 26, 1)]"

# a damaged block: what is before it, and that it is
trace=$run/rank-000000.wmt.xz
cp -r "$run" cut.wm
size=$(stat -c %s "$trace")
head -c $((size - 400)) "$trace" >cut.wm/rank-000000.wmt.xz
is "a trace that is cut" "$(status wm-analyze --accesses cut.wm)" 4

# clang has no hooks for long double; what its link-time optimization removes from
# the plain program has its own name.
if command -v clang >/dev/null; then
	echo 'volatile long double x; int main(void) { x = x * 2 + 1; return 0; }' >long.c
	ok "clang, long double" env WM_CC=clang WMCC_ACCESS=1 wmcc -g -O1 -o long long.c
	WM_DIR=long.runs ./long.wma
	like "none is seen, which the report explains" \
		"$(wm-analyze --accesses long.runs/* | tr '\n' '|')" \
		"no load or store with a hook ran .*accesses to long double are not recorded: clang has no hooks"
else
	skip "clang, long double" "no clang"
	skip "none is seen, which the report explains" "no clang"
fi
if command -v clang >/dev/null && command -v ld.lld >/dev/null; then
	printf '%s\n' '#include <stdatomic.h>' '_Atomic long gone; volatile long stays;' \
		'int main(void) {' '	for (int i = 0; i < 500; i++) {' \
		'		(void)atomic_load(&gone);' '		stays = i;' '	}' \
		'	return 0;' '}' >gone.c
	ok "clang, link-time optimization" env WM_CC=clang WMCC_ACCESS=1 wmcc -g -O2 \
		-flto -static -fuse-ld=lld -o gone gone.c
	is "a variable that app has not" "$(nm gone | grep -c ' gone$')" 0
	WM_DIR=gone.runs ./gone.wma
	is "has its own name" \
		"$(json '{v["variable"]: v["loads"] + v["stores"] for v in j["accesses"]["variables"]}' --accesses gone.runs/*)" \
		"{'gone': 500, 'stays': 500}"
else
	for t in "clang, link-time optimization" "a variable that app has not" "has its own name"; do
		skip "$t" "no clang or no lld"
	done
fi
done_testing
