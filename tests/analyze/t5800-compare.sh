# SPDX-License-Identifier: Apache-2.0
# --compare: two runs, two builds, two ranks.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
command -v python3 >/dev/null || skip_all "no python3"

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
	'two runs, A B, or two ranks of one, A:0 A:1'
is "a run that is not there" "$(status wm-analyze --compare app.1.wm no)" 3
is "partial input: 4" "$(status wm-analyze --compare app.1.wm app.3.wm)" 4
like "it says of which run" \
	"$(wm-analyze --compare app.1.wm app.3.wm 2>&1 >/dev/null)" \
	'^wm-analyze: app\.3\.wm: rank 0: .*no end'
is "the same for each -j" "$(answer wm-analyze -j1 --json --compare app.1.wm \
	app.2.wm)" "$(answer wm-analyze -j4 --json --compare app.1.wm \
	app.2.wm)"
done_testing
