# SPDX-License-Identifier: Apache-2.0
# --history DIR: peaks of many runs by date and build, and since when they are
# higher.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

# at DAY PEAK BUILD [PROGRAM]: a run of that day; its rank 1 of 2 holds 70 bytes
at() {
	local name=${4:-app}
	mkdir -p "all/month/$3" "$3"
	run "all/month/$3/$name.$1.wm" <<E
program $name
elf $3/$name
build-id $3
id $1
mono 0
real $((1700000000 + 86400 * $1))000000000
rank 0 of 2
t 1000 malloc 0x1000 1000 main<halo
t 2000 malloc 0x100000 $(($2 - 1000)) main<grid
end
rank 1 of 2
t 1000 malloc 0x1000 70 main<grid
end
E
}
# peaks of days: +2 % is below the threshold, a spike goes, +20 % stays
first=aaaaaaaaaaaaaaaa second=bbbbbbbbbbbbbbbb
at 1 100000 $first
at 2 102000 $first
at 3 150000 $first
at 4 100000 $first
at 5 120000 $second
at 6 122400 $second
# another program crept up
for i in 1 2 3 4 5 6 7; do
	at $i $((100000 + 2000 * i)) $first creep
done
h() {
	wm-analyze --quiet --history "$@" 2>/dev/null
}
j() {
	h --json "$2" | python3 -c "import json,sys
j = json.load(sys.stdin)['history']; print($1)"
}

is "a run in a row, by date" "$(j '[r["id"] for r in j["runs"]
	if r["program"] == "app"]' all)" "['1', '2', '3', '4', '5', '6']"
is "the date" "$(j 'j["runs"][0]["started"]' all)" "2023-11-15T22:13:20Z"
is "the build, 12 digits" "$(j 'j["runs"][-1]["build"], len(j["runs"][0]["build"])' all)" \
	"aaaaaaaaaaaa 12"
is "peak of the highest rank, and all ranks" \
	"$(j '[(r["peak_bytes"], r["peak_rank"], r["total_bytes"], r["ranks"])
	for r in j["runs"] if r["program"] == "app"][4]' all)" \
	"(120000, 0, 120070, 2)"
is "change against the run before" "$(j '[r["change"] for r in j["runs"]
	if r["program"] == "app"]' all)" \
	"[None, 2000, 48000, -50000, 20000, 2400]"
is "higher since: the spike did not stay" \
	"$(j '[(r["grew_since"] or "-").rsplit("/")[-1] for r in j["runs"]
	if r["program"] == "app"]' all)" \
	"['-', '-', 'app.3.wm', '-', 'app.5.wm', 'app.5.wm']"
is "who grew, against the run before" \
	"$(j '[(s["program"], g["bytes_a"], g["bytes_b"], g["crept"],
	[(f["name"], f["change"]) for f in g["functions"] if f["change"]])
	for s in j["series"] for g in [s["grew_since"]]][0]' all)" \
	"('app', 100000, 120000, False, [('grid', 20000)])"
is "what crept up, against the lowest" \
	"$(j '[(g["run"].rsplit("/")[-1], g["against"].rsplit("/")[-1], g["change"], g["crept"])
	for s in j["series"] for g in [s["grew_since"]]][1]' all)" \
	"('creep.4.wm', 'creep.1.wm', 6000, True)"
is "another threshold" "$(h --threshold 25% --json all |
	python3 -c 'import json,sys
print([s["grew_since"] for s in json.load(sys.stdin)["history"]["series"]])')" \
	"[None, None]"
h all >text
like "text: a row" "$(cat text)" '2023-11-19 22:13:20 +app +bbbbbbbbbbbb +2 .*117\.2 KiB +117\.3 KiB .*\+19\.5 KiB +20\.0 % +2023-11-19 22:13:20'
like "text: since when" "$(cat text)" \
	'grew since 2023-11-19 22:13:20, build bbbbbbbbbbbb: 97\.7 KiB -> 117\.2 KiB \(\+20\.0 %\)'
like "text: what to type next" "$(cat text)" \
	"--compare all/month/$first/app.4.wm all/month/$second/app.5.wm"
is "CSV: a line a run" "$(h --csv all | cut -d, -f2 | sort | uniq -c | xargs)" \
	"6 app 7 creep 1 program"
