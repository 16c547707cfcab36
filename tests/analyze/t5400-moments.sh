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
	'1\.3 KiB in 2 blocks at 0\.002000 s of rank 0$'
like "text says that this is after the end" \
	"$(wm-analyze --functions --at 2 app.1.wm)" 'rank 0 \(after its end\)$'
like "text of all ranks" \
	"$(wm-analyze --functions --rank all --at 2ms app.1.wm)" \
	'in 3 blocks, all ranks, each at 0\.002000 s of its own$'
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
