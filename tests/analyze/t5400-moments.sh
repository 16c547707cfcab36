# SPDX-License-Identifier: Apache-2.0
# Who holds memory at any time: --at.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib python3

# Ticks of 0.5 ns: 3000000 is 1 ms after the start.
run app.1.wm <<'E2'
program app
elf app.wm
id 1
tick-ns 0.5
rank 0 of 2
t 3000000 malloc 0x1000 1000 main<make
t 5000000 malloc 0x2000 300 main<other
thread 1
t 7000000 malloc 0x3000 50 main<third
thread 0
t 7000000 phase solve
t 9000000 realloc 0x1000 0x1000 700 main<grow
t 9000000 map 0x100000 8192 main<pages
t 11000000 unmap 0x100000 4096
t 13000000 stack 0x200000 4096 main<thread
t 21000000 free 0x2000
end
rank 1 of 2
t 5000000 malloc 0x1000 10 main<other
end
E2

# at TIME ARGUMENT...: functions, bytes and blocks then
at() {
	local t=$1
	shift
	json 'sorted((f["name"], f["bytes"], f["blocks"])
		for f in j["functions"])' --functions --at "$t" "$@" app.1.wm
}

peak="[('grow', 700, 1), ('other', 300, 1), ('pages', 8192, 1), \
('third', 50, 1)]"
is "the peak without --at" "$(json 'sorted((f["name"], f["bytes"], f["blocks"])
	for f in j["functions"])' app.1.wm)" "$peak"
is "--at peak" "$(at peak)" "$peak"
is "at_s of the peak" "$(json 'j["at_s"]' --functions --at peak app.1.wm)" None
is "before anything" "$(at 0)" "[]"
is "just before the first event" "$(at 0.000999999)" "[]"
is "an event at that very time counts" "$(at 1ms)" "[('make', 1000, 1)]"
is "at_s" "$(json 'j["at_s"]' --functions --at 1500us app.1.wm)" 0.0015
is "seconds" "$(at 0.0025s)" "[('make', 1000, 1), ('other', 300, 1)]"
is "of several threads" "$(at 3500us)" \
	"[('make', 1000, 1), ('other', 300, 1), ('third', 50, 1)]"
is "realloc and mapping" "$(at 4000000ns)" "$peak"
is "a part of a mapping has gone; stacks do not count" "$(at 0.007)" \
	"[('grow', 700, 1), ('other', 300, 1), ('pages', 4096, 1), \
('third', 50, 1)]"
is "after the end: what is left" "$(at 1000)" "$(json 'sorted((f["name"],
	f["bytes"], f["blocks"]) for f in j["leaks"])' app.1.wm)"
is "all ranks at that time" "$(at 2ms --rank all)" \
	"[('make', 1000, 1), ('other', 310, 2)]"
is "another rank" "$(at 2ms --rank 1)" "[('other', 10, 1)]"
is "high-water marks stay what they are" \
	"$(json 'j["heap"]["peak"]["max"]' --functions --at 1ms app.1.wm)" 9242
like "text says when" "$(wm-analyze --functions --at 2ms app.1.wm)" \
	'1\.3 KiB in 2 blocks at 2\.000 ms of rank 0$'
like "text says that this is after the end" \
	"$(wm-analyze --functions --at 2 app.1.wm)" 'rank 0 \(after its end\)$'
like "text of all ranks" \
	"$(wm-analyze --functions --rank all --at 2ms app.1.wm)" \
	'in 3 blocks, all ranks at 2\.000 ms$'
like "the timeline shows the list below" \
	"$(wm-analyze --timeline --at 2ms app.1.wm)" \
	'^ +76\.9 % +1000 bytes +1  make'
is "CSV" "$(wm-analyze --functions --csv --at 1ms app.1.wm | tail -1 |
	cut -d, -f1,4-)" make,1000,1
for t in '' -1 x 1x 1e 5mins peak2; do
	is "usage: --at '$t'" \
		"$(status wm-analyze --functions --at "$t" app.1.wm)" 2
done
is "usage: not for the summary" "$(status wm-analyze --at 1 app.1.wm)" 2

