# SPDX-License-Identifier: Apache-2.0
# --compare: two runs, two builds, two ranks.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

run app.1.wm <<'E'
program app
elf app1
id 1
rank 0 of 2
t 1000010 malloc 0x1000 1000 main<solve
t 1000020 malloc 0x2000 500 main<mesh
t 1000030 malloc 0x3000 300 main<gone
t 1000040 malloc 0x4000 200 main<mesh<halo
t 1000050 malloc 0x5000 40 main<mesh<halo
t 1000060 free 0x1000
t 1000070 free 0x3000
end
rank 1 of 2
t 1000010 malloc 0x1000 100 main<solve
t 1000015 malloc 0x2000 100 main<start
end
E
# another build: other addresses, other places in the functions
run app.2.wm <<'E'
program app
elf app2
id 2
rank 0 of 1
t 1000010 malloc 0x1000 10 main<early
t 1000020 malloc 0x2000 900 main<fresh
t 1000030 malloc 0x3000 2500 main<solve+40
t 1000040 malloc 0x4000 240 main<mesh<halo+8
t 1000045 malloc 0x5000 0 main<mesh<zero
t 1000050 malloc 0x6000 400 main<mesh+80
t 1000060 free 0x3000
t 1000070 free 0x4000
end
E

# rows EXPRESSION-OF-r LIST ARGUMENT...
rows() {
	local e=$1 list=$2
	shift 2
	json "[($e) for r in j['compare']['$list']]" --compare "$@"
}

is "functions at the peak, greatest change first" "$(rows \
	'r["name"],r["bytes_a"],r["bytes_b"],r["change"],r["status"]' \
	functions app.1.wm app.2.wm)" "[('solve', 1000, 2500, 1500, 'grew'),\
 ('fresh', 0, 900, 900, 'appeared'), ('gone', 300, 0, -300, 'vanished'),\
 ('mesh', 500, 400, -100, 'shrank'), ('early', 0, 10, 10, 'appeared'),\
 ('halo', 240, 240, 0, 'same'), ('zero', 0, 0, 0, 'appeared')]"
is "blocks" "$(rows 'r["blocks_a"],r["blocks_b"]' functions app.1.wm \
	app.2.wm)" \
	"[(1, 1), (0, 1), (1, 0), (1, 1), (0, 1), (2, 1), (0, 1)]"
is "call paths" "$(rows 'r["path"],r["change"]' paths app.1.wm app.2.wm)" \
	"[('main;solve', 1500), ('main;fresh', 900), ('main;gone', -300),\
 ('main;mesh', -100), ('main;early', 10), ('main;mesh;halo', 0),\
 ('main;mesh;zero', 0)]"
is "never freed" "$(rows 'r["path"],r["change"],r["status"]' leak_paths \
	app.1.wm app.2.wm)" "[('main;fresh', 900, 'appeared'),\
 ('main;mesh;halo', -240, 'vanished'), ('main;mesh', -100, 'shrank'),\
 ('main;early', 10, 'appeared'), ('main;mesh;zero', 0, 'appeared')]"
is "never freed, by function" "$(rows 'r["name"],r["change"]' leaks \
	app.1.wm app.2.wm)" "[('fresh', 900), ('halo', -240), ('mesh', -100),\
 ('early', 10), ('zero', 0)]"
is "totals" "$(json '[j["compare"]["change"][k] for k in ("peak_bytes",
	"unfreed_bytes","unfreed_blocks","events","static_bytes")]' \
	--compare app.1.wm app.2.wm)" "[2010, 570, 1, 1, None]"
is "changes of functions add up to that of the peak" \
	"$(json 'sum(r["change"] for r in j["compare"]["functions"]),
	sum(r["change"] for r in j["compare"]["paths"])' --compare app.1.wm \
	app.2.wm)" "2010 2010"
is "the other way round" "$(json 'sorted(-r["change"] for r in
	j["compare"]["paths"])' --compare app.2.wm app.1.wm)" \
	"$(json 'sorted(r["change"] for r in j["compare"]["paths"])' \
	--compare app.1.wm app.2.wm)"
is "a run and itself" "$(rows 'r["change"],r["status"]' paths app.1.wm \
	app.1.wm)" "[(0, 'same'), (0, 'same'), (0, 'same'), (0, 'same')]"

is "no difference is no failure" \
	"$(status wm-analyze --compare app.1.wm app.1.wm)" 0

# ranks
is "two ranks of a run" "$(rows 'r["name"],r["change"]' functions \
	app.1.wm:1 app.1.wm:0)" "[('solve', 900), ('mesh', 500),\
 ('gone', 300), ('halo', 240), ('start', -100)]"
