# SPDX-License-Identifier: Apache-2.0
# Reports of what programs say of themselves, on runs small enough to count by
# hand.
. "$(dirname "$0")/../lib.sh" analyze-lib

run app.1.wm <<'X'
elf app.wm
build-id 0123456789abcdef
rank 0 of 2
t 1000000 malloc 0x1000 100 main<early
t 2000000 phase assembly
t 3000000 malloc 0x2000 1000 main<build
t 3000000 name 0x2000 A_matrix
t 4000000 malloc 0x3000 500 main<build
t 4000000 name 0x3008 vector
t 5000000 realloc 0x2000 0x8000 3000 main<grow
t 6000000 snapshot assembled
t 7000000 phase solve
t 8000000 free 0x3000
t 9000000 malloc 0x4000 10 main<solve
t 9000000 name 0x4000 A_matrix
t 9500000 snapshot -
t 10000000 phase assembly
t 11000000 free 0x8000
t 12000000 phase -
t 13000000 malloc 0x5000 7 main<late
t 13000000 name 0xdead0 nobody
end
rank 1 of 2
t 1000000 phase solve
t 2000000 malloc 0x1000 2000 main<solve
t 2000000 name 0x1000 A_matrix
t 3000000 phase -
end
X
is "whole" "$(status wm-analyze app.1.wm)" 0
is "phases" "$(json '[(p["name"], p["entered"], p["start_s"], p["seconds"],
	p["peak_bytes"], p["peak_time_s"], p["end_bytes"], p["allocations"],
	p["releases"]) for p in j["phases"]]')" \
	"[(None, 2, 0.0, 0.002, 117, 0.012, 117, 2, 0), \
('assembly', 2, 0.001, 0.007, 3600, 0.004, 110, 3, 2), \
('solve', 1, 0.006, 0.003, 3600, 0.006, 3110, 1, 1)]"
is "names: at the peak, highest, never freed" "$(json '[(n["name"], n["bytes"],
	n["blocks"], n["peak_bytes"], n["named_blocks"], n["unfreed_bytes"],
	n["unfreed_blocks"]) for n in j["names"]]')" \
	"[('A_matrix', 3000, 1, 3010, 2, 10, 1), \
('vector', 500, 1, 500, 1, 0, 0)]"
is "functions know their names" \
	"$(json '[(f["name"], f["names"]) for f in j["functions"]]')" \
	"[('grow', ['A_matrix']), ('build', ['vector']), ('early', [])]"
is "leaks, too" "$(json '[(f["name"], f["names"]) for f in j["leaks"]]')" \
	"[('early', []), ('solve', ['A_matrix']), ('late', [])]"
is "snapshots" "$(json '[(s["name"], s["time_s"], s["phase"], s["bytes"],
	s["blocks"], [(f["name"], f["bytes"]) for f in s["functions"]],
	[(n["name"], n["bytes"]) for n in s["names"]])
	for s in j["snapshots"]]')" \
	"[('assembled', 0.005, 'assembly', 3600, 3, [('grow', 3000), \
('build', 500), ('early', 100)], [('A_matrix', 3000), ('vector', 500)]), \
(None, 0.0085, 'solve', 3110, 3, [('grow', 3000), ('early', 100), \
('solve', 10)], [('A_matrix', 3010)])]"
is "the phase of the peak" "$(json '[r["peak_phase"]
	for r in j["ranks"]]')" "['assembly', 'solve']"
is "another rank" "$(json '[(p["name"], p["peak_bytes"]) for p in j["phases"]]' \
	--rank 1)" "[(None, 2000), ('solve', 2000)]"
is "all ranks: phases" "$(json '[(p["name"], p["ranks"], p["entered"],
	p["start_s"], p["seconds"], p["peak_bytes"], p["end_bytes"],
	p["allocations"]) for p in j["phases"]]' --rank all)" \
	"[(None, 2, 4, 0.0, 0.002, 2000, 2117, 2), \
('solve', 2, 2, 0.0, 0.003, 3600, 5110, 2), \
('assembly', 1, 2, 0.001, 0.007, 3600, 110, 3)]"
is "all ranks: names" "$(json '[(n["name"], n["bytes"], n["blocks"],
	n["peak_bytes"]) for n in j["names"]]' --rank all)" \
	"[('A_matrix', 5000, 2, 3010), ('vector', 500, 1, 500)]"
