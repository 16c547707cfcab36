# SPDX-License-Identifier: Apache-2.0
# The page of --model --html in a browser: its picture, its tables, whose numbers
# are those of --model --json, and sort; widths, dark, names that bite.
. "$(dirname "$0")/../lib.sh" analyze-lib page-lib
needs_browser

# told EXPRESSION: of j, what --model --json says
told() {
	wm-analyze -q --json "${asked[@]}" | python3 -c "
import json, sys
j = json.load(sys.stdin)
$1"
}

# Runs of a program with a table of all ranks and a field that they share
python3 - <<'X'
for n in (2, 4, 8, 16, 32):
    with open("%d.txt" % n, "w") as f:
        print("program sim\nid %d\nelf sim" % n, file=f)
        for r in range(n):
            print("rank %d of %d" % (r, n), file=f)
            for i, (path, size) in enumerate((
                    ("main<setup<field", 8000000 // n + 3000 * r),
                    ("main<comm<table", 65536 * n),
                    ("main<buffer", 700000 + 9000 * (n % 3)))):
                print("t %d malloc 0x%x %d %s" % (2000000 + 1000 * i,
                      0x1000 * (i + 1), size, path), file=f)
            print("end", file=f)
X
for n in 2 4 8 16 32; do
	run sim.$n.wm <$n.txt
done
asked=(--model sim.2.wm sim.4.wm sim.8.wm sim.16.wm --check sim.32.wm
	--problem-size 1000000 --predict 64,256,1024)
ok "a page" wm-analyze -q "${asked[@]}" --html m.html
look m sorting dark widths print axe axe=dark axe=narrow elements plain \
	"text=main.plain > h3" "text=main.plain > p"
is "every table is there" "$(seen m "text=main.plain > h3")" \
	"sim  memory model from 4 runs: strong scaling|Jobs of N ranks \
and a problem of P: heap memory at the peak of the worst rank|Formulas at N = 1,024, \
and of the sites of the last rank, those that grow with the ranks first"
like "the answer stands first" "$(seen m "text=main.plain > p")" \
	"^$(wm-analyze -q "${asked[@]}" | sed -n 2p | sed 's/[().]/\\&/g')"
# the numbers below the cells of a table
cells() {
	python3 - "$1" <<'X'
import re, sys
table = re.findall(r"<table.*?</table>", open("m.html").read(), re.S)[
    int(sys.argv[1])]
for row in re.findall(r"<tr>(<td.*?)</tr>", table, re.S):
    print(*re.findall(r"data-v=\"?([^\" >]*)", row))
X
}
is "jobs are those of --json" "$(cells 0 | tr -s ' ')" "$(told '
for p in j["jobs"]:
    print(*("%.3f" % p[k] if "percent" in k else p[k] for k in ("ranks", "size",
          "measured", "bytes", "error_percent", "low", "high")
          if p[k] is not None))')"
is "and the formulas" "$(cells 1 | grep -c .)" "$(told 'print(len(j["formulas"]))')"
is "a click on the heading of a column sorts" "$(seen m sorting)" \
	"prediction run prediction"
is "light, dark, and dark on demand" "$(seen m dark )" "light dark dark"
is "no width scrolls sideways" "$(seen m widths)" "320 768 1280 2560"
like "it prints in light colours" "$(seen m print)" '^light, [1-9]'
for way in axe axe=dark axe=narrow; do
	is "axe-core finds nothing: $way" "$(seen m $way)" none
done
is "without the script there is a picture" "$(seen m plain)" \
	"1 heading, 1 pictures"
is "no message, no error, no request" "$(seen m messages)" none
ok "few elements ($(seen m elements))" test "$(seen m elements)" -lt 20000
ok "it is small: $(stat -c %s m.html) bytes" \
	test "$(stat -c %s m.html)" -lt 204800

# The first 2,000 of thousands of sites are in the page, which reports it
for n in 1 2; do
	{
		printf 'program many\nid %d\nelf many\nrank 0 of 1\n' $n
		for ((i = 0; i < 2100; i++)); do
			echo "t $((2000000 + i)) malloc $((4096 + 4096 * i)) $((i * n + 16)) main<f$i"
		done
		echo end
	} | run many.$n.wm
done
wm-analyze -q --model --problem-size 1,2 --html many.html many.1.wm many.2.wm
is "a table of the page has 2,000 rows at most" "$(grep -c '^<tr><td>rank 0.*<td>' many.html) \
$(grep -o '<p>[.]* [0-9]* more' many.html)" "2000 <p>... 101 more"

# Functions of C++ as texts have them
for n in 1 2; do
	run cxx.$n.wm <<E
program cxx
id $n
elf cxx
rank 0 of 1
t 2000000 malloc 0x1000 $((n * 100000)) main<_Z5solvei
t 3000000 malloc 0x90000 $((n * 90000)) main<_Z5solved
t 4000000 malloc 0xf0000 $((n * 80000)) main<_Z4gridiSt6vectorIdSaIdEE
end
E
done
wm-analyze -q --model --problem-size 1,2 --html cxx.html cxx.1.wm cxx.2.wm
has_no "the page of a model has no parameters that tell nothing" \
	'std::vector' cat cxx.html
ok "and those that tell two apart" grep -q 'solve(double)' cxx.html

# Where it goes, and what does not go with it
is "unnamed it is called after the runs" \
	"$(wm-analyze -q --html "${asked[@]}")" sim.2.wm-and-3-more.html
ok "and is the same" cmp sim.2.wm-and-3-more.html m.html
is "of two after both" "$(wm-analyze -q --model --html --problem-size 1 sim.2.wm \
	sim.4.wm)" sim.2.wm-sim.4.wm.html
like "--html or --json" "$(wm-analyze --model --html x.html --json sim.2.wm \
	sim.4.wm 2>&1)" '--html or --json\?'

# Two runs of different sizes and as many ranks: the axis is the size, and no
# interval is known; phases; names that bite
python3 - <<'X'
bad = "</script><img/src=x/onerror=alert(1)>\"'&".replace("<", "%")
for size in (1, 2):
    with open("bad%d.txt" % size, "w") as f:
        print("program </script><b>\"'&\nid %d\nelf app\nrank 0 of 1" % size,
              file=f)
        print("t 2000000 phase read\nt 3000000 malloc 0x1000 %d main<%s" %
              (1000 * size, bad), file=f)
        print("t 4000000 phase work\nt 4500000 malloc 0x9000 %d main<%s\nend" %
              (5000 * size, "x" * 10000), file=f)
X
run bad.1.wm <bad1.txt
run bad.2.wm <bad2.txt
wm-analyze -q --model --problem-size 100,200 --html bad.html bad.1.wm bad.2.wm
look bad hostile widths axe axe=narrow
like "hostile names are text" "$(seen bad hostile)" '^0 elements, </script>'
is "and break no layout" "$(seen bad widths)" "320 768 1280 2560"
is "axe-core" "$(seen bad axe) $(seen bad axe=narrow)" "none none"
is "no message, no request" "$(seen bad messages)" none
done_testing
