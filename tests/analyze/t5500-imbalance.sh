# SPDX-License-Identifier: Apache-2.0
# --imbalance on runs small enough to count by hand: spread over ranks, what a
# node holds at once, clocks, ends, what is missing, the heat map.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

# node PYTHON RUN...: a value of the first node, n; of the report, i
node() {
	local e=$1
	shift
	json "(lambda i: (lambda n: ($e))(i['nodes'][0]))(j['imbalance'])" \
		--imbalance "$@"
}
peak='n["peak_bytes"], round(n["peak_time_s"] * 1e9), n["sum_of_peaks"]'

# Two nodes.  On alpha the ranks peak one after the other.
run app.7.wm <<'E'
program app
id 7
elf app.wm
host alpha
rank 0 of 4
t 1001000 malloc 0x1000 1000 main<setup
t 1002000 malloc 0x2000 5000 main<big
t 1003000 free 0x2000
t 1012800 free 0x1000
end
rank 1 of 4
t 1001500 malloc 0x1000 1000 main<setup
t 1004000 malloc 0x2000 4000 main<big
t 1005000 free 0x2000
t 1012800 free 0x1000
end
host beta
rank 2 of 4
t 1001000 malloc 0x1000 100 main<setup
t 1004000 malloc 0x2000 4000 main<other
t 1012800 free 0x1000
end
rank 3 of 4
t 1001000 malloc 0x1000 100 main<setup
t 1012800 free 0x1000
end
E
is "a whole run" "$(status wm-analyze --imbalance app.7.wm)" 0
is "nodes, ranks, peaks at once, when, and sums of peaks" \
	"$(json '[(n["node"], n["ranks"], n["exact"], n["lower_bound"],
	n["peak_bytes"], n["low_bytes"], n["high_bytes"],
	round(n["peak_time_s"] * 1e9), n["sum_of_peaks"])
	for n in j["imbalance"]["nodes"]]' --imbalance app.7.wm)" \
	"[('alpha', 2, True, False, 7000, 7000, 7000, 2000, 11000), \
('beta', 2, True, False, 4200, 4200, 4200, 4000, 4200)]"
is "each rank's part" \
	"$(json '[(r["node"], r["at_node_peak_bytes"]) for r in j["ranks"]]' \
	--imbalance app.7.wm)" \
	"[('alpha', 6000), ('alpha', 1000), ('beta', 4100), ('beta', 100)]"
# Where few files may be open, some ranks are read after the others.
for ((i = 0; i < 60; i++)); do
	echo "rank $i of 60
t 1001000 malloc 0x1000 1000 main<setup
t 1012800 free 0x1000
end"
done | run few.7.wm
few() { # OPEN-FILES
	(ulimit -n "$1"
	wm-analyze -q --imbalance --json few.7.wm >few.json
	echo "$?, $(python3 -c 'import json
print([(n["ranks"], n["sum_of_peaks"])
	for n in json.load(open("few.json"))["imbalance"]["nodes"]])')")
}
for files in 16 47 48 49 1024; do
	is "at most $files open files: all ranks count" "$(few $files)" \
		"0, [(60, 60000)]"
done
is "over ranks" \
	"$(node '[j["heap"]["peak"][k] for k in ("min", "max", "mean")],
	i["percentiles"]' app.7.wm)" \
	"([100, 6000, 3800.0], {'5': 100, '25': 100, '50': 4100, '75': 5000, \
'95': 6000})"
is "why the worst rank is the worst" \
	"$(node 'i["worst"]["rank"], [(s["name"], s["bytes"], s["mean_bytes"],
	s["difference"]) for s in i["worst"]["sites"]]' app.7.wm)" \
	"(0, [('big', 5000, 2250, 2750), ('other', 0, 1000, -1000), \
('setup', 1000, 550, 450)])"
is "why the best rank is the best" \
	"$(node 'i["best"]["rank"], [(s["name"], s["bytes"], s["mean_bytes"],
	s["difference"]) for s in i["best"]["sites"]]' app.7.wm)" \
	"(3, [('big', 0, 2250, -2250), ('other', 0, 1000, -1000), \
('setup', 100, 550, -450)])"
unlike "what it lacks is no reason why it needs most" \
	"$(wm-analyze -q --imbalance app.7.wm | sed -n '/needs most/,/^$/p')" other