is "all ranks: functions" "$(json '[(f["name"], f["names"])
	for f in j["functions"]]' --rank all)" "[('grow', ['A_matrix']), \
('solve', ['A_matrix']), ('build', ['vector']), ('early', [])]"
ok "all ranks" sh -c "wm-analyze --json --rank all -j 1 app.1.wm >one.json &&
	wm-analyze --json --rank all -j 4 app.1.wm >four.json"
ok "all ranks, any number of threads" cmp one.json four.json
is "what it says is no event" "$(json 'j["events"]["total"]')" 9
is "no pauses" "$(json 'j["paused"]')" \
	"{'ranks': 0, 'allocations': 0, 'releases': 0, 'seconds': 0.0}"

text=$(wm-analyze app.1.wm)
like "summary: phases" "$text" \
	'^  assembly +2 +1\.000 ms +7\.000 ms +3\.5 KiB +110 bytes$'
like "summary: outside" "$text" '^  \(in no phase\) +2 '
like "summary: names" "$text" '^ +2\.9 KiB +1 +2\.9 KiB +10 bytes  A_matrix$'
like "summary: snapshots" "$text" \
	"^  assembled .* 3\\.5 KiB +3 blocks  in phase 'assembly'\$"
like "summary: the phase of the peak" "$text" \
	"highest .* on node1 in phase 'assembly'\$"
has_no "summary: at most 100 columns" '.{101}' wm-analyze app.1.wm
text=$(wm-analyze --functions app.1.wm)
like "functions: the phase" "$text" "peak of rank 0 \\(.* in phase 'assembly'"
like "functions: the name" "$text" "2\\.9 KiB  1 block  'A_matrix'\$"
like "leaks: the name" "$(wm-analyze --leaks app.1.wm)" \
	"2\.0 KiB  2 blocks  'A_matrix'\$"
like "leaks: the name, of one rank" \
	"$(wm-analyze --leaks --rank 0 app.1.wm)" \
	"10 bytes  1 block  'A_matrix'\$"
text=$(wm-analyze --snapshots app.1.wm)
like "snapshots: heading" "$text" "^Snapshot 'assembled' at 5\\.000 ms in \
phase 'assembly': 3\\.5 KiB in 3 blocks\$"
like "snapshots: without a name" "$text" '^Snapshot at 8\.500 ms in phase'
like "snapshots: names" "$text" '^   named +2\.9 KiB +1  A_matrix$'
like "snapshots: functions" "$text" '^ +83\.3 % +2\.9 KiB +1  grow$'
like "timeline: phases" "$(wm-analyze --timeline app.1.wm | head -20)" \
	'###+ +assembly$'
# The highest bytes of a row may be of a phase that the row does not begin in.
is "timeline: a row names all phases that it has" \
	"$(wm-analyze --timeline --top 3 app.1.wm | sed -n 's/.*##* *//p')" \
	"assembly
assembly, solve
solve, assembly"
is "timeline: when" "$(json '[(p["name"], p["start_s"], p["end_s"])
	for p in j["timeline"][0]["phases"]]' --timeline)" \
	"[(None, 0.0, 0.001), ('assembly', 0.001, 0.006), \
('solve', 0.006, 0.009), ('assembly', 0.009, 0.011), (None, 0.011, 0.012)]"
ok "a picture" wm-analyze -q --timeline --svg t.svg app.1.wm
is "with names of phases, as XML" "$(python3 -c '
import xml.dom.minidom as m
print(sorted({t.firstChild.data for t in m.parse("t.svg")
	.getElementsByTagName("text") if t.getAttribute("class") == "s"}))')" \
	"['assembly', 'solve']"

