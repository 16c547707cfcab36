# SPDX-License-Identifier: Apache-2.0
# The reports on a run small enough to count by hand.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

run app.7.wm <<'E'
program app
id 7
elf app.wm
build-id 0123456789abcdef
tick-ns 0.5
host alpha
rank 0 of 2
t 3000000 malloc 0x1000 1000 main<setup
t 5000000 calloc 0x2000 500 main<solve<_Znwm
t 7000000 aligned 0x3000 200 main<solve
t 9000000 free 0x2000
t 11000000 new 0x4000 50 main<solve
t 13000000 realloc 0x4000 0x5000 100 main<grow
t 15000000 out 0x5000
t 15000000 gone
t 17000000 failed 99999999 main<solve
t 21000000 free 0x1000
end
host beta
rank 1 of 2
t 3000000 malloc 0x1000 4000 main<setup
t 4000000 malloc 0x2000 0 main<setup
t 5000000 free 0x1000
t 7000000 malloc 0x8000 100 main<setup
end
E
is "good runs exit with 0" "$(status wm-analyze app.7.wm)" 0
is "schema" "$(json 'j["schema"]')" wmtools.report/1
is "run" "$(json '[j["run"][k] for k in ("program", "id", "ranks", "nodes",
	"complete", "salvaged_ranks")]')" "['app', '7', 2, 2, True, []]"
is "peaks" "$(json 'j["heap"]["peak"]')" "{'max': 4000, 'max_rank': 1, 'max_at_most': 4000, \
'min': 1700, 'min_rank': 0, 'mean': 2850.0, 'stddev': 1150.0}"
is "rank 0" "$(json '[j["ranks"][0][k] for k in ("rank", "node",
	"peak_bytes", "peak_time_s", "events", "unfreed_bytes",
	"unfreed_blocks")]')" "[0, 'alpha', 1700, 0.003, 9, 200, 1]"
is "rank 1" "$(json '[j["ranks"][1][k] for k in ("rank", "node",
	"peak_bytes", "peak_time_s", "events", "unfreed_bytes",
	"unfreed_blocks")]')" "[1, 'beta', 4000, 0.001, 4, 100, 2]"
is "events are API calls" "$(json 'j["events"]')" "{'malloc': 4, \
'calloc': 1, 'realloc': 3, 'free': 3, 'aligned': 1, 'failed': 1, \
'new': 0, 'delete': 0, 'map': 0, 'unmap': 0, 'remap': 0, 'brk': 0, 'shm': 0, \
'shm_gone': 0, 'mpi': 0, 'mpi_free': 0, 'thread_stacks': 0, \
'dropped': 0, 'unknown_free': 0, 'inherited_free': 0, \
'conflicts': 0, 'total': 13}"
is "no census, no static memory" "$(json 'j["static"]')" None
is "tool" "$(json 'sorted(j["tool"])')" "['memory_bytes', 'paths_bytes', \
'resident_bytes', 'start_bytes', 'thread_bytes', 'trace_bytes']"
is "functions are of the worst rank" \
	"$(json '[(f["name"], f["bytes"], f["blocks"]) for f in j["functions"]]')" \
	"[('setup', 4000, 1)]"
is "operator new is nobody's site" \
	"$(json '[(f["name"], f["bytes"], f["blocks"]) for f in j["functions"]]' \
	--rank 0)" "[('setup', 1000, 1), ('solve', 700, 2)]"
is "the rank with the lowest peak" "$(json 'j["functions"]' --rank min)" \
	"$(json 'j["functions"]' --rank 0)"
is "all ranks, each at its own peak" \
	"$(json '[(f["name"], f["bytes"], f["blocks"]) for f in j["functions"]]' \
	--rank all)" "[('setup', 5000, 2), ('solve', 700, 2)]"
is "a block of 0 bytes leaks, too" \
	"$(json '[(f["name"], f["bytes"], f["blocks"]) for f in j["leaks"]]')" \
	"[('setup', 100, 2)]"
is "leaks of all ranks" \
	"$(json '[(f["name"], f["bytes"], f["blocks"]) for f in j["leaks"]]' \
	--rank all)" "[('solve', 200, 1), ('setup', 100, 2)]"

text=$(wm-analyze)
like "summary: who and where" "$text" '^app  run 7$'
like "summary: ranks and nodes" "$text" '2 of 2 ranks on 2 nodes'
like "summary: worst rank" "$text" 'highest +3\.9 KiB +4,000  rank 1 at .* beta'
like "summary: best rank" "$text" 'lowest +1\.7 KiB +1,700  rank 0 at'
like "summary: mean" "$text" 'mean +2\.8 KiB +2,850'
like "summary: stddev" "$text" 'stddev +1\.1 KiB +1,150'
like "summary: events" "$text" '13: malloc 4, calloc 1, realloc 3,'
like "summary: never freed" "$text" 'never freed  300 bytes in 3 blocks'
like "summary: says that there is no census" "$text" 'no census'
has_no "summary: at most 100 columns" '.{101}' wm-analyze

text=$(wm-analyze --functions --rank 0)
like "functions: share and size" "$text" '58\.8 %   1000 bytes +1  setup'
like "functions: call path" "$(printf '%s' "$text" | tr -d '\n ')" 'setupmain'
has_no "functions: the frame above the site is not shown" 'operator new' \
	wm-analyze --functions --rank 0
