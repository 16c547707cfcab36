# SPDX-License-Identifier: Apache-2.0
# wm-analyze --csv, and options where they do not belong.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib python3

run app.1.wm <<'E'
program app
elf app
id 1
rank 0 of 2
t 1000 malloc 0x1000 100 main<make
t 2000 malloc 0x2000 50 main<other
t 3000 free 0x1000
end
rank 1 of 2
t 1000 malloc 0x1000 70 main<other
end
E

# csv EXPRESSION ARGUMENT...: prints a value of the rows, c, of --csv
csv() {
	local e=$1
	shift
	wm-analyze --quiet --csv "$@" app.1.wm 2>/dev/null | python3 -c \
		"import csv,sys; c=list(csv.DictReader(sys.stdin)); print($e)"
}

is "summary: a row for each rank" \
	"$(csv '[(r["rank"],r["peak_bytes"],r["unfreed_bytes"]) for r in c]')" \
	"[('0', '150', '50'), ('1', '70', '70')]"
is "functions" "$(csv '[(r["name"],r["bytes"],r["blocks"]) for r in c]' \
	--functions)" "[('make', '100', '1'), ('other', '50', '1')]"
is "leaks" "$(csv '[(r["name"],r["bytes"]) for r in c]' --leaks --rank all)" \
	"[('other', '120')]"
is "timeline: of all ranks" "$(csv 'sorted({r["rank"] for r in c})' \
	--timeline --rank all)" "['0', '1']"
is "timeline: the peak" "$(csv 'max(int(r["max_bytes"]) for r in c)' \
	--timeline)" 150
is "usage: not for --repack" "$(status wm-analyze --repack --csv app.1.wm)" 2
is "usage: not with --json" "$(status wm-analyze --json --csv app.1.wm)" 2
is "usage: --svg without --timeline" \
	"$(status wm-analyze --functions --svg x app.1.wm)" 2
is "usage: an empty value" \
	"$(status wm-analyze --timeline --svg '' app.1.wm)" 2
is "usage: --csv and --svg -" \
	"$(status wm-analyze --timeline --csv --svg - app.1.wm)" 2
done_testing
