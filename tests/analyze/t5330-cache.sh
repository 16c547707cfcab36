# SPDX-License-Identifier: Apache-2.0
# --cache: misses of a triad, a stencil and a sparse matrix, against those of
# another simulator; levels of threads and of all; what is refused.
. "$(dirname "$0")/../lib.sh" analyze-lib
export WM_CC=gcc WMCC_ACCESS=1 WM_ACCESS_CACHE=$W/cache
shape=L1=32K/8/64,L2=1M/16

ok "compiles" wmcc -g -O0 -static -o kernels "$progs/access/kernels.c"
ok "runs" env WM_DIR=run ./kernels.wma

# ---- against cachegrind ----
# The hooks do not see what stays on the stack, nor what libc does: calloc,
# printf, start-up.  Both together miss little, but no bound of theirs is 0.
if command -v valgrind >/dev/null; then
	ok "the plain program in cachegrind" valgrind -q --tool=cachegrind \
		--cache-sim=yes --D1=32768,8,64 --LL=1048576,16,64 \
		--cachegrind-out-file=out ./kernels
	wm-analyze -q --json --cache $shape run/* >ours.json
	cat >compare.py <<'P'
import json, sys
levels = json.load(open("ours.json"))["cache"]["levels"]
theirs = {}
for line in open("out"):
    if line.startswith("events:"):
        events = line.split()[1:]
    if line.startswith("summary:"):
        theirs = dict(zip(events, map(int, line.split()[1:])))
for level, key, name in ((0, "load_misses", "D1mr"), (0, "store_misses", "D1mw"),
                         (1, "load_misses", "DLmr"), (1, "store_misses", "DLmw")):
    ours, other = levels[level][key], theirs[name]
    print(name, ours, other, "good" if abs(ours - other) <= 0.015 * other + 600
          else "differs")
P
	python3 compare.py >compared
	sed 's/^/# /' compared
	is "misses are the same within 1.5 % and 600" "$(grep -c good compared)" 4
else
	skip "against cachegrind" "valgrind is missing"
fi

# ---- what must come out ----
of() { # LIST NAME EXPRESSION SHAPE
	json "[$3 for r in j['cache']['$1'] if r['name'] == '$2'][0]" \
		--cache "$4" run/*
}
# 3 sweeps over arrays of 4096 lines each, eight loads a line
is "a sweep misses once a line" "$(of variables c \
	'(r["loads"], r["l1_load_misses"] in range(12288, 12292))' $shape)" \
	"(98304, True)"
is "a large cache has each line once" "$(of variables b \
	'r["l1_load_misses"] in (4096, 4097)' L1=64M/16)" True
is "larger lines: half as many" "$(of variables b \
	'r["l1_load_misses"] in (2048, 2049)' L1=64M/16/128)" True
is "variables, functions, lines and levels agree" "$(json '
[[sum(r[k] for r in j["cache"][l]) for k in ("loads", "l1_load_misses",
	"l2_store_misses")] for l in ("variables", "functions", "lines")] ==
[[j["cache"]["levels"][0]["loads"], j["cache"]["levels"][0]["load_misses"],
	j["cache"]["levels"][1]["store_misses"]]] * 3' --cache $shape run/*)" True
like "text" "$(wm-analyze -q --cache $shape run/*)" "L1 +32.0 KiB +8 +64 +2,6"
like "by function" "$(wm-analyze -q --cache $shape run/*)" \
	"[0-9] %.* multiply"
is "CSV" "$(wm-analyze -q --cache $shape --csv run/* | head -1)" \
	"name,file,line,kind,loads,stores,l1_load_misses,l1_store_misses,\
l2_load_misses,l2_store_misses,l3_load_misses,l3_store_misses,l4_load_misses,\
l4_store_misses"

# ---- threads: the last level is one for all ----
ok "threads compile" wmcc -g -O0 -static -pthread -o counters \
	"$progs/access/counters.c"
rm -rf run
ok "threads run" env WM_DIR=run ./counters.wma
# 80,000 bytes, filled in by one thread, loaded by four
is "what main filled in misses in each thread, and not in the last level" \
	"$(of functions count '(r["l1_load_misses"] >= 4 * 1250,
	r["l2_load_misses"] >= 4 * 1250, r["l3_load_misses"] <= 4)' \
		L1=32K/8,L2=1M/16,L3=32M/16)" \
	"(True, True, True)"

# ---- refused ----
refused() { # SHAPE TEXT
	is "$1 is refused" "$(wm-analyze --cache "$1" run/* 2>&1)" \
		"wm-analyze: --cache $1: $2"
}
write="; write L1=32K/8/64,L2=1M/16,L3=32M/16 (size/ways/bytes of a line)"
refused 32K/8 "level 1 does not begin with L1=$write"
refused L1=32K/8,L3=1M/8 "level 2 does not begin with L2=$write"
refused L1=32K/7 "L1: its size is not a multiple of ways times line$write"
run app.1.wm <<'E'
program app
elf app
id 1
host n1
rank 0 of 1
t 1000 malloc 0x1000 3000 main
end
E
is "a run without loads and stores" \
	"$(wm-analyze -q --cache $shape app.1.wm | tail -1)" \
	"  There are no loads and stores in the trace: WMCC_ACCESS=1 makes app.wma, \
which records them."
done_testing