is "max, min and all" "$(json '[j["compare"][s]["rank"] for s in "ab"]' \
	--compare app.1.wm:min app.1.wm:all)" "[1, 'all']"
is "the sum of all ranks" "$(json 'j["compare"]["b"]["peak_bytes"],
	{r["name"]: r["bytes_b"] for r in j["compare"]["functions"]}["solve"]' \
	--compare app.2.wm app.1.wm:all)" "2240 1100"
is "--rank is of both" "$(json '[j["compare"][s]["rank"] for s in "ab"]' \
	--compare --rank min app.1.wm app.2.wm)" "[1, 0]"
is "a rank that is not there" \
	"$(status wm-analyze --compare app.1.wm app.2.wm:7)" 3
like "it says of which run" "$(wm-analyze --compare app.1.wm app.2.wm:7 2>&1)" \
	"^wm-analyze: 'app.2.wm': no rank 7"
cp -r app.2.wm "app.2:0"
is "a name with a colon is a name" "$(json 'j["compare"]["b"]["run"]' \
	--compare app.1.wm app.2:0)" "app.2:0"

# A wrapper with another name, below two callers; and another function with
# one caller, which could be anything.
wrapped() { # ID WRAPPER FUNCTION SIZE
	run app.$1.wm <<E
program app
elf app$1
id $1
rank 0 of 1
t 1000010 malloc 0x1000 1000 main<solve<$2
t 1000020 malloc 0x2000 $4 main<mesh<$2
t 1000030 malloc 0x3000 300 main<$3
E
}
wrapped 3 my_alloc gone 500
wrapped 4 new_alloc fresh 700
is "a renamed wrapper is the same" "$(rows 'r["path"],r["change"]' paths \
	app.3.wm app.4.wm)" "[('main;fresh', 300), ('main;gone', -300),\
 ('main;mesh;new_alloc', 200), ('main;solve;new_alloc', 0)]"
is "that is told" "$(json 'j["compare"]["renamed"]' --compare app.3.wm \
	app.4.wm)" \
	"[{'name_a': 'my_alloc', 'name_b': 'new_alloc', 'callers': 2}]"

# text and CSV
wm-analyze --compare app.1.wm app.2.wm >text
like "text: both runs" "$(head -5 text)" '^B: app  run 2, rank 0 of 1  \(app.2'
like "text: the peak" "$(cat text)" \
	'^  high-water mark +2\.0 KiB +4\.0 KiB +\+2\.0 KiB  \+98\.5 %$'
like "text: a function" "$(cat text)" \
	'^ +\+1\.5 KiB  grew +1000 bytes -> 2\.4 KiB +solve$'
like "text: its path" "$(cat text)" '^ +solve < main$'
like "text: what is small, or left alone, is summed up" \
	"$(wm-analyze --compare --top 3 app.1.wm app.2.wm)" \
	'^  2 smaller changes: \+10 bytes, -100 bytes$'
is "CSV: the same rows" "$(wm-analyze --compare --csv app.1.wm app.2.wm |
	python3 -c 'import csv, sys
c = list(csv.DictReader(sys.stdin))
print([(r["path"], int(r["change"])) for r in c if r["moment"] == "peak" and
	r["kind"] == "path"])')" \
	"$(rows 'r["path"],r["change"]' paths app.1.wm app.2.wm)"

# what does not work
for bad in app.1.wm "" "app.1.wm app.2.wm app.1.wm"; do
	is "usage: ${bad:-no run}" "$(status wm-analyze --compare $bad)" 2
done
like "one run: advice" "$(wm-analyze --compare app.1.wm 2>&1)" \
	'two runs, A B, two ranks of one, A:0 A:1, or two moments, A@50% A@end'
is "a run that is not there" "$(status wm-analyze --compare app.1.wm no)" 3
is "partial input: 4" "$(status wm-analyze --compare app.1.wm app.3.wm)" 4
like "it says of which run" \
	"$(wm-analyze --compare app.1.wm app.3.wm 2>&1 >/dev/null)" \
	'^wm-analyze: app\.3\.wm: rank 0: .*no end'
is "the same for each -j" "$(answer wm-analyze -j1 --json --compare app.1.wm \
	app.2.wm)" "$(answer wm-analyze -j4 --json --compare app.1.wm \
	app.2.wm)"

