# SPDX-License-Identifier: Apache-2.0
# --reuse: sweeps over N lines have the distance N, by variable and function.
. "$(dirname "$0")/../lib.sh" analyze-lib
export WM_CC=gcc WMCC_ACCESS=1 WM_ACCESS_CACHE=$W/cache

ok "compiles" wmcc -g -O0 -static -o sweep "$progs/access/sweep.c"
ok "runs" env WM_DIR=run ./sweep.wma
reuse() { # VARIABLE EXPRESSION ARGUMENT...: of its row, r
	local name=$1 e=$2
	shift 2
	json "[$e for r in j['reuse']['variables'] if r['name'] == '$name'][0]" \
		--reuse "$@" run/*
}
# 10 sweeps: 8 doubles of a line, the first of which comes after N lines
bins='sorted((k, n) for k, n in enumerate(r["distances"]) if n)'
is "512 lines: the distance is 512" "$(reuse fits "$bins")" \
	"[(0, $((10 * 512 * 7))), (9, $((9 * 512)))]"
is "all of them are new once" "$(reuse fits 'r["first_touches"]')" 512
is "513 lines: one more, the next bin" "$(reuse more "$bins")" \
	"[(0, $((10 * 513 * 7))), (10, $((9 * 513)))]"
is "a block: filled once, then 1025 more lines come between" \
	"$(reuse main::block "$bins")" \
	"[(0, $((11 * 2048 * 7))), (11, $((9 * 2048))), (12, 2048)]"
is "lines of 128 bytes: half as many" "$(reuse fits "$bins" --line 128)" \
	"[(0, $((10 * 512 * 7 + 10 * 256))), (8, $((9 * 256)))]"
is "all functions' lines are those of all variables" "$(json '
sum(r["touches"] for r in j["reuse"]["functions"]) ==
sum(r["touches"] for r in j["reuse"]["variables"]) ==
sum(r["touches"] for r in j["reuse"]["lines"]) == j["reuse"]["touches"]' \
	--reuse run/*)" True
is "misses of a cache are what does not fit" "$(json '
[(c["distance"], c["misses"]) for c in j["reuse"]["curve"]
	if c["distance"] in (512, 1024)] ==
[(512, j["reuse"]["first_touches"] + 9 * 513 + 10 * 2048),
 (1024, j["reuse"]["first_touches"] + 10 * 2048)]' --reuse run/*)" True
like "text: the curve" "$(wm-analyze -q --reuse run/*)" \
	"512 +32.0 KiB +4,608 "
like "by variable" "$(wm-analyze -q --reuse run/*)" "fits  sweep.c:1[0-9]"
is "CSV: the curve" "$(wm-analyze -q --reuse --csv run/* | head -1)" \
	"distance,cache_bytes,touches,percent,misses,miss_percent"
is "a line that is none" "$(wm-analyze --reuse --line 100 run/* 2>&1)" \
	"wm-analyze: --line 100: not a power of two from 8 to 4096 bytes"
is "--rank all" "$(wm-analyze --reuse --rank all run/* 2>&1)" \
	"wm-analyze: --reuse is about one rank: add --rank N, max or min"
done_testing
