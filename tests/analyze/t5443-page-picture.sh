# SPDX-License-Identifier: Apache-2.0
# --pages --svg: addresses over time, with structures where they are.
. "$(dirname "$0")/../lib.sh" analyze-lib
command -v xmllint >/dev/null && lint=xmllint

picture() { # RUN COLUMNS
	wm-analyze --quiet --pages --svg o.svg --force "$1" >/dev/null
	[ -z "$lint" ] || xmllint --noout o.svg || echo "no XML"
	"$SRC/tests/tools/page-picture" o.svg "$2"
}

# fill has pages 0x10000 to 0x10009 and goes in epoch 3; next has 0x10000 to
# 0x10005 from then on, and 0x10008 to 0x10013 is after's.  0x400 is static,
# far has one page, far away.
run app.1.wm <<'E'
elf app
clock mono
rank 0 of 1
t 1000100 malloc 0x10000000 40960 main<fill
t 1000200 map 0x7f0000000000 4096 main<far
covered 0x400-0x40f 3
covered 0x10000-0x1ffff 1
covered 0x7f0000000-0x7f0000000 2
epoch 10000000 9000000 0x401,0x10000-0x10004,0x7f0000000 0x10000,0x10004 1 1
epoch 20000000 18000000 0x10003-0x10009 0x10008-0x10009 1 1
t 22000000 free 0x10000000
t 22000100 malloc 0x10000000 24576 main<next
t 22000200 malloc 0x10008000 49152 main<after
epoch 30000000 27000000 0x10000-0x10005,0x10013 0x10005 1 1
pages
epoch 40000000 36000000 0x10005,0x7f0000000 0x10005,0x7f0000000 1 1
pages
end
E
is "what is accessed and written, where and when, and whose it is" "$(picture app.1.wm 4)" "a...
wnan
anan
anan
aaan
waan
naww
nan.
nan.
nwnn
nwnn
$(yes ..nn | head -9)
..an
annw
after: rows 9-20 columns 2-3 label at row 14
fill: rows 1-10 columns 0-2 label at row 7
next: rows 1-6 columns 2-3 label at row 3
far: rows 21-21 columns 0-3 label at row 21"
like "where mappings begin" "$(sed -n 's/.*class="r".*>\(0x[0-9a-f]*\)<.*/\1/p' o.svg | tr '\n' ' ')" \
	"0x400000 0x10000000 0x7f0000000000"
like "what is long and never accessed is one row" "$(cat o.svg)" \
	">255\.[0-9] MiB never accessed<"
printf 'rank 0 of 1\nt 1000100 malloc 0x1000 40000 main\nend\n' | run none.1.wm
wm-analyze --html none.html none.1.wm
is "the page of a run without pages has none" \
	"$("$SRC/tests/tools/page-data" none.html | jq -c '.reports.pages')" null
like "nor has a picture of it alone" "$(wm-analyze -q --pages --svg - none.1.wm)" \
	"No pages were watched"

# A long run with many blocks all over a large address space: a picture of
# bounded size.
python3 - >many.txt <<'E'
import random
rnd = random.Random(7)
print("elf app\nclock mono\nrank 0 of 1")
for i in range(2000):
    print("t %d malloc 0x%x %d main<s%d" % (
        1000000 + i, 0x10000000 + i * 0x400000, rnd.randint(1, 0x300000), i % 97))
print("covered 0x10000-0x%x 1" % (0x10000 + 2000 * 0x400))
for e in range(1, 1501):
    first = sorted(rnd.sample(range(2000), 30))
    runs = ",".join("0x%x-0x%x" % (0x10000 + f * 0x400, 0x10000 + f * 0x400 +
                                   rnd.randint(0, 0x3fe)) for f in first)
    print("epoch %d %d %s - 1 1" % (e * 10000000, e * 9000000, runs))
print("pages\nend")
E
run many.1.wm <many.txt
picture many.1.wm 188 >grid
ok "a long run: rows and columns are bounded" [ "$(grep -c '^[naw.]*$' grid)" -le 768 ]
ok "and so is the file ($(wc -c <o.svg) bytes)" [ "$(wc -c <o.svg)" -lt 1500000 ]

# A program that says what it does (tests/progs/pages/cold.c).
bring pages/cold.c
wmcc -g -O1 -static -o cold cold.c >log 2>&1
WM_PAGES=50 ./cold.wm >out 2>err
if [ -s out ] && [ ! -s err ]; then
	run=$(echo cold.*.wm)
	columns=$(wm-analyze -q --pages --json "$run" |
		python3 -c 'import json, sys; print(len(json.load(sys.stdin)["pages"]["epochs"]))')
	picture "$run" "$columns" >grid
	is "a program: its field is written, then half of it read; its matrix lies there" "$(python3 - <<'E'
import re
rows, where = [], {}
for line in open("grid"):
    m = re.match(r"([\w:]+) .*: rows (\d+)-(\d+) columns (\d+)-(\d+)", line)
    if m:
        where[m[1]] = [int(n) for n in m.groups()[1:]]
    else:
        rows.append(line.strip())
first, last, begin, _ = where["make_field::p"]
field = [r[begin:-1] for r in rows[first + 1:last]]
half = len(field) // 2
upper, lower = field[:half - 1], field[half + 1:]
# Where faults are slow the matrix takes several epochs, before which there is no
# field, and a pass over the field, too: so many epochs may lie between two
# accesses of a page, which are at most two passes apart.  A page that an epoch's
# end comes upon is read in that epoch and written in the next one.
slow = 2 * int(open("out").read().split()[1]) // 50
most = slow + 1 if slow else 0
least = 1 if slow else 3
written = "[na]{0,%d}(w[na]{0,%d}){%d,}" % (most + 1, most, least)
read = "(an{0,%d}){%d,}" % (most, least)
print(all(re.fullmatch(written + read, r) for r in upper),
      all(re.fullmatch(written + "n{5,}", r) for r in lower))
first, last, begin, end = where["assemble::p"]
matrix = rows[first + 1:last]
# row by row, and what is written while an epoch is looked at may be in the next
order = all(a.rfind("w") <= b.find("w") + 1 for a, b in zip(matrix, matrix[1:]))
print(begin, end == len(rows[0]) - 1,
      all(re.fullmatch(r"[nw]*w[nw]*" if slow else r"w{1,3}n*", r)
          for r in matrix) and order)
print(where["table"][1] < where["make_field::p"][0] < where["assemble::p"][0])
E
)" "True True
0 True True
True"
else
	skip "a program" "$(head -1 err)"
fi
done_testing
