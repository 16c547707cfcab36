# SPDX-License-Identifier: Apache-2.0
# wm-analyze --static-report of a program from wmcc, and of a run of it.
. "$(dirname "$0")/../lib.sh" census-lib jq
need_tools

bring census/grid.c
echo 'int shared_block[300];' >block.c
gcc -g -O1 -c grid.c && gcc -g -O1 -fcommon -c block.c
ok "wmcc links" env WM_CC=gcc wmcc -static grid.o block.o -o app
ok "the twin has a census" census-dump app.wm sections
ok "of the plain program" sections_match app
ok "rows add up" rows_add_up app

report() { wm-analyze --static-report "$@"; }
ok "text" report app.wm
report app.wm >text
like "the title" "$(head -1 text)" \
	'^static memory of app, per process: 3\.8 MiB$'
like "a section" "$(cat text)" '^  \.bss +bss +4,0[0-9,]+ +99\.[0-9] %$'
like "COMMON below it" "$(grep -A1 '^  \.bss' text)" \
	'^    of it COMMON +1,200 +0\.0 %$'
like "an object" "$(cat text)" '^ +4,001,[0-9]+  grid\.o$'
like "its largest variable follows" "$(grep -A1 'grid\.o$' text)" \
	'^ +4,000,000  \.bss +grid  grid\.c:12$'
like "a COMMON variable" "$(cat text)" \
	'^ +1,200  \.bss +shared_block \(COMMON\)  block\.c:1$'
is "--top 2: two variables" "$(report --top 2 app.wm |
	sed '1,/^variables/d; /^not counted/,$d' | grep -c '  \.')" 2
like "--top 2: the rest is counted" "$(report --top 2 app.wm)" \
	'^ +[0-9,]+  [0-9]+ smaller$'
like "and how to see it" "$(cat text)" \
	'^ +[0-9,]+  [0-9]+ smaller \(--top all\)$'
is "text adds up" "$(report --top 0 app.wm |
	sed '1,/^variables/d; /^not counted/,$d' |
	sed -n 's/^ *\([0-9,]*\)  [^ (]* .*/\1/p' | tr -d , |
	awk '{s += $1} END {print s}')" \
	"$(report --json app.wm | jq .static.bytes)"

ok "JSON" eval 'report --json app.wm >json'
is "schema" "$(jq -r .schema json)" wmtools.report/1
is "program" "$(jq -r .program json)" app
is "each section's rows add up" "$(jq -c '[.sections[] |
	select(.bytes != ([.rows[].bytes] | add // 0))]' json)" "[]"
is "sections and rows descend by bytes" "$(jq -c '[.sections[].bytes] as $s |
	$s == ($s | sort | reverse) and all(.sections[];
		[.rows[].bytes] as $r | $r == ($r | sort | reverse))' json)" true
is "classes add up" "$(jq -c '. as $d | .static | [.data, .bss, .tls, .rodata,
	.relro, .other] == (["data", "bss", "tls", "rodata", "relro", "other"] |
	map(. as $c | [$d.sections[] | select(.class == $c).bytes] | add // 0))
	' json)" true
is "static bytes" "$(jq '.static | .bytes == .data + .bss + .tls' json)" true
is "all sections of readelf" "$(jq -r '.sections[] | "\(.name) \(.bytes)"' json |
	sort)" "$(sort app.wanted)"
is "a variable" "$(jq -c '.sections[].rows[] | select(.name == "grid") |
	[.bytes, .object, (.file | sub(".*/"; "")), .line, .common]' json)" \
	'[4000000,"grid.o","grid.c",12,false]'
is "COMMON" "$(jq -c '[.sections[] | select(.name == ".bss").common,
	(.rows[] | select(.common) | .name)]' json)" '[1200,"shared_block"]'
is "static memory is .data, .bss, .tdata and .tbss" \
	"$(jq .static.bytes json)" "$(awk '$1 ~ /^\.(data|bss|tdata|tbss)$/ {
		n += $2 } END { print n }' app.wanted)"