like "functions --top" "$(wm-analyze --functions --rank 0 --top 1)" \
	'700 bytes +2  1 more function'
like "leaks" "$(wm-analyze --leaks --rank 0)" '^app  run 7: 200 bytes in 1 bl'

text=$(wm-analyze --timeline --rank 0 --top 10)
is "timeline: rows" "$(printf '%s\n' "$text" | grep -c ' s  ')" 10
like "timeline: the peak is the longest bar" \
	"$(printf '%s\n' "$text" | grep ' 1\.7 KiB .*#' | head -1)" '#{36}$'
like "timeline of all ranks" "$(wm-analyze --timeline --rank all)" \
	'lowest +mean +highest'
is "timeline in JSON" "$(json 'max(j["timeline"][0]["max_bytes"])' --timeline)" \
	4000
ok "a picture" wm-analyze --timeline --svg t.svg --quiet
ok "the picture is XML" python3 -c \
	'import xml.dom.minidom as m; m.parse("t.svg")'
ok "a picture of all ranks" wm-analyze --timeline --rank all --svg all.svg
ok "it is XML, too" python3 -c \
	'import xml.dom.minidom as m; m.parse("all.svg")'
like "the picture on stdout" "$(wm-analyze --timeline --svg -)" '^<svg .*'

ok "one thread" sh -c "wm-analyze --json -j 1 --rank all >one.json"
ok "seven threads" sh -c "wm-analyze --json -j 7 --rank all >seven.json"
ok "the same for any number of threads" cmp one.json seven.json
has_no "no colour in a pipe" $'\033' wm-analyze
like "colour when asked for" "$(wm-analyze --color always)" $'\033\\[1m'
is "no stderr when all is well, but for what is read outside of the run" \
	"$(wm-analyze 2>&1 >/dev/null | sed "s|'.*/app.wm'|APP|"; \
		wm-analyze --quiet 2>&1 >/dev/null)" \
	"wm-analyze: for information: also read APP, which the traces name"

# A function that allocates in two lines: the line that holds most stands for
# it.  A real executable with line information, and a trace with its addresses.
if command -v gcc >/dev/null; then
	bring report/line.c
	gcc -g -O0 -no-pie -Wl,--build-id=0x0badcafe -o line line.c
	calls=$(objdump -d --no-show-raw-insn line | awk '
		/<two>:/ { on = 1 } /^$/ { on = 0 }
		hit { sub(":", "", $1); print "0x" $1; hit = 0 }
		on && /call.*malloc/ { hit = 1 }')
	set -- $calls
	run line.1.wm <<E
exe $PWD/line
program line
build-id 0badcafe
rank 0 of 1
t 1000010 malloc 0x1000 10 $1
t 1000020 malloc 0x2000 1000 $2
t 1000030 malloc 0x3000 20 $3
end
E
	is "function, file and line from the executable" \
		"$(json '[(f["name"], f["file"].split("/")[-1], f["line"],
		f["bytes"]) for f in j["functions"]]' line.1.wm)" \
		"[('two', 'line.c', 9, 1030)]"
	like "call paths tell each line" \
		"$(wm-analyze --functions line.1.wm)" 'two  line\.c:10'
	gcc -g -O1 -no-pie -Wl,--build-id=0x0badbeef -o line line.c
	is "an executable of another build is not asked" \
		"$(json 'j["functions"][0]["name"].split("+")[0]' line.1.wm)" \
		"?? (line"
fi

# One of a thing is not "1 blocks"; each key of the JSON is in docs/json.md.
run single.1.wm <<'E'
elf single
build-id 0077
rank 0 of 1
t 1000010 malloc 0x1000 500 main<only
t 1000020 phase solve
t 1000030 name 0x1000 field
t 1000040 snapshot here
end
E
for r in --summary --functions --tree --leaks --snapshots --imbalance; do
	has_no "$r counts one of a thing as one" '\b1 (blocks|ranks|nodes)\b' \
		wm-analyze $r single.1.wm
done
while read -r r; do
	case $r in
	--repack | --compare) continue ;;
	esac
	wm-analyze -q $r --json single.1.wm 2>/dev/null
done < <(reports) >objects.json
wm-analyze -q --timeline --by sites --json single.1.wm >>objects.json
wm-analyze -q --fail-on leaks=1K --compare --json single.1.wm:0 \
	single.1.wm:max >>objects.json
cat >keys.py <<'E'
import json, re, sys
known = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]*`",
    open(sys.argv[1]).read()))))
missing, objects = set(), 0
def walk(o):
    for k, v in o.items() if isinstance(o, dict) else enumerate(o):
        if isinstance(k, str) and k not in known:
            missing.add(k)
        if isinstance(v, (dict, list)):
            walk(v)
text = open("objects.json").read()
while text.strip():
    o, end = json.JSONDecoder().raw_decode(text)
    text = text[end:].lstrip()
    objects += 1
    walk(o)
print(sorted(missing), objects > 10)
E
is "every key of the JSON is in docs/json.md" \
	"$(python3 keys.py "$SRC/docs/json.md")" "[] True"
done_testing
