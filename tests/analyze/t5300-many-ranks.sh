# SPDX-License-Identifier: Apache-2.0
# Many ranks: what wmt-job knows by formula is what wm-analyze says, and
# memory does not grow with their number.
. "$(dirname "$0")/../lib.sh" analyze-lib python3
job=$BUILD/test/tools/wmt-job
[ -x "$job" ] || skip_all "wmt-job is missing: make unit-tests"

cat >compare.py <<'X'
# compare.py ANSWERS REPORT: what differs
import json, sys
w, j = (json.load(open(f)) for f in sys.argv[1:])
def same(what, got, want):
    if got != want:
        print(f"{what}: {got}, not {want}")
same("ranks", j["run"]["ranks"], w["ranks"])
same("nodes", j["run"]["nodes"], w["nodes"])
same("complete", j["run"]["complete"], True)
peak = j["heap"]["peak"]
same("worst rank", peak["max_rank"], w["max_rank"])
same("its peak", peak["max"], w["max_bytes"])
same("best rank", peak["min_rank"], w["min_rank"])
same("its peak", peak["min"], w["min_bytes"])
same("mean", abs(peak["mean"] - w["sum_bytes"] / w["ranks"]) < 0.001, True)
each = j["ranks"]
same("peaks", [r["peak_bytes"] for r in each], w["peaks"])
same("events", j["events"]["total"], w["events"])
same("never freed", sum(r["unfreed_bytes"] for r in each), w["end_bytes"])
same("functions", {f["name"]: f["bytes"] for f in j["functions"]},
     w["functions"])
if "imbalance" in j:
    nodes = j["imbalance"]["nodes"]
    same("node peaks", [n["peak_bytes"] for n in nodes], w["node_peaks"])
    same("exact", {n["exact"] for n in nodes}, {True})
X

"$job" a.1.wm --ranks 512 --events 4000 >a.json || echo "# no run a"
ok "512 ranks are read" sh -c "wm-analyze --json a.1.wm >a.out"
is_silent "512 ranks: all answers are the known ones" \
	python3 compare.py a.json a.out
wm-analyze --json --imbalance a.1.wm >i.out
is_silent "512 ranks: so are the peaks of nodes" \
	python3 compare.py a.json i.out
like "the report tells of nodes" "$(cat i.out)" '"sum_of_peaks"'
for n in 1 3; do
	wm-analyze --json -j$n a.1.wm >b.out
	ok "512 ranks: the same bytes with -j$n" cmp a.out b.out
done

"$job" c.1.wm --ranks 2100 --per-node 64 --events 0 --live 20 --paths 7 \
	>c.json || echo "# no run c"
is "2,100 ranks lie in three directories" "$(ls -d c.1.wm/ranks-* | wc -l)" 3
ok "2,100 ranks are read" sh -c "wm-analyze --json c.1.wm >c.out"
is_silent "2,100 ranks: all answers are the known ones" \
	python3 compare.py c.json c.out
wm-analyze -q --html c.html c.1.wm
ok "2,100 ranks: the data of the page have less than 512 KiB" test "$(sed -n \
	'/id="wm-data"/,/<.script>/p' c.html | wc -c)" -lt 524288
report=$(heap_of wm-analyze -q -j1 --imbalance c.1.wm)
page=$(heap_of wm-analyze -q -j1 --html c.html c.1.wm)
echo "# 2,100 ranks: --imbalance $report bytes, a page $page"
small "2,100 ranks: a page needs less than 8 KiB a rank more than --imbalance" \
	test $((page - report)) -lt $((2100 * 8192))

"$job" d.1.wm --ranks 64 --events 4000 >/dev/null
"$job" e.1.wm --ranks 64 --events 64000 >/dev/null
few=$(heap_of wm-analyze --functions -j1 d.1.wm)
many=$(heap_of wm-analyze --functions -j1 a.1.wm)
long=$(heap_of wm-analyze --functions -j1 e.1.wm)
two=$(heap_of wm-analyze --functions -j2 a.1.wm)
echo "# 64 ranks: $few bytes, 512 ranks: $many, 64 longer ones: $long;" \
	"512 ranks with -j2: $two"
small "eight times the ranks: less than 5 KiB more for each" \
	test $((many - few)) -lt $((448 * 5120))
small "sixteen times the events: less than 256 KiB more" \
	test $((long - few)) -lt 262144
small "a second thread needs less than 4 MiB more" \
	test $((two - many)) -lt 4194304
done_testing