is "rows add up to each section" "$(jq -c '[.sections[] | select(.bytes !=
	([.rows[].bytes] | add // 0)).name]' json)" "[]"
is "CSV: all rows" "$(report --csv app.wm | tail -n +2 | wc -l)" \
	"$(jq '[.sections[].rows[]] | length' json)"
like "CSV: a variable" "$(report --csv app.wm)" \
	'^\.bss,bss,grid,4000000,grid\.o,.*grid\.c,12,0$'

# another build
mkdir new
(cd new && gcc -g -O1 -DNEW -c ../grid.c && cp ../block.o . &&
	WM_CC=gcc wmcc -static grid.o block.o -o app) >/dev/null 2>&1
ok "two builds" eval 'report --json app.wm new/app.wm >two'
is "what changed" "$(jq -c '[.static_compare.variables[] |
	select(.name != null and .change != 0 and .class != "other" and
	(.name | test("^(grid|counts|fresh|scratch|shared_block)$"))) |
	[.name, .section, .object, .bytes_a, .bytes_b, .change, .status]]' two)" \
	'[["grid",".bss","grid.o",4000000,8000000,4000000,"grew"],'"\
"'["counts",".data","grid.o",1000,0,-1000,"vanished"],'"\
"'["fresh",".data","grid.o",0,400,400,"appeared"]]'
is "the change adds up" "$(jq -c '.static_compare | [([.variables[] |
	select(.class == "data" or .class == "bss" or .class == "tls").change] |
	add) == .change, ([.sections[] | select(.class == "data" or
	.class == "bss" or .class == "tls").change] | add) == .change,
	.b.bytes - .a.bytes == .change]' two)" "[true,true,true]"
like "text: the change" "$(report app.wm new/app.wm)" \
	'^ +3\.8 MiB +7\.6 MiB +\+3\.8 MiB +grew +\.bss +grid +grid\.o$'
is "CSV: as many rows" "$(report --csv app.wm new/app.wm | tail -n +2 | wc -l)" \
	"$(jq '.static_compare.variables | length' two)"
is "a build and itself" "$(report --json app.wm app.wm |
	jq -c '[.static_compare.variables[].status] | unique')" '["same"]'
report --fail-on growth=1M app.wm new/app.wm >/dev/null 2>err
is "--fail-on growth" $? 1
like "who grew" "$(cat err)" 'growth=1M: 3\.8 MiB more .*most of it in grid: '
report --fail-on growth=101% app.wm new/app.wm >/dev/null 2>&1
is "within the limit" $? 0
report --fail-on growth=1M app.wm >/dev/null 2>&1
is "of one: usage" $? 2
report --fail-on peak=1M app.wm new/app.wm >/dev/null 2>&1
is "another limit: usage" $? 2
report app.wm nowhere.wm >/dev/null 2>&1
is "the second is not there" $? 3

strip app.wm
is "after strip it is the same" "$(report --json app.wm | sha256sum)" \
	"$(sha256sum <json)"
ok "it runs" ./app.wm
run=$(ls -d app.*.wm | head -1)
is "the run has the bundle" "$(ls "$run" | grep -c '^program\.wmc\.xz$')" 1
rm app.wm
is "the report of the run is the same" \
	"$(report --json "$run" | grep -v '^  "share": ' | sha256sum)" \
	"$(sha256sum <json)"
is "in a run: the share of what the rank needs" "$(report --json "$run" |
	jq -c '.static.bytes as $s | .share | [.rank, .peak_bytes, .static_bytes
	== $s, .total_bytes == $s + .peak_bytes, .percent > 99]')" \
	"[0,$(wm-analyze -q --json "$run" | jq .heap.peak.max),true,true,true]"
like "in text, too" "$(report "$run")" \
	'^100\.0 % of the 3\.8 MiB that rank 0 needs for static memory and for the heap at its peak$'
is "the summary's figure is the same" \
	"$(wm-analyze --json "$run" | jq -c .static)" "$(jq -c .static json)"

# the same source gives the same bundle, one step and temporary names included
for n in 1 2; do
	WM_CC=gcc wmcc -g -static -fcommon grid.c block.c -o once
	census-dump once.wm rows | sha256sum >rows.$n
	objcopy -O binary --only-section=.wm_census \
		--set-section-flags .wm_census=alloc once.wm bundle.$n \
		2>/dev/null
done
ok "two builds, one census" cmp rows.1 rows.2
ok "two builds, one bundle" cmp bundle.1 bundle.2

# stripped by the user's own link
ok "wmcc -s links" env WM_CC=gcc wmcc -s -static grid.o block.o -o small
is "the plain program is stripped" "$(readelf -SW small | grep -c symtab)" 0
like "its variables are known" "$(report small.wm)" \
	'^ +4,000,000  \.bss +grid  grid\.c:12$'

# what cannot be reported
report app >out 2>&1
is "not relinked: exit status" $? 3
like "not relinked: why" "$(cat out)" "^wm-analyze: 'app': no section"
report grid.c >out 2>&1
is "foreign file: exit status" $? 3
like "foreign file: why" "$(cat out)" \
	"^wm-analyze: 'grid\.c': neither a relinked program nor a bundle$"
printf 'XXXX' | dd of="$run/program.wmc.xz" bs=1 seek=200 conv=notrunc 2>/dev/null
report "$run" >out 2>&1
is "damaged bundle: exit status" $? 3
like "damaged bundle: why" "$(cat out)" "damaged bundle"
done_testing
