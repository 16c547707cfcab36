# SPDX-License-Identifier: Apache-2.0
# The timeline by sites, libraries, phases, names and threads: --timeline --by.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

# 400 ticks of 1 ms: bins of 1 ms and one tick less, as 400 bins have 401.
run app.1.wm <<'E'
program app
elf app.wm
id 1
tick-ns 1000000
module 0 0x400000 0x500000 -
module 0x600000 0x600000 0x700000 /lib/libother.so.1
rank 0 of 2
t 1000010 malloc 0x1000 1000 main<make
t 1000020 phase assemble
t 1000030 malloc 0x2000 300 main<0x600100
t 1000040 malloc 0x3000 500 main<make
t 1000050 free 0x1000
t 1000050 malloc 0x4000 50 main<make
t 1000060 phase solve
t 1000070 malloc 0x5000 100 main<third
t 1000070 malloc 0x6000 9 main<third
t 1000070 free 0x3000
t 1000080 realloc 0x2000 0x2000 700 main<third
t 1000090 map 0x100000 8192 main<make
t 1000095 phase -
t 1000100 unmap 0x100000 4096
t 1000398 free 0x4000
end
rank 1 of 2
end
E

# at EXPRESSION ARGUMENT...: e of the first entry of the timeline, t;
# v(ticks) are the layers at that time
at() {
	local e=$1
	shift
	wm-analyze --quiet --json --timeline "$@" app.1.wm 2>/dev/null |
		python3 -c "
import json, sys
t = json.load(sys.stdin)['timeline'][0]
def v(ticks):
	b = int(ticks * 1e-3 / t['bin_s'] + 1e-9)
	return sorted((l['name'] or '-', l['bytes'][b]) for l in t['layers']
		if l['bytes'][b])
print($e)"
}

is "bins are a tick wide" "$(at 't["bin_s"]' --by sites)" 0.001
is "no layers unless asked for" "$(at '"layers" in t')" False
is "they say what they are" "$(at 't["by"]' --by libraries)" libraries
is "before anything" "$(at 'v(5)' --by sites)" "[]"
is "one site" "$(at 'v(25)' --by sites)" "[('make', 1000)]"
is "the maximum of a bin, not its end" \
	"$(at 'v(50) == v(49), v(50) != []' --by sites)" "True True"
is "within a bin, when it was highest" "$(at 'v(70)' --by sites)" \
	"[('?? (libother.so.1+0x100)', 300), ('make', 550), ('third', 109)]"
is "after it" "$(at 'v(71)' --by sites)" \
	"[('?? (libother.so.1+0x100)', 300), ('make', 50), ('third', 109)]"
is "libraries" "$(at 'v(71)' --by libraries)" \
	"[('app', 159), ('libother.so.1', 300)]"
is "phases of birth: realloc is one" "$(at '(v(75), v(85))' --by phases)" \
	"([('assemble', 350), ('solve', 109)], [('assemble', 50), ('solve', 809)])"
is "what is left of a mapping was born with it" \
	"$(at '(v(100), v(101))' --by phases)" \
	"([('assemble', 50), ('solve', 9001)], [('assemble', 50), ('solve', 4905)])"
is "outside of all phases" "$(at 'v(15)' --by phases)" "[('-', 1000)]"
for by in sites libraries phases; do
	is "$by add up to the highest" "$(at 'all(m == sum(l["bytes"][i]
		for l in t["layers"]) for i, m in enumerate(t["max_bytes"]))' \
		--by $by)" True
done
is "a rank without events" "$(at 't["layers"]' --by sites --rank 1)" "[]"
is "highest first" "$(at '[l["name"] for l in t["layers"]][:2]' --by sites)" \
	"['make', 'third']"

