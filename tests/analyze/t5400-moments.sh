# SPDX-License-Identifier: Apache-2.0
# Who holds memory at any time: --at.
# run: quick
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
command -v python3 >/dev/null || skip_all "no python3"

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
is "all ranks, each at its own time" "$(at 2ms --rank all)" \
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
	'in 3 blocks, all ranks, each at 2\.000 ms of its own$'
like "the timeline shows the list below" \
	"$(wm-analyze --timeline --at 2ms app.1.wm)" \
	'^ +76\.9 % +1000 bytes +1  make'
is "CSV" "$(wm-analyze --functions --csv --at 1ms app.1.wm | tail -1 |
	cut -d, -f1,4-)" make,1000,1
for t in '' -1 x 1x 1e 5min peak2; do
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
done_testing