like "markdown" "$(h --format markdown all)" '^\| 2023-11-19 22:.*13:20 \| `app` \| bbbbbbbbbbbb'
is "it is good" "$(status wm-analyze -q --history all)" 0

h --svg - all >all.svg
is "picture: a point a run, a ring a build, a line a series" "$(grep -c '<circle' all.svg
grep -c 'circle class="build"' all.svg; grep -c 'path class="line"' all.svg)" "13
3
2"
is "picture: dates are whole days" "$(grep -o '>20[0-9-]*</text>' all.svg | xargs)" \
	"$(printf '>2023-11-%s</text> ' 16 17 18 19 20 21 | sed 's/ $//')"
is "picture: a point's title has the build" \
	"$(grep -o 'build [ab]*' all.svg | sort -u | xargs)" \
	"build aaaaaaaaaaaa build bbbbbbbbbbbb"
ok "picture: XML" python3 -c 'import xml.dom.minidom,sys
xml.dom.minidom.parse("all.svg")'

is "--fail-on growth: the newest against the one before" "$(status \
	wm-analyze -q --fail-on growth=1% --history all
status wm-analyze -q --fail-on growth=2.1% --history all)" "1
0"
like "other limits are refused" "$(wm-analyze --fail-on leaks --history all 2>&1)" \
	'history takes only growth'

# docs/ci.md, "Each night": what it has is what works
sed -n '/^## Each night/,/^## G/{/^```sh/,/^```/{/^```/!p;};}' "$SRC/docs/ci.md" \
	>night.sh
mkdir -p home/traces
cp -r all/month home/traces/
like "the lines of each night" "$(cat night.sh)" '--history --fail-on growth'
printf '#!/bin/sh\nmkdir -p "$WM_DIR"\n' >app.wm
chmod +x app.wm
is "each night: they run" "$(HOME=$PWD/home status bash -e night.sh)" 0
ok "each night: with a picture" test -s peaks.svg

# what cannot be read is said, and the rest told
mkdir -p all/empty.wm all/month/killed.1.wm all/.hidden
cp -r "all/month/$first/app.1.wm" all/bad.9.wm
for f in all/bad.9.wm/rank*; do
	echo junk >"$f"
done
is "a damaged one: status" "$(status wm-analyze -q --history all)" 4
is "the others are there" "$(j 'len(j["runs"])' all)" 13
like "with the reason" "$(j '[u for u in j["unreadable"]]' all)" \
	"all/bad.9.wm.*not a run|all/empty.wm.*holds no file"
is "each of them" "$(j 'sorted(u["run"] for u in j["unreadable"])' all)" \
	"['all/bad.9.wm', 'all/empty.wm', 'all/month/killed.1.wm']"
like "text has it" "$(h all)" '^Not readable$'
like "stderr has it" "$(wm-analyze -q --history all 2>&1 >/dev/null)" \
	"wm-analyze: all/empty.wm: .*holds no file"

# runs whose peak is not to be believed
doubts() {
	wm-analyze -q --json --history "$1" 2>/dev/null | python3 -c '
import json,sys
print([(r["complete"], r["note"]) for r in
	json.load(sys.stdin)["history"]["runs"]])'
}
mkdir mixed back
for rank in 0 1; do
	run mixed/app.1.wm <<E
program app
build-id aa0$rank
id 1
rank $rank of 2
t 1000 malloc 0x1000 1000 main<halo
end
E
done
is "two builds in one run" "$(doubts mixed)" \
	"[(False, 'its traces come from different builds')]"
is "two builds in one run: status" "$(status wm-analyze -q --history mixed)" 4
run back/app.1.wm <<'E'
program app
build-id aa01
rank 0 of 1
t 5001000000 malloc 0x1000 1000 main<solve
block
t 2001000000 malloc 0x2000 500 main<mesh
end
E
like "a clock that went back" "$(doubts back)" "^\[\(False, 'the clock of"
mkdir none
is "no run: status 3" "$(status wm-analyze --history none)" 3
like "and says so" "$(wm-analyze --history none 2>&1)" "'none': no run directory"
is "no directory: usage" "$(status wm-analyze --history)" 2
is "a threshold that is none" "$(status wm-analyze --history --threshold x all)" 2
done_testing