is "why the rank of --rank is as it is" "$(json '(lambda c: (c["rank"],
	[(s["name"], s["difference"]) for s in c["sites"]]))(
	j["imbalance"]["chosen"])' --imbalance --rank 3 app.7.wm)" \
	"(3, [('big', -2250), ('other', -1000), ('setup', -450)])"
like "so in text" "$(wm-analyze -q --imbalance --rank 3 app.7.wm)" \
	'^rank 3: its sites beside their mean$'
like "and that the ranks peak at different moments" \
	"$(wm-analyze -q --imbalance --rank 3 app.7.wm)" \
	'^  These peaks lie between 1\.000 us and 4\.000 us; other sites may hold memory at each of them\.$'
like "rows and the rest are the difference" "$(COLUMNS=80 wm-analyze -q \
	--imbalance app.7.wm | sed -n '/needs most/,/needs least/p')" \
	'^  1 other has: 1000 bytes less$'
# All ranks do the same in phase solve, but rank 3 has a mesh that is 300 larger;
# rank 0 has its peak in phase output, where the temporary of solve is gone.
for r in 0 1 2 3; do
	echo "rank $r of 4
t 1001000 malloc 0x1000 $((1000 + (r == 3 ? 300 : 0))) main<mesh
t 1002000 phase solve
t $((1003000 + 100 * r)) malloc 0x2000 5000 main<temporary
t $((1003500 + 100 * r)) free 0x2000
t 1004000 phase output
t 1005000 malloc 0x3000 $((r ? 10 : 5100)) main<buffer
t 1006000 free 0x3000
end"
done | sed '1i program app\nelf same.wm\nid 7' | run same.7.wm
same() {
	json "(lambda w: (w['rank'], w['phase'], w['mean_ranks'],
		w['bytes'] - w['mean_bytes'], [(s['name'], s['difference'])
		for s in w['sites'] if s['difference']]))($1)" "${@:2}" same.7.wm
}
is "sites are compared in the phase of the peak" \
	"$(same 'j["imbalance"]["worst"]' --imbalance)" \
	"(3, 'solve', 4, 225, [('mesh', 225)])"
is "of each rank in its own" "$(same 'j["imbalance"]["chosen"]' --imbalance \
	--rank 0)" "(0, 'output', 4, 3742, [('buffer', 3817), ('mesh', -75)])"
like "text: which" "$(wm-analyze -q --imbalance same.7.wm)" \
	"^  225 bytes more than the mean of 4 ranks in phase 'solve', each at its highest moment there\$"
unlike "text: no site that all have" "$(wm-analyze -q --imbalance same.7.wm |
	sed -n '/needs most/,/needs least/p')" 'temporary|buffer'
for n in 1 4; do
	ok "with $n threads" \
		sh -c "wm-analyze --imbalance --json -j $n app.7.wm >$n.json"
done
ok "the same for any number of threads" \
	sh -c "test -s 1.json && cmp 1.json 4.json"
is "what every report tells is what the summary tells" \
	"$(json 'j["heap"]' --imbalance app.7.wm)" "$(json 'j["heap"]' app.7.wm)"

# 12,800 ns in 128 bins of 100 ns
is "heat map: bins and rows" \
	"$(node 'i["heatmap"]["bin_s"], i["heatmap"]["axis"],
	[(r["rank"], len(r["max_bytes"]), max(r["max_bytes"]))
	for r in i["heatmap"]["rows"]]' app.7.wm)" \
	"(1e-07, 'real time', [(0, 128, 6000), (1, 128, 5000), (2, 128, 4100), \
(3, 128, 100)])"
is "heat map: before, at, and after the peak of rank 0" \
	"$(node '[i["heatmap"]["rows"][0]["max_bytes"][k]
	for k in (5, 15, 25, 35, 100)]' app.7.wm)" "[0, 1000, 6000, 1000, 1000]"

text=$(wm-analyze --imbalance app.7.wm)
like "text: highest" "$text" 'highest +5\.9 KiB +6,000  rank 0 at 2\.000 us on alpha'
like "text: percentiles" "$text" '75 % +4\.9 KiB +5,000'
like "text: the highest beside the mean" "$text" '1\.58 times that'
like "text: sites" "$text" '\+2\.7 KiB +4\.9 KiB +2\.2 KiB +big'
like "text: nodes" "$text" 'alpha +2 +6\.8 KiB +2\.000 us +10\.7 KiB'
like "text: the heaviest node first" "$(printf '%s' "$text" |
	grep -A1 'sum of peaks')" 'alpha'
