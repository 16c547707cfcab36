#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Names that would do something to a terminal, to lines, to a spreadsheet or to
# a browser: of the program, the run, the host, functions, files, modules,
# phases and blocks.  Whatever is written, in any form, is printable UTF-8.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

"$SRC/tests/tools/hostile" strange

plain=$SRC/tests/tools/is-plain
reports >list
n=0
bad=0
while read -r report; do
	case $report in
	--repack*) continue ;;
	*pprof*) continue ;; # binary; below
	esac
	for form in "" --json --csv "--format markdown" "--svg -"; do
		for run in strange.1.wm "strange.1.wm strange.1.wm"; do
			wm-analyze $report $form $run >out 2>err </dev/null
			case $? in
			0 | 4) n=$((n + 1)) ;;
			esac
			"$plain" out err >why && continue
			bad=$((bad + 1))
			{ echo "$report $form:"; cat why; } | sed 's/^/# /'
		done
	done
done <list
is "every report in every form is plain ($n)" "$bad,$((n > 30))" 0,1

wm-analyze --export pprof --output p.gz strange.1.wm 2>/dev/null
zcat p.gz | LC_ALL=C grep -aqP '\x1b\[31m|\xff\xfe|\nforged' && found=1 || found=0
is "pprof: the same of its strings" "$found,$(stat -c %F p.gz)" \
	"0,regular file"

# what is shown instead, and what stays as it is
like "a control character as its byte" "$(wm-analyze -q --functions --top all \
	strange.1.wm 2>/dev/null)" 'esc\\x1b\[31mred\\x07'
like "invalid UTF-8 as its bytes" "$(wm-analyze -q --functions --top all \
	strange.1.wm 2>/dev/null)" 'bad\\xff\\xfe'
ok "names in any script stay" grep -q 'größe_λ_変数::operator-' <(wm-analyze \
	-q --functions --top all strange.1.wm 2>/dev/null)
is "a name that is cut has no half byte before the dots" "$(wm-analyze -q \
	--functions --top all strange.1.wm 2>/dev/null |
	grep -oE '.x[0-9a-f]{0,2}\.\.\.' | sort -u)" '\x07...'
json_name() {
	wm-analyze -q --functions --json strange.1.wm 2>/dev/null | python3 -c '
import json, sys
print([f["name"] for f in json.load(sys.stdin)["functions"]
       if f["name"].startswith(sys.argv[1])])' "$1"
}
is "JSON has the same names" "$(json_name nl)" "['nl\\\\x0aforged: 1']"

# CSV: no cell is a formula
cat >cells.py <<'E2'
import csv, sys
rows = list(csv.reader(sys.stdin))
print(sorted(c for r in rows for c in r
             if c and (c[0] in "=@\t\r" or
                       (c[0] in "+-" and not c[1:].isdigit()))))
E2
for report in --functions --leaks --tree "--export csv" --static-report; do
	csv=--csv
	[ "$report" != "--export csv" ] || csv=
	is "CSV of $report: no formula" "$(wm-analyze -q $report $csv \
		strange.1.wm 2>/dev/null | python3 cells.py)" "[]"
done
wm-analyze -q --functions --csv strange.1.wm >out 2>/dev/null
ok "an apostrophe before what would be one" grep -q "^'=cmd|'/c calc'!A1," out
ok "and before -" grep -q "^'-\[Field add\]," out
ok "an operator is no formula" grep -q '^größe_λ_変数::operator-,' out
is "numbers stay numbers" "$(wm-analyze -q --compare --csv strange.1.wm \
	strange.1.wm 2>/dev/null | python3 -c '
import csv, sys
print({r["change"] for r in csv.DictReader(sys.stdin)})')" "{'0'}"