# Names: late ones count since the allocation, a realloc keeps them, what is
# left of a mapping, too; the last name is that of all the block's life.
run names.1.wm <<'E'
program named
elf named.wm
id 1
tick-ns 1000000
rank 0 of 1
t 1000010 malloc 0x1000 1000 main<make
t 1000020 malloc 0x2000 300 main<make
t 1000030 name 0x2000 u
t 1000040 malloc 0x3000 500 main<make
t 1000050 free 0x2000
t 1000060 realloc 0x3000 0x3000 700 main<make
t 1000070 name 0x1000 v
t 1000080 name 0x3000 u
t 1000085 name 0x1000 w
t 1000090 free 0x1000
t 1000100 realloc 0x3000 0x3800 900 main<make
t 1000110 map 0x100000 8192 main<make
t 1000120 name 0x100000 field
t 1000130 unmap 0x100000 4096
t 1000140 free 0x3800
t 1000150 malloc 0x4000 20 main<make
t 1000160 name 0x4000 gone
t 1000170 name 0x4000 -
t 1000398 malloc 0x5000 1 main<make
end
E
by_name() {
	wm-analyze -q --json --timeline --by names "${@:2}" names.1.wm | python3 -c "
import json, sys
t = json.load(sys.stdin)['timeline'][0]
def v(ticks):
	b = int(ticks * 1e-3 / t['bin_s'] + 1e-9)
	return sorted((l['name'] or '-', l['bytes'][b]) for l in t['layers']
		if l['bytes'][b])
print(($1))"
}
is "names: since the allocation, the last one" "$(by_name 'v(15), v(25), v(45)')" \
	"([('w', 1000)], [('u', 300), ('w', 1000)], [('-', 500), ('u', 300), ('w', 1000)])"
is "names: a realloc is an allocation, and keeps the name" \
	"$(by_name 'v(65), v(95), v(105)')" \
	"([('u', 700), ('w', 1000)], [('u', 700)], [('u', 900)])"
is "names: what is left of a mapping" "$(by_name 'v(115), v(135)')" \
	"([('field', 8192), ('u', 900)], [('field', 4096), ('u', 900)])"
is "names: taken away, it never had one" "$(by_name 'v(165)')" \
	"[('-', 20), ('field', 4096)]"
is "names add up to the highest" "$(by_name 'all(m == sum(l["bytes"][i]
	for l in t["layers"]) for i, m in enumerate(t["max_bytes"]))')" True
like "names: text" "$(wm-analyze --timeline --by names names.1.wm)" \
	'at most +500 bytes  without a name$'
is "no names at all: all without one" "$(at '([l["name"] for l in t["layers"]],
	t["layers"][0]["bytes"] == t["max_bytes"])' --by names)" "([None], True)"
is "threads: all of main's" "$(at '[l["name"] for l in t["layers"]]' \
	--by threads)" "['main']"

# Events that go on behind what the trace tells of its end: bins are joined
{
	printf 'program long\nelf long.wm\nid 1\nrank 0 of 1\n'
	for i in $(seq 3000); do
		echo "t $((1000000 + i * 7)) malloc 0x$((i + 1000))0 $((i % 50 + 1)) main"
		[ $((i % 3)) != 0 ] || echo "t $((1000003 + i * 7)) name 0x$((i + 1000))0 n$((i % 1500))"
		[ "$i" -lt 40 ] || [ $((i % 2)) != 0 ] ||
			echo "t $((1000004 + i * 7)) free 0x$((i + 970))0"
	done
} | run long.1.wm
is "many names: they add up, and the last ones are one" "$(wm-analyze -q --json \
	--timeline --by names long.1.wm | python3 -c '
import json, sys
t = json.load(sys.stdin)["timeline"][0]
n = [l["name"] for l in t["layers"]]
print(all(m == sum(l["bytes"][i] for l in t["layers"])
          for i, m in enumerate(t["max_bytes"])),
      len(n) <= 1002, None in n, "n3" in n)')" "True True True True"

text=$(wm-analyze --timeline --by sites --top 10 app.1.wm)
like "text: columns" "$text" '^ +from +highest +A +B +C$'
like "text: rows add up" "$text" '^ +0\.0400 s +1\.8 KiB +1\.5 KiB +- +300 bytes$'
like "text: what the columns are" "$text" '^  A  at most +8\.0 KiB  make$'
is "CSV adds up, too" "$(wm-analyze --timeline --by phases --csv app.1.wm |
	awk -F, '$2 == 0.1 {s += $6} END {print s}')" 9051
is "CSV: keys" "$(wm-analyze --timeline --by sites --csv app.1.wm | head -1)" \
	rank,start_s,name,file,line,bytes