like "text: parts" "$text" 'alpha at 2\.000 us: rank 0 5\.9 KiB, rank 1 1000'
wm-analyze --imbalance --csv app.7.wm >t.csv
is "CSV: a row for each rank" "$(python3 -c '
import csv
r = list(csv.DictReader(open("t.csv")))
print([[x[k] for k in ("rank", "node", "peak_bytes", "at_node_peak_bytes",
      "node_peak_bytes", "at_0.000005500_s")] for x in r],
      len([k for k in r[0] if k[:5] == "at_0."]))')" \
	"[['0', 'alpha', '6000', '6000', '7000', '1000'], \
['1', 'alpha', '5000', '1000', '7000', '1000'], \
['2', 'beta', '4100', '4100', '4200', '4100'], \
['3', 'beta', '100', '100', '4200', '100']] 128"

ok "a picture" wm-analyze --imbalance --svg h.svg --quiet app.7.wm
is "a rectangle for each colour of a rank, and a legend" "$(python3 -c '
import xml.dom.minidom as m
d = m.parse("h.svg").getElementsByTagName("rect")
rows = {}
for e in d:
    if e.getAttribute("class") and e.getAttribute("width") != "16":
        x, y, w = (float(e.getAttribute(k)) for k in ("x", "y", "width"))
        rows.setdefault(y, []).append((x, x + w))
print(sum(map(len, rows.values())), *[round(max(r)[1] - min(r)[0])
      for r in rows.values()], sum(1 for e in d
      if e.getAttribute("width") == "16"))')" "13 720 720 720 720 32"
# Half a pixel below the next cell, in both directions: pixels do not end where
# cells do, and the background would show between them.
is "cells of the picture leave no seam" "$(python3 -c '
import xml.dom.minidom as m
cells = [[float(e.getAttribute(k)) for k in ("x", "y", "width", "height")]
         for e in m.parse("h.svg").getElementsByTagName("rect")
         if e.getAttribute("class") and e.getAttribute("width") != "16"]
pairs = seams = 0
for x, y, w, h in cells:
    for x2, y2, w2, h2 in cells:
        if y2 == y and x < x2 < x + w + 1 or \
           y < y2 < y + h + 1 and x2 < x + w and x < x2 + w2:
            pairs += 1
            seams += (x + w < x2 + 0.5) if y2 == y else (y + h < y2 + 0.5)
print(pairs > 10, seams)')" "True 0"
is "the picture alone on stdout" \
	"$(wm-analyze --imbalance --svg - app.7.wm | grep -c '^<svg\|^app')" 1

wm-analyze --repack --output re app.7.wm >/dev/null 2>&1
is "a repacked run says the same" \
	"$(json 'j["imbalance"]' --imbalance re/app.7.wm)" \
	"$(json 'j["imbalance"]' --imbalance app.7.wm)"

# The same boot is the same node, whatever the host is called; without a boot
# id the host decides, and the real time is the clock.
run same.1.wm <<'E'
boot B
host a
rank 0 of 3
t 1001000 malloc 0x1000 100 main<f
t 1004000 free 0x1000
end
host b
mono 5000002000
rank 1 of 3
t 1001000 malloc 0x1000 10 main<f
t 1004000 free 0x1000
end
boot C
host a
rank 2 of 3
t 1001000 malloc 0x1000 1 main<f
end
E
is "one boot, two hosts, clocks that differ" "$(node "n['ranks'], $peak, \
[r['start_s'] for r in j['ranks']]" same.1.wm)" \
	"(2, 110, 3000, 110, [0.0, 2e-06, 2e-06])"
sed 's/^boot .*/boot -/' >host.txt <<'E'
boot B
host a
real 0
mono 9000
rank 0 of 2
t 1001000 malloc 0x1000 100 main<f
t 1004000 free 0x1000
end
mono 5000
real 6000
rank 1 of 2
t 1001000 malloc 0x1000 10 main<f
t 1004000 free 0x1000
end
E
run host.1.wm <host.txt
is "no boot, one host: real time" "$(node "n['ranks'], $peak" host.1.wm)" \
	"(2, 110, 3000, 110)"