# ---- names that come late, change, or are of something else ----
run late.1.wm <<'X'
elf app.wm
build-id 0123456789abcdef
rank 0 of 1
t 1000000 malloc 0x1000 100 main<f
t 2000000 malloc 0x2000 200 main<g
t 3000000 malloc 0x3000 300 main<h
t 4000000 free 0x3000
t 5000000 name 0x1000 first
t 5000000 name 0x2000 wrong
t 6000000 name 0x2000 right
t 7000000 malloc 0x4000 50 main<h
t 7000000 name 0x4000 new
t 8000000 name 0x4000 -
t 9000000 out 0x1000
t 9000000 failed 1000 main<f
t 9500000 out 0x2000
t 9500000 gone
end
X
is "a later name holds for an older peak" "$(json '[(n["name"], n["bytes"],
	n["blocks"], n["unfreed_bytes"]) for n in j["names"]]' late.1.wm)" \
	"[('right', 200, 1, 0), ('first', 100, 1, 100), ('wrong', 0, 0, 0), \
('new', 0, 0, 0)]"
run range.1.wm <<'X'
elf app.wm
build-id 0123456789abcdef
rank 0 of 1
t 1000000 map 0x100000 0x4000 main<f
t 1000000 name 0x101000 mapped
t 2000000 unmap 0x101000 0x1000
t 3000000 remap-out 0x102000 0x2000
t 3000000 remap-in 0x200000 0x8000 main<g
t 4000000 mpi 0x1000 64 main<m
t 4000000 malloc 0x1000 32 main<f
t 4000000 name 0x1000 heap_block
t 5000000 free 0x1000
t 5000000 name 0x1010 window
t 6000000 stack 0x700000 0x1000 main<s
t 6000000 name 0x700010 stack
end
X
is "names of mappings and of MPI memory" "$(json '[(n["name"], n["bytes"],
	n["blocks"], n["unfreed_bytes"]) for n in j["names"]]' range.1.wm)" \
	"[('mapped', 36864, 2, 36864), ('window', 64, 1, 64), \
('heap_block', 32, 1, 0)]"
is "their functions" "$(json '[(f["name"], f["names"])
	for f in j["functions"]]' range.1.wm)" "[('g', ['mapped']), \
('f', ['mapped', 'heap_block']), ('m', ['window'])]"

# ---- threads: a name or a release may be early by the skew of the clocks ----
run skew.1.wm <<'X'
elf app.wm
build-id 0123456789abcdef
rank 0 of 1
thread 1
t 1000005 malloc 0x1000 100 main<f
thread 0
t 1000001 phase work
t 1000002 name 0x1000 shared
t 1000009 malloc 0x2000 5 main<g
end
X
is "a name waits for its block" "$(json '[(n["name"], n["bytes"])
	for n in j["names"]]' skew.1.wm)" "[('shared', 100)]"

# ---- pauses ----
run pause.1.wm <<'X'
elf app.wm
build-id 0123456789abcdef
rank 0 of 1
t 1000000 free 0x9000
t 2000000 malloc 0x1000 100 main<f
t 3000000 pause
t 4000000 free 0x7000
t 5000000 out 0x1000
t 5000000 gone
t 6000000 resume
t 7000000 out 0x8000
t 7000000 in 0x8000 30 main<f
t 8000000 pause
t 9000000 free 0xa000
paused 3
end
X
is "pauses are no errors" "$(status wm-analyze pause.1.wm)" 0
is "releases of what was not recorded" "$(json '[j["events"]["unknown_free"],
	j["paused"], j["heap"]["peak"]["max"], j["run"]["complete"]]' \
	pause.1.wm)" "[1, {'ranks': 1, 'allocations': 3, \
'releases': 3, 'seconds': 0.004}, 100, True]"
like "a pause is told" "$(wm-analyze pause.1.wm 2>&1 >/dev/null)" \
	'paused in 1 of 1 ranks, for 0\.004000 s at most: 3 allocations'