# ---- moments ----
run m.1.wm <<'E'
program app
elf m1
id 1
rank 0 of 2
t 1001000 malloc 0x1000 100 main<first
t 1002000 phase solve
t 1003000 malloc 0x2000 1000 main<work
t 1004000 snapshot assembled
t 1005000 free 0x2000
t 1008000 malloc 0x4000 500 main<after
end
rank 1 of 2
t 1001000 malloc 0x1000 7 main<first
t 1003000 malloc 0x2000 8 main<work
end
E
changes() {
	json '[(r["name"], r["change"]) for r in j["compare"]["functions"]],
		[(h["rank"], h["at"], h["at_s"], h["moment_bytes"])
		for h in (j["compare"]["a"], j["compare"]["b"])],
		j["compare"]["change"]["moment_bytes"]' --compare "$@"
}
want="[('work', -1000), ('after', 500), ('first', 0)] \
[(0, 'assembled', 4e-06, 1100), (0, 'end', 8e-06, 600)] -500"
is "two moments of a run" "$(changes m.1.wm@assembled m.1.wm@end)" "$want"
is "of ranks, at times" "$(changes m.1.wm:0@2us m.1.wm:1@100%)" \
	"[('first', -93), ('work', 8)] \
[(0, '2us', 2e-06, 100), (1, '100%', 3e-06, 15)] -85"
is "the peak beside a moment" "$(changes m.1.wm m.1.wm@peak |
	cut -d']' -f2-)" " [(0, None, None, 1100), (0, None, None, 1100)] None"
is "a phase by name in sums of ranks" "$(json '[
	j["compare"]["a"]["moment_bytes"], j["compare"]["b"]["moment_bytes"]]' \
	--compare m.1.wm:all@1us m.1.wm:all@end)" "[107, 615]"
text=$(wm-analyze --compare m.1.wm@solve m.1.wm@end)
like "text: which moments" "$text" "^A: app  run 1, rank 0 of 2, at 'solve'  "
like "text: how much was alive" "$text" \
	'^  at that moment +1\.1 KiB +600 bytes +-500 bytes'
like "text: the lists" "$text" '^At these moments, by function$'
is "CSV says so" "$(wm-analyze --csv --compare m.1.wm@solve m.1.wm@end |
	cut -d, -f1 | sort | uniq -c | tr -s ' \n' ' ')" " 6 at 4 end 1 moment "
is "--fail-on growth is about the moments" "$(status wm-analyze --compare \
	m.1.wm@1us m.1.wm@end --fail-on growth=400)" 1
cp -r m.1.wm m@end && cp -r app.2.wm m@end:0
is "a file of that name goes first" "$(json 'j["compare"]["a"]["at"],
	j["compare"]["b"]["events"]' --compare m@end m@end:0)" "None 8"
is "and a run behind the last @" "$(changes m@end@assembled m@end@end)" "$want"
for bad in m.1.wm@ @end m.1.wm:x m.1.wm:x@end m.1.wm@200%; do
	wm-analyze --compare "$bad" m.1.wm >/dev/null 2>err
	is "usage: $bad" $? 2
	like "usage: $bad: the ways" "$(cat err)" \
		"'$bad' is no file, and not RUN, .* RUN:RANK@MOMENT; RANK: "
done
wm-analyze --compare m.1.wm@assembly m.1.wm >/dev/null 2>err
is "no such moment" $? 2
like "no such moment: which there are" "$(cat err)" \
	"'assembly' is no moment of rank 0: .*snapshot 'assembled'"

# ---- what only forwards is folded in text ----
for id in 1 2; do
	run fold.$id.wm <<E
program app
elf fold$id
id $id
rank 0 of 1
t 1000010 malloc 0x1000 1000 main<solve<xmalloc
t 1000020 malloc 0x2000 ${id}000 main<mesh<xmalloc
end
E
done
text=$(wm-analyze --compare fold.1.wm fold.2.wm)
like "text: callers of forwarders" "$text" \
	'^ +\+1000 bytes  grew +1000 bytes -> 2\.0 KiB +mesh$'
like "text: their paths" "$text" '^ +mesh < main$'
unlike "text: no forwarders" "$text" xmalloc
is "JSON: the functions themselves" "$(rows 'r["name"]' functions fold.1.wm \
	fold.2.wm)" "['xmalloc']"
like "--fold none" "$(wm-analyze --fold none --compare fold.1.wm fold.2.wm)" \
	xmalloc
# in this one xmalloc has one caller, which is no reason to fold it
run fold.3.wm <<'E'
program app
elf fold3
id 3
rank 0 of 1
t 1000020 malloc 0x2000 3000 main<mesh<xmalloc
end
E
like "what one folds the other folds" \
	"$(wm-analyze --compare fold.1.wm fold.3.wm)" \
	'^ +\+2\.0 KiB  grew +1000 bytes -> 2\.9 KiB +mesh$'
done_testing