sed 's/^boot .*/boot B/' host.txt >boot.txt
run boot.1.wm <boot.txt
is "the same with a boot: its own clock" "$(node "n['ranks'], $peak" \
	boot.1.wm)" "(2, 100, 5000, 110)"

# Clocks of nodes that are not believed: an hour apart.
run apart.1.wm <<'E'
host a
rank 0 of 2
t 1001000 malloc 0x1000 100 main<f
end
host b
real 1700003600000000000
rank 1 of 2
t 1001000 malloc 0x1000 10 main<f
end
E
is "clocks too far apart" "$(node 'i["heatmap"]["axis"],
	[r["start_s"] for r in j["ranks"]]' apart.1.wm)" \
	"('own start', [0.0, 0.0])"
like "that is said" "$(wm-analyze --imbalance apart.1.wm)" 'differ too much'

# realloc never holds both blocks.
run re.1.wm <<'E'
rank 0 of 2
t 1001000 malloc 0x1000 1000 main<f
t 1003000 realloc 0x1000 0x2000 1500 main<f
t 1009000 free 0x2000
end
rank 1 of 2
t 1003000 malloc 0x1000 10 main<f
end
E
is "realloc is one change" "$(node "$peak" re.1.wm)" "(1510, 3000, 1510)"

# At the same time the lower rank comes first.
swap() {
	cat <<E
rank $1 of 2
t 1001000 malloc 0x1000 100 main<f
t 1003000 free 0x1000
t 1009000 malloc 0x1000 1 main<f
end
rank $2 of 2
t 1003000 malloc 0x1000 100 main<f
t 1005000 free 0x1000
t 1009000 malloc 0x1000 1 main<f
end
E
}
swap 0 1 | run swap01.1.wm
swap 1 0 | run swap10.1.wm
is "a release of rank 0 comes before a gain of rank 1" \
	"$(node "$peak" swap01.1.wm)" "(100, 1000, 200)"
is "and a gain of rank 0 before a release of rank 1" \
	"$(node "$peak" swap10.1.wm)" "(200, 3000, 200)"

# The memory of a rank ends with the rank; without end it stays.
ending() {
	cat <<E
rank 0 of 2
t 1001000 malloc 0x1000 100 main<f
t 1002000 malloc 0x2000 0 main<f
${1-}
rank 1 of 2
t 1006000 malloc 0x1000 70 main<f
end
E
}
ending end | run end.1.wm
ending | run killed.1.wm
is "after its end a rank holds nothing" "$(node "$peak" end.1.wm)" \
	"(100, 1000, 170)"
is "without end it holds what it held" "$(node "$peak" killed.1.wm)" \
	"(170, 6000, 170)"
is "then the answer is partial" "$(status wm-analyze --imbalance killed.1.wm)" 4
is "and a lower bound" "$(node 'n["lower_bound"]' killed.1.wm)" True
like "that is said" "$(wm-analyze --imbalance killed.1.wm 2>&1)" \
	'1 node may need more'

# A rank without trace.
grep -v '^#' >missing.txt <<'E'
rank 1 of 2
t 1001000 malloc 0x1000 1000 main<f
end
E
run missing.1.wm <missing.txt
is "a missing rank: partial" "$(status wm-analyze --imbalance missing.1.wm)" 4
is "a missing rank: lower bound, and nobody knows whether it fits" \
	"$(node 'n["lower_bound"], n["peak_bytes"], n["fits"]' \
	--node-memory 1G missing.1.wm)" "(True, 1000, None)"
is "what is there may be too much already" \
	"$(node 'n["fits"]' --node-memory 999 missing.1.wm)" False

# A clock that jumps back.
run jump.1.wm <<'E'
rank 0 of 2
t 1001000 malloc 0x1000 100 main<f
t 1500000 malloc 0x2000 200 main<f
block
t 1002000 malloc 0x3000 300 main<f
t 1003000 free 0x2000
block
t 1600000 free 0x3000
end
rank 1 of 2
t 1400000 malloc 0x1000 1000 main<f
t 1450000 free 0x1000
t 1500000 malloc 0x1000 1 main<f
end
E
is "a clock that goes back counts as the latest time" \
	"$(node "$peak" jump.1.wm)" "(1100, 400000, 1600)"