# A block of before the pause ended just before the one that has no event: it
# may have taken the other's release.
run debt.1.wm <<'X'
elf app.wm
build-id 0123456789abcdef
rank 0 of 1
thread 0
t 3000000 pause
t 4000000 resume
t 9000000 pause
thread 1
t 2999996 malloc 0x1000 100 main<f
t 2999998 free 0x1000
t 3000001 free 0x1000
t 5000000 malloc 0x2000 100 main<f
t 8999998 free 0x2000
t 9000001 free 0x2000
paused 2
end
X
is "several threads: releases of what was not recorded" "$(json '[
	j["events"]["unknown_free"], j["paused"]["releases"],
	j["heap"]["peak"]["max"]]' debt.1.wm)" "[0, 2, 100]"

# ---- names that are lost, bad, or strange ----
run lost.1.wm <<'X'
elf app.wm
build-id 0123456789abcdef
rank 0 of 1
t 1000000 phase one
t 1000000 malloc 0x1000 100 main<f
lose-names
block
skip 1
t 2000000 phase two
block
t 3000000 phase one
end
X
is "a name that was lost" "$(json '[p["name"] for p in j["phases"]]' \
	lost.1.wm)" "[None, '(lost name)', 'two']"
printf 'elf app.wm\nrank 0 of 1\nt 1000000 phase a\033[1m<&>\nt 1000001 malloc 0x1000 9 main<f\nt 1500000 phase z\377y\nt 2500000 phase -\nend\n' >odd.txt
run odd.1.wm <odd.txt
has_no "nothing that a terminal would obey" \
	$'\033' wm-analyze odd.1.wm
ok "bytes that are no text, as XML" sh -c "wm-analyze -q --timeline --svg - \
	odd.1.wm | python3 -c 'import sys, xml.dom.minidom as m
m.parse(sys.stdin.buffer)'"
ok "and as JSON" sh -c "wm-analyze --json odd.1.wm | python3 -m json.tool"
bad=0
for seed in $(seq 60); do
	{
		echo "rank 0 of 1"
		echo "mutate $seed"
		for i in $(seq 40); do
			echo "t $((1000000 + 1000 * i)) phase p$((i % 7))"
			echo "t $((1000000 + 1000 * i)) malloc 0x${i}000 $i main<f"
			echo "t $((1000000 + 1000 * i)) name 0x${i}008 n$((i % 9))"
			echo "snapshot s$i"
			[ $((i % 10)) -ne 0 ] || echo block
		done
		echo end
	} | run mad.1.wm
	wm-analyze --snapshots mad.1.wm >/dev/null 2>&1
	case $? in 0 | 3 | 4) ;; *) bad=$((bad + 1)); echo "# seed $seed" ;; esac
done
is "damaged names end no reader" $bad 0

# ---- many ----
{
	echo "rank 0 of 1"
	for i in $(seq 300); do
		echo "t $((1000000 + 1000 * i)) phase p$i"
		echo "malloc 0x${i}000 $i main<f"
		echo "name 0x${i}000 n$i"
		echo "snapshot s$i"
	done
	echo end
} | run many.1.wm
is "lists end where they would get long" "$(wm-analyze many.1.wm |
	grep ' more .*--top')" "$(printf '  %s\n' "290 more names (--top all)" \
	"285 more phases (--top all)" "290 more snapshots (--top all)")"
is "snapshots beyond the first 256 have sums only" \
	"$(json '[s["listed"] for s in j["snapshots"]].count(True)' many.1.wm)" \
	256
is "JSON is complete" "$(json '[len(j[k]) for k in ("phases", "names",
	"snapshots")]' many.1.wm)" "[301, 300, 300]"

# ---- more regions than are kept ----
{
	printf 'elf app.wm\nclock mono\nrank 0 of 1\n'
	for ((i = 0; i < 4100; i++)); do
		echo "t $((1000000 + i)) region $((0x100000 + i * 64)) 64 8 row"
	done
	echo end
} | run regions.1.wm
like "regions that are left out are told" "$(wm-analyze regions.1.wm 2>&1)" \
	"4 regions are left out: the list has room for 4096"
is "the others are there" "$(json 'len(j["regions"])' regions.1.wm)" 4096
done_testing