is "usage: no such layers" \
	"$(status wm-analyze --timeline --by colour app.1.wm)" 2
is "usage: not for all ranks" \
	"$(status wm-analyze --timeline --by sites --rank all app.1.wm)" 2
is "usage: not without --timeline" "$(status wm-analyze --by sites app.1.wm)" 2

wm-analyze --timeline --svg t.svg app.1.wm >/dev/null
is "the picture has an area and a legend for each site" \
	"$(grep -c '<title>make</title>' t.svg) $(grep -c '>make  (at most' t.svg)" \
	"1 1"
wm-analyze --timeline --svg p.svg --by phases app.1.wm >/dev/null
is "the picture by phases" "$(grep -c '<title>solve</title>' p.svg)" 1
if command -v xmllint >/dev/null; then
	ok "the pictures are XML" xmllint --noout t.svg p.svg
else
	skip "the pictures are XML" "package libxml2-utils is missing"
fi

cp -r app.1.wm packed.1.wm
wm-analyze --quiet --repack packed.1.wm >/dev/null
for by in sites phases; do
	is "repacked, by $by" \
		"$(json 'j["timeline"]' --timeline --by $by packed.1.wm)" \
		"$(json 'j["timeline"]' --timeline --by $by app.1.wm)"
done

# More sites than have a column and a colour.
{
	printf 'program many\nelf many.wm\nid 1\nrank 0 of 1\n'
	for i in $(seq 12); do
		echo "t $((1000000 + i * 100)) malloc 0x${i}000 $((i * 10)) main<f$i"
	done
	echo end
} | run many.1.wm
text=$(COLUMNS=100 wm-analyze --timeline --by sites --svg m.svg many.1.wm)
like "text: the others" "$text" '^ +from +highest +A +B +C +D +E +other$'
like "text: how many" "$text" '^  and 7 more'
is "the picture: the others" "$(grep -c '>3 others<' m.svg)" 1

# A killed rank: what is left of its trace.
grep -v '^end' <<'E' | run dead.1.wm
program dead
elf dead.wm
id 1
rank 0 of 1
t 1000100 malloc 0x1000 10 main<one
t 1000900 malloc 0x2000 20 main<two
E
is "a killed rank" "$(json '[(l["name"], l["bytes"][-1])
	for l in j["timeline"][0]["layers"]]' --timeline --by sites dead.1.wm)" \
	"[('two', 20), ('one', 10)]"

# Thread 1 loses the second half of a realloc.  With its next event, at 60, the
# old block is at its address again, and what thread 0 got there has gone.  The
# event itself has to wait for that of 61, and counts then.
run lost.1.wm <<'E'
program lost
elf lost.wm
id 1
tick-ns 1000000
rank 0 of 1
thread 1
t 1000010 malloc 0x1000 100 main<old
t 1000020 out 0x1000
thread 0
t 1000030 malloc 0x1000 30 main<between
t 1000040 malloc 0x3000 50 main<third
thread 1
t 1000060 malloc 0x3000 7 main<late
thread 0
t 1000061 free 0x3000
t 1000398 malloc 0x4000 1 main<last
end
E
lost() {
	json "$@" --timeline --by sites lost.1.wm
}
is "a lost half: bins are a tick wide" \
	"$(lost 'j["timeline"][0]["bin_s"]')" 0.001
is "a lost half: ends of bins" \
	"$(lost 'j["timeline"][0]["end_bytes"][59:62]')" "[180, 150, 107]"
is "a lost half: highest" \
	"$(lost 'j["timeline"][0]["max_bytes"][59:63]')" "[180, 180, 150, 107]"
is "a lost half: layers" "$(lost 'sorted((l["name"], l["bytes"][60:63])
	for l in j["timeline"][0]["layers"] if l["name"] != "last")')" \
	"[('between', [30, 0, 0]), ('late', [0, 0, 7]), \
('old', [100, 100, 100]), ('third', [50, 50, 0])]"
for t in 59:between,old,third 60:old,third 61:late,old; do
	is "a lost half: who holds at tick ${t%:*}" "$(json '",".join(sorted(
		f["name"] for f in j["functions"]))' --functions \
		--at "${t%:*}.000ms" lost.1.wm)" "${t#*:}"
done
done_testing
