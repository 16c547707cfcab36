#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Names that would do something to a terminal, to lines, to a spreadsheet or to
# a browser: of the program, the run, the host, functions, files, modules,
# phases and blocks.  Whatever is written, in any form, is printable UTF-8.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/analyze-lib.sh"
command -v python3 >/dev/null || skip_all "no python3"

"$SRC/tests/tools/hostile" strange

# words FILE...: what is in them that no name may bring into text
cat >words.py <<'E2'
import sys
bad = 0
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    try:
        text = data.decode()
    except UnicodeDecodeError as e:
        print(name, "is no UTF-8:", e)
        bad = 1
        continue
    for c in text:
        if (ord(c) < 32 and c != "\n") or 0x7f <= ord(c) < 0xa0 or \
           c in "\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u200f\ufeff":
            print(name, "has", hex(ord(c)))
            bad = 1
            break
    # a name with a line feed in it would begin a line
    if "\nforged" in text:
        print(name, "has a forged line")
        bad = 1
sys.exit(bad)
E2
reports >list
n=0
bad=0
while read -r report; do
	case $report in
	--repack*) continue ;;
	*pprof*) continue ;; # binary; below
	esac
	for form in "" --json --csv "--svg -"; do
		for run in strange.1.wm "strange.1.wm strange.1.wm"; do
			wm-analyze $report $form $run >out 2>err </dev/null
			case $? in
			0 | 4) n=$((n + 1)) ;;
			esac
			python3 words.py out err >why && continue
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