like "it is said" "$(wm-analyze --imbalance jump.1.wm 2>&1)" \
	'clock of 1 rank goes back, that of rank 0 2 times, by 0\.000498 s'

# A damaged block ends what counts of its rank, and what was read of it before
# the damage was found does not count twice.
for name in bad cut; do
	run $name.1.wm <<'E'
rank 0 of 2
t 1001000 malloc 0x1000 100 main<f
block
t 1002000 free 0x1000
t 1003000 malloc 0x4000 5000 main<f
block
t 1004000 malloc 0x3000 7000 main<f
end
rank 1 of 2
t 1001000 malloc 0x1000 10 main<f
t 1003000 malloc 0x2000 20 main<f
end
E
done
python3 - <<'E'
# the third Stream: its last bytes of data, or everything from it on
data = open("bad.1.wm/rank-000000.wmt.xz", "rb").read()
magic = b"\xfd7zXZ\0"
at = [i for i in range(len(data)) if data.startswith(magic, i)]
end = at[3]
i = data.rindex(bytes([5000 & 127 | 128, 5000 >> 7]), at[2], end)
open("bad.1.wm/rank-000000.wmt.xz", "wb").write(
    data[:i] + b"\x01" + data[i + 1:])
open("cut.1.wm/rank-000000.wmt.xz", "wb").write(data[:at[2]])
E
is "a damaged block: partial" "$(status wm-analyze --imbalance bad.1.wm)" 4
like "it is named" "$(wm-analyze --imbalance bad.1.wm 2>&1)" 'rank 0: .*block 2'
is "as if the file ended there" \
	"$(json 'j["imbalance"]["nodes"]' --imbalance bad.1.wm)" \
	"$(json 'j["imbalance"]["nodes"]' --imbalance cut.1.wm)"
is "which is" "$(node "$peak" cut.1.wm)" "(130, 3000, 130)"

# Does it fit?  With static memory.
if command -v gcc >/dev/null; then
	echo 'char big[100000]; int main(void) { return big[5]; }' >app.c
	gcc -O0 -o app -Wl,--build-id=0x0badcafe app.c
	cp app app.wm
	"$BUILD/test/tools/census-embed" app app.wm
	fixed=$((0x$(readelf -SW app | sed 's/^ *\[ *[0-9]*\]//' | awk '
		$1 == ".data" || $1 == ".bss" || $1 == ".tdata" ||
		$1 == ".tbss" { print "0x" $5 }' | python3 -c '
import sys
print("%x" % sum(int(x, 16) for x in sys.stdin))')))
	run fit.1.wm <<E
exe $PWD/app.wm
build-id 0badcafe
rank 0 of 2
t 1001000 malloc 0x1000 500000 -
t 1002000 free 0x1000
end
rank 1 of 2
t 1001000 malloc 0x1000 500000 -
t 1002000 free 0x1000
end
E
	is "static memory of each rank" \
		"$(node 'n["static_bytes"], n["total_bytes"],
		n["unknown_static_ranks"]' fit.1.wm)" \
		"($((2 * fixed)), $((1000000 + 2 * fixed)), 0)"
	is "fits" "$(node 'i["node_memory_bytes"], n["fits"]' --node-memory 1G \
		fit.1.wm)" "(1073741824, True)"
	need=$(node 'n["need_bytes"]' fit.1.wm)
	most=$(node 'n["ask_bytes"]' fit.1.wm)
	is "10 % more are asked for" "$most" $((need + need / 100 * 10))
	is "to the byte" "$(for n in $most $((most - 1)) $need $((need - 1)); do
		node 'n["fits"]' --node-memory $n fit.1.wm; done |
		tr '\n' ' ')" "True None None False "
	is "the same as the number of ranks" "$(for n in $most $((most - 1)); do
		json 'j["imbalance"]["fit"]["ranks"]' --imbalance \
			--node-memory $n fit.1.wm; done | tr '\n' ' ')" "2 1 "
	like "fits, in words" "$(wm-analyze --imbalance --node-memory 1G \
		fit.1.wm)" ' [0-9.]+ [KM]iB  fits: [0-9]+ % of 1\.0 GiB$'
	like "does not fit, in words" "$(wm-analyze --imbalance --node-memory \
		1000K fit.1.wm)" 'does not fit: needs [0-9.]+x of 1000\.0 KiB'
else
	skip "gcc is missing" 5
fi
is "a bad size is refused" \
	"$(status wm-analyze --imbalance --node-memory much app.7.wm)" 2
is "--node-memory is for this report" \
	"$(status wm-analyze --node-memory 1G app.7.wm)" 2
is "and for the page" "$(wm-analyze -q --html - --node-memory 1G app.7.wm |
	"$SRC/tests/tools/page-data" | jq .imbalance.node_memory_bytes)" \
	1073741824
