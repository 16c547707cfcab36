# SPDX-License-Identifier: Apache-2.0
# --format markdown as a parser of GitHub's Markdown reads it: the tables have
# all their rows, names are as in JSON, and no name is a link, a tag or a table.
. "$(dirname "$0")/../lib.sh" analyze-lib python3 cmark-gfm

"$SRC/tests/tools/hostile" strange
{
	cat <<'E'
program |a`b*c*
elf app
id 1
E
	for r in 0 1; do
		echo "rank $r of 2"
		t=1000
		while IFS= read -r name; do
			t=$((t + 1000))
			echo "t $t phase $name"
			echo "t $t snapshot $name"
			echo "t $t malloc 0x$((t))0 $((t * (r + 1))) main<$name"
			echo "t $t name 0x$((t))0 $name"
		done <<'E'
a|b
|x|y|
`x`
``x|y``
\|
\
x\
`
**bold**
_under_
~~gone~~
[x](https://example.org)
![x](x.png)
https://example.org/
www.example.org
me@example.org
@everyone
x#12
:smile:
&lt;b&gt;
&#124;
-->
$x$
---|---
1.
-
+
=
>
:-:
E
		echo end
	done
} | run app.1.wm

cat >markup.py <<'E'
"""markup.py FUNCTIONS|- FILE: what is in the HTML on stdin that no report makes;
with a JSON report, whether the rows of the table are its functions."""
import json, sys
from html.parser import HTMLParser

TAGS = set("h2 h3 p br table thead tbody tr th td code span".split())

class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.bad, self.rows, self.open = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS or any(a != ("align", "right") for a in attrs):
            self.bad.append((tag, attrs))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append(["", ""])
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag != "br" and (not self.open or self.open.pop() != tag):
            self.bad.append("/" + tag)

    def handle_data(self, data):
        if self.open and self.open[-1] == "span" and data != "$":
            self.bad.append(data)
        if self.rows and "td" in self.open:
            self.rows[-1][-1]["code" in self.open] += data

    def handle_comment(self, data):
        if data != " ":
            self.bad.append(data)

    handle_decl = handle_pi = unknown_decl = handle_comment

page = Page()
page.feed(sys.stdin.read())
page.close()
print(page.bad, page.open, len(page.rows) > 1, end="")
if sys.argv[1] != "-":
    want = sorted((f["name"], str(f["blocks"]))
                  for f in json.load(open(sys.argv[1]))["functions"])
    got = sorted((r[-1][1], r[2][0]) for r in page.rows[1:] if r[2][0])
    print("", [w for w in want if w not in got],
          [g for g in got if g not in want], len(want), end="")
E
# parsed JSON|- REPORT...: of all extensions that sites have
parsed() {
	local json=$1
	shift
	wm-analyze -q --format markdown "$@" 2>/dev/null |
		cmark-gfm --unsafe -e table -e autolink -e strikethrough \
			-e tasklist |
		python3 markup.py "$json"
}

for run in app strange; do
	wm-analyze -q --json $run.1.wm >$run.json 2>/dev/null
	n=$(python3 -c "import json
print(len(json.load(open('$run.json'))['functions']))")
	ok "$run: $n functions" test "$n" -gt 10
	is "$run: each function is a row, with its blocks" "$(parsed $run.json \
		--functions --top all $run.1.wm)" "[] [] True [] [] $n"
	for report in --summary --leaks --tree "--tree --bottom-up" --files \
		--imbalance --timeline "--timeline --by sites" --libraries \
		--temporaries --sizes --snapshots --static-report \
		"--compare strange.1.wm"; do
		[ "$run $report" != "app --static-report" ] || continue
		is "$run: $report" "$(parsed - $report --top all $run.1.wm)" \
			"[] [] True"
	done
done
done_testing