# Names as they are typed: of runs, and with --fail-on.
evil=$'esc\e[31m\nforged\xff'
cp -r strange.1.wm "$evil.1.wm"
cp -r strange.1.wm "$evil.2.wm"
cp strange.1.wm/rank-000000.wmt.xz "$evil.1.wm/rank-000000.child-7.wmt.xz"
n=0
bad=0
for report in "" --functions --imbalance --static-report "--static-report -q" \
		--compare --json \
		--model "--model --json" "--compare --json" "--compare --csv" \
		"--fail-on peak=1 --fail-on leaks" --leaks; do
	case $report in
	*--model*) runs=("$evil.1.wm" "$evil.2.wm" "$evil.1.wm")
		report+=" --problem-size 1,2,4" ;;
	*--compare* | "--static-report "*) runs=("$evil.1.wm" "$evil.2.wm") ;;
	*) runs=("$evil.1.wm") ;;
	esac
	wm-analyze $report "${runs[@]}" >out 2>err </dev/null
	n=$((n + 1))
	"$plain" out err >why && continue
	bad=$((bad + 1))
	{ echo "$report:"; cat why; } | sed 's/^/# /'
done
is "names of runs are plain in every report ($n)" "$bad" 0
for words in "--compare" "--model" "--by" "--rank" "--repack --output" \
		"--svg" "--export" "--fail-on" "--fold"; do
	wm-analyze $words "$evil" nothing.wm >out 2>err </dev/null
	ok "what is wrong is said in plain words: $words" "$plain" out err
done
cp strange.1.wm/rank-000000.wmt.xz "$evil.wmt.xz"
cp strange.1.wm/rank-000000.wmt.xz "2$evil.wmt.xz"
wm-analyze --repack --output repacked "$evil.wmt.xz" "2$evil.wmt.xz" >out 2>err
ok "--repack: names of traces" "$plain" out err
like "--repack: both are named" "$(cat out)" 2esc.x1b.31m.x0aforged

# ---- the other commands ----
printf 'int main(void) { return 0; }\n' >evil.c
echo none >"$evil.o"
mkdir "$evil.wm"
wmcc -o "$evil" evil.c 2>err
ok "wmcc: a name that is taken" "$plain" err
like "wmcc: it has said so" "$(cat err)" 'forged.*\.wm'
WM_CC="./$evil.none" wmcc -o app evil.c 2>err
ok "wmcc: a compiler that is missing" "$plain" err
WM_LINK=$evil wmcc -o app evil.c 2>err
ok "wmcc: a variable" "$plain" err
for command in wm-run wm-census "wm-census -$evil" "wm-collect --to" \
		"wm-collect --$evil" "wm-collect --to there --from"; do
	$command "$evil.o" >out 2>err </dev/null
	ok "${command%%esc*} says it in plain words" "$plain" out err
	like "${command%%esc*} says something" "$(cat err)" .
done
mkdir here
mkdir "here/$evil.1.wm"
: >"here/$evil.1.wm/rank-000000.wmt.xz"
wm-collect --from here --to "$evil.there" >out 2>err
ok "wm-collect: a run" "$plain" out err
like "wm-collect: it is named" "$(cat err)" '^wm-collect: esc.x1b.31m.x0aforged'

# ---- the runtime ----
wmcc -static -fno-builtin -o families "$SRC/tests/progs/families.c" 2>build.log
WM_NAME=$evil WM_SUMMARY=1 ./families.wm >out 2>err
ok "the table of WM_SUMMARY" "$plain" err
like "the table of WM_SUMMARY names the program" "$(cat err)" \
	'^wmtrace: esc.x1b.31m.x0aforged'
WM_DIR=$W/evil.c/$evil ./families.wm >out 2>err
ok "a directory that cannot be written to" "$plain" err
like "it is named" "$(cat err)" 'esc.x1b.31m.x0aforged'
WM_TIME_RES=$evil ./families.wm >out 2>err
ok "a value that is not known" "$plain" err
like "it is said" "$(cat err)" 'esc.x1b.31m.x0aforged'

# A path that is not plain is found all the same.
dir=$'a\xffb'
mkdir "$dir"
printf '#include <stdlib.h>\nint main(void){return !malloc(77);}\n' >"$dir/app.c"
wmcc -g -static -o "$dir/app" "$dir/app.c"
(cd "$dir" && WM_RUN_ID=1 WM_DIR="$W" ./app.wm)
rm -f app.1.wm/program.wmc.xz
like "the executable below a path that is no UTF-8" \
	"$(wm-analyze --functions app.1.wm 2>&1)" 'main +app\.c'
done_testing