is "which refuses a bad size, too" \
	"$(status wm-analyze --html - --node-memory much app.7.wm)" 2

# More ranks than are read side by side; and rows of the picture are groups.
for r in $(seq 0 599); do
	echo "rank $r of 600"
	echo "t $((1001000 + r)) malloc 0x1000 100 main<f"
	echo "t $((1002000 + r)) free 0x1000"
	echo end
done | run many.1.wm
is "600 ranks on a node: bounds" \
	"$(node 'n["exact"], n["ranks"], n["peak_bytes"], n["low_bytes"],
	n["high_bytes"], j["ranks"][0]["at_node_peak_bytes"]' many.1.wm)" \
	"(False, 600, None, 51200, 60000, None)"
like "bounds in words" "$(wm-analyze --imbalance many.1.wm)" \
	'peak is between 50\.0 KiB and 58\.6 KiB'
wm-analyze --imbalance --svg many.svg --quiet many.1.wm >many.out
like "the legend says so" "$(cat many.svg)" 'a row: the highest of 3 ranks'

# Working sets beside peaks: of alpha both ranks know, of beta one.
pages() { # RANK PAGES...: the epochs of a rank
	local e=0 p
	echo "rank $1 of 4"
	echo "t 1000100 malloc 0x10000000 $((40960 * ($1 + 1))) main<field"
	shift
	for p; do
		e=$((e + 1))
		echo "epoch ${e}0000000 ${e}000000 0x10000-0x$(printf %x $((0xffff + p))) - 9 9"
	done
	[ $e = 0 ] || echo pages
	echo end
}
{
	printf 'elf app\nclock mono\nhost alpha\n'
	pages 0 3 5 2
	pages 1 1 2
	echo "host beta"
	pages 2 9
	pages 3
} | run sets.7.wm
is "working sets of ranks" "$(json 'list(j["imbalance"]["working_sets"].values())' --imbalance sets.7.wm)" \
	"[3, 36864, 2, 8192, 1, 21845.333]"
is "working sets of nodes: what all their ranks know" \
	"$(json '[n["working_set_bytes"] for n in j["imbalance"]["nodes"]]' --imbalance sets.7.wm)" \
	"[28672, None]"
is "and for spreadsheets" "$(wm-analyze -q --imbalance --csv sets.7.wm |
	python3 -c 'import csv, sys
print(*(r["working_set_bytes"] or "-" for r in csv.DictReader(sys.stdin)))')" \
	"20480 8192 36864 -"
wm-analyze -q --imbalance --node-memory 1M sets.7.wm >text
like "in words, beside the peak" "$(cat text)" \
	"highest +36.0 KiB +36,864 +rank 2, of 120.0 KiB at its peak"
like "whose is not known" "$(cat text)" "not known for 1 rank:"
like "of nodes, beside the peak" "$(grep '^ *alpha' text)" "80.0 KiB +28.0 KiB"
is "a run without pages has none" "$(json 'j["imbalance"]["working_sets"]' --imbalance app.7.wm)$(wm-analyze -q --imbalance app.7.wm | grep -ci 'working')" \
	None0
{
	printf 'elf app\nclock mono\nrank 0 of 1\nt 1000100 malloc 0x10000000 40000 main\n'
	printf 'writes-alone\nepoch 10000000 9000000 0x10000 0x10000 1 1\npages\nend\n'
} | run alone.7.wm
is "nor has one that knows writes alone" "$(json 'j["imbalance"]["working_sets"]' --imbalance alone.7.wm)" None
done_testing
