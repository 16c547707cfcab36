# SPDX-License-Identifier: Apache-2.0
# --html: every report on one page; --tree --svg: the call tree as a picture.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib python3

run app.1.wm <<'X'
program a<b>&c
elf app
rank 0 of 2
t 1000 malloc 0x1000 3000 main<make<inner
t 2000 malloc 0x2000 1000 main<other
t 3000 free 0x1000
end
rank 1 of 2
t 1000 malloc 0x1000 70 main<other
end
X

cat >check.py <<'X'
"""Well-formed?  Prints the ids of sections, and how many pictures."""
import html.parser, sys
VOID = {"meta", "link", "br"}
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.svg, self.tables = [], [], 0, 0
    def handle_starttag(self, tag, attrs):
        if tag == "section":
            self.ids.append(dict(attrs)["id"])
        self.svg += tag == "svg"
        self.tables += tag == "table"
        if tag not in VOID:
            self.open.append(tag)
    def handle_endtag(self, tag):
        top = self.open.pop()
        if top != tag:
            sys.exit("</%s> closes <%s>" % (tag, top))
p = Page()
text = open(sys.argv[1]).read()
p.feed(text)
if p.open:
    sys.exit("left open: %s" % p.open)
print(" ".join(p.ids), p.svg, p.tables > 5, "://" in
      text.replace("http://www.w3.org/2000/svg", ""))
X

ok "a page is written" wm-analyze --html page.html app.1.wm
is "it is well-formed and needs no other file; its plain part is the summary and
pictures" "$(python3 check.py page.html 2>&1)" \
	"summary tree timeline imbalance 3 True False"
like "names are text" "$(cat page.html)" 'a&lt;b&gt;&amp;c'
section() { # NAME
	sed -n "/<section id=\"$1\"/,/<.section>/p" page.html
}
has_no "nothing is text as the terminal has it" '<pre' cat page.html
like "facts are rows" "$(section summary)" \
	'<tr><td>highest</td><td class=n data-v="4000">3\.9 KiB</td>.*rank 0 at'
is "to stdout" "$(wm-analyze --html - app.1.wm | cmp - page.html && echo same)" \
	same

is "usage: no JSON" "$(status wm-analyze --html x --json app.1.wm)" 2
is "a file that cannot be made" \
	"$(status wm-analyze --html no/such/page.html app.1.wm)" 3

# widths in pixels of bars, by name, of the picture of the tree
bars() {
	wm-analyze --tree --svg - "$@" app.1.wm | python3 -c '
import re, sys
import xml.dom.minidom as d
x = d.parse(sys.stdin)
for g in x.getElementsByTagName("g"):
    name = g.getElementsByTagName("title")[0].firstChild.data.split(":")[0]
    width = g.getElementsByTagName("rect")[0].getAttribute("width")
    print(name, round(float(width) / 940 * 4000), end=" ")'
}
is "the call tree as bars, as wide as their bytes" "$(bars)" \
	"main 4000 make 3000 inner 3000 other 1000 "
is "bottom-up" "$(bars --bottom-up)" \
	"inner 3000 make 3000 main 3000 other 1000 main 1000 "
is "usage: no picture of a list" \
	"$(status wm-analyze --functions --svg x app.1.wm)" 2
done_testing