# ---- moments by name, parts of the time ----
run named.1.wm <<'E2'
program app
elf named.wm
id 1
rank 0 of 2
t 1001000 malloc 0x1000 100 main<first
t 1002000 phase solve
t 1003000 malloc 0x2000 1000 main<work
t 1004000 snapshot assembled
t 1005000 malloc 0x3000 50 main<work
t 1006000 free 0x2000
t 1007000 phase -
t 1008000 malloc 0x4000 5000 main<after
t 1009000 snapshot end
t 1010000 free 0x4000
t 1011000 phase solve
t 1012000 malloc 0x5000 2 main<again
t 1013000 snapshot assembled
t 1014000 free 0x5000
t 1020000 phase -
end
rank 1 of 2
t 1001000 malloc 0x1000 7 main<first
t 1002000 snapshot assembled
end
E2
named() {
	json '[j["at"], j["at_s"], sorted((f["name"], f["bytes"], f["blocks"])
		for f in j["functions"])]' --functions --at "$@" named.1.wm
}
is "a snapshot; of two that with most" "$(named assembled)" \
	"['assembled', 4e-06, [('first', 100, 1), ('work', 1000, 1)]]"
is "a phase at its highest, entered twice" "$(named solve)" \
	"['solve', 5e-06, [('first', 100, 1), ('work', 1050, 2)]]"
is "the end" "$(named end)" "['end', 2e-05, [('first', 100, 1), ('work', 50, 1)]]"
is "a snapshot that is called end" "$(named snapshot:end)" \
	"['snapshot:end', 9e-06, [('after', 5000, 1), ('first', 100, 1), \
('work', 50, 1)]]"
is "a part of the time" "$(named 25%)" \
	"['25%', 5e-06, [('first', 100, 1), ('work', 1050, 2)]]"
is "the end is 100 %" "$(named 100% | cut -d, -f3-)" \
	"$(named end | cut -d, -f3-)"
is "a moment of each rank" "$(named assembled --rank all)" \
	"['assembled', None, [('first', 107, 2), ('work', 1000, 1)]]"
like "text says which, and when" \
	"$(wm-analyze --functions --at assembled named.1.wm)" \
	"2 blocks at 'assembled' of rank 0 \\(4\\.000 us\\)$"
like "text of all ranks says which" \
	"$(wm-analyze --functions --at 25% --rank all named.1.wm)" \
	'all ranks, each at 25 % of the time of its own$'
like "ranks without it are told" \
	"$(wm-analyze --functions --at solve --rank all named.1.wm)" \
	"1 of 2 ranks have no snapshot or phase 'solve'"
wm-analyze --functions --at assembly named.1.wm >out 2>err
is "usage: no such name" $? 2
like "and which there are" "$(cat err)" \
	"'assembly' is no moment of rank 0: peak, end, .* \\(it has snapshot 'assembled', snapshot 'end', .*phase 'solve'\\)$"
is "usage: a snapshot, but no phase of that name" \
	"$(status wm-analyze --functions --at phase:assembled named.1.wm)" 2
is "usage: beyond the end" \
	"$(status wm-analyze --functions --at 101% named.1.wm)" 2
is "folded: the end" "$(wm-analyze --export folded --at end named.1.wm)" \
	"main;first 100
main;work 50"

cp -r app.1.wm packed.1.wm
wm-analyze --quiet --repack packed.1.wm >/dev/null
for t in 1ms 4ms 7ms; do
	is "repacked, $t" "$(json 'j["functions"]' --functions --at $t \
		packed.1.wm)" \
		"$(json 'j["functions"]' --functions --at $t app.1.wm)"
done

run none.1.wm <<'E2'
program none
elf none.wm
id 1
rank 0 of 1
end
E2
is "no events" "$(json 'j["functions"]' --functions --at 1 none.1.wm)" "[]"

# ---- one clock, the job's: rank 1 begins 5 s after rank 0, and dies ----
run late.1.wm <<'E2'
program app
elf late.wm
id 1
tick-ns 1
start 1000000000
rank 0 of 2
t 2000000000 malloc 0x1000 100 main<first
t 3000000000 free 0x1000
t 9000000000 malloc 0x2000 50 main<left
end
mono 10000000000
rank 1 of 2
t 1100000000 phase solve
t 1200000000 malloc 0x1000 1000 main<mesh
t 1300000000 mark built
t 1300000600 malloc 0x2000 10 main<mesh
t 1500000000 failed 70000 main<grid
t 1500000700 malloc 0x3000 10 main<grid
t 2174057000 malloc 0x4000 5000 main<spike
t 2175000000 snapshot then
t 2176057000 free 0x4000
t 2500000000 phase -
t 2600000000 malloc 0x5000 20 main<last
E2
late() {
	json "$1" --functions --rank 1 --at "$2" late.1.wm
}
bytes='sum(f["bytes"] for f in j["functions"])'
# printed WHAT PATTERN BYTES REPORT...: the moment that a report prints, the
# first group of PATTERN, has so many bytes
printed() {
	local what=$1 pattern=$2 want=$3 moment
	shift 3
	moment=$(wm-analyze -q "$@" late.1.wm | sed -En "s/$pattern/\1/p" |
		head -1)
	is "$what: '$moment' is found" "$(late "$bytes" "$moment")" "$want"
	printf -v moments '%s%s\n' "${moments-}" "$moment"
}
s='([0-9.]+ m?u?s)'
printed "summary: the high-water mark" ".*rank 1 at $s.*" 6020
printed "--functions" ".*at the peak of rank 1 \($s.*" 6020 --functions
printed "a snapshot" "^ +then +$s .*" 6020 --rank 1
printed "--snapshots" "^Snapshot 'then' at $s .*" 6020 --snapshots --rank 1
printed "a mark" "^ +built +$s .*" 1000 --rank 1
printed "a failed request" "^ +at $s of rank 1, when.*" 1010
printed "the last event" "^ +1 +([0-9.]+ s) +killed.*" 1040
printed "--timeline" "^ +peak .* at $s;.*" 6020 --timeline --rank 1
is "all of them are the job's" "$(tr '\n' ' ' <<<"$moments")" "6.174 s 6.174 s \
6.175000 s 6.175000 s 5.300000 s 5.500000 s 6.600 s 6.174 s  "
is "the node's peak, of all ranks" "$(json "$bytes" --functions --rank all \
	--at "$(wm-analyze -q --imbalance late.1.wm |
		sed -En "s/.* at $s: rank.*/\1/p")" late.1.wm)" \
	"$(json 'j["imbalance"]["nodes"][0]["peak_bytes"]' --imbalance late.1.wm)"
is "JSON has the same clock" "$(json '[round(x, 6) for x in (
	j["ranks"][1]["peak_time_s"], j["phases"][1]["start_s"],
	j["phases"][1]["peak_time_s"], j["marks"][0]["time_s"],
	j["failed_requests"][0]["time_s"], j["snapshots"][0]["time_s"],
	j["deaths"]["groups"][0]["first_s"], j["timeline"][0]["start_s"])]' \
	--rank 1 --timeline late.1.wm)" \
	"[6.174057, 5.1, 6.174057, 5.3, 5.5, 6.175, 6.6, 5.0]"
is "so has CSV" "$(wm-analyze -q --timeline --csv --rank 1 late.1.wm |
	sed -n '2s/,[0-9]*,[0-9]*$//p')" 1,5.000000
wm-analyze -q --html page.html late.1.wm
is "so has the page" "$("$SRC/tests/tools/page-data" page.html | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["ranks"][1]["peak_time_s"], d["timeline"][0]["start_s"],
	[m["time_ns"] for m in d["moments"] if m["kind"] in ("peak", "death")
	and m["rank"] == 1])')" \
	"6.174057 5.0 [6174057000, 6600000000]"
for t in 6.2s 6.17s 6174ms 6174.06ms 6174057us 6.174057000s; do
	is "the highest within the last digit: $t" "$(late \
		"($bytes, round(j['at_s'], 6))" "$t")" "(6020, 6.174057)"
done
is "beyond it: the time itself" "$(late "($bytes, j['at_s'])" 6.173s) $(
	late "$bytes" 6.1740569s)" "(1020, 6.173) 1020"
is "between a gain and its release" "$(late "$bytes" 6.175500)" 6020
is "before its start" "$(late "$bytes" 4.9s)" 0
like "that is said" "$(wm-analyze -q --functions --rank 1 --at 4.9s late.1.wm)" \
	'at 4\.900 s of rank 1 \(before its start\)$'
like "and when the highest was" "$(wm-analyze -q --functions --rank 1 --at 6.2s \
	late.1.wm)" 'at 6\.200 s of rank 1 \(6\.174 s\)$'
is "all ranks at one time" "$(json "$bytes" --functions --rank all \
	--at 6.500000s late.1.wm)" 1020
like "the summary has the job's length" "$(wm-analyze -q late.1.wm)" \
	'2 of 2 ranks on 1 node, 8\.000 s, '
is "rows of all ranks are of those that ran then" "$(wm-analyze -q --timeline \
	--rank all late.1.wm | awk '$1 == "1.0000" { print $3, $5, $7 }')" \
	"100 100 100"
done_testing
