# SPDX-License-Identifier: Apache-2.0
# The page of --compare --html in a browser: its views, its numbers, which are
# those of --compare --json, keys, widths, dark, names that bite.
. "$(dirname "$0")/../lib.sh" analyze-lib page-lib
needs_browser
# told EXPRESSION: of c, what --compare --json says
told() {
	wm-analyze -q --compare --json a.1.wm b.1.wm | python3 -c "
import json, sys
c = json.load(sys.stdin)['compare']
$1"
}

# Two runs: field_0 grows, field_1 shrinks, field_2 stays, "old" goes, "new"
# comes; the second takes twice as long
python3 - <<'X'
for run, scale in (("a", 1), ("b", 2)):
    with open(run + ".txt", "w") as f:
        print("program app\nelf app\nstart 0", file=f)
        for r in range(2):
            print("rank %d of 2" % r, file=f)
            t = 1000
            held = [("field_0", 100000 * scale + r), ("field_1",
                    90000 // scale), ("field_2", 5000),
                    ("old" if run == "a" else "new", 70000)]
            for i, (name, size) in enumerate(held):
                t += 1000000 * scale
                print("t %d malloc 0x%x %d main<solve<%s" %
                      (t, 0x100000 * (i + 1), size, name), file=f)
            t += 5000000 * scale
            print("t %d free 0x100000\nend" % t, file=f)
X
run a.1.wm <a.txt
run b.1.wm <b.txt
ok "a page" wm-analyze -q --compare a.1.wm b.1.wm --html two.html
look two views pairhead pairs edge seconds search=field_0 zoom \
	csv=functions pairrows whole framekeys pictures=curve,flame commands dark widths print axe axe=dark axe=narrow \
	elements plain
is "every view is there and drawn" "$(seen two views)" \
	"curve flame functions leaks, 0 blank"
is "the head says what changed" "$(seen two pairhead)" "$(told '
print("%+.1f KiB, A and B" % (c["change"]["peak_bytes"] / 1024))')"
is "the table has the rows of --json" \
	"$(cat functions.csv | sort)" "$(told '
print("Function,A,B,Change,Blocks of A,Blocks of B,What", end="\r\n")
for f in c["functions"]:
    print(",".join(str(f[k]) for k in ("name", "bytes_a", "bytes_b", "change",
          "blocks_a", "blocks_b", "status")), end="\r\n")' | sort)"
is "the flame's totals are the bytes of all paths" "$(seen two pairs)" \
	"$(told '
p = c["paths"]
print(sum(x["bytes_b"] for x in p), sum(x["change"] for x in p))')"
is "no frame lies beyond the edge" "$(seen two edge)" inside
is "the data are all that --json has" "$("$SRC/tests/tools/page-data" two.html |
	python3 -c '
import json, sys
print(json.dumps(json.load(sys.stdin)["compare"], sort_keys=True))')" \
	"$(told 'print(json.dumps(c, sort_keys=True))')"
is "curves: the highest is the peak" "$("$SRC/tests/tools/page-data" two.html |
	python3 -c '
import json, sys
print([max(l["max_bytes"]) for l in json.load(sys.stdin)["timeline"]])')" \
	"$(told 'print([c[s]["peak_bytes"] for s in "ab"])')"
is "call paths sort, a row is searched for, a link shows them" \
	"$(seen two pairrows)" "$(told '
p = sorted(c["paths"], key=lambda x: -x["bytes_a"])
print(", ".join("%s < %s" % (x["name"],
      " ← ".join(x["path"].split(";")[-2::-1])) for x in p) +
      "; finds %s; the link shows %d" % (p[0]["name"], len(p)))')"
like "all ranks together: the sum of theirs" "$(seen two whole)" \
	"^A, 2 ranks, $(wm-analyze -q --json --imbalance a.1.wm | python3 -c '
import json, sys
print("%.1f KiB" % (json.load(sys.stdin)["imbalance"]["nodes"][0]["sum_of_peaks"]
      / 1024))'); B, 2 ranks, 625.0 KiB; 49.9 % A 517.6 KiB B 625.0 KiB B − A \+107.4 KiB"
is "keys go into a frame and out" "$(seen two framekeys)" "in out"
is "in seconds A ends in the middle" "$(seen two seconds)" "half, 100 %"
is "search says the share" "$(seen two search=field_0)" "$(told '
f = c["functions"]
print("%.1f %% in frames of “field_0”" % (100 * sum(x["bytes_b"]
    for x in f if x["name"] == "field_0") / sum(x["bytes_b"] for x in f)))')"
is "a click zooms into a frame, Escape out" "$(seen two zoom)" "in out"
is "pictures become PNG and SVG" "$(seen two pictures=curve,flame)" "PNG svg PNG svg"
is "each view names what prints it" "$(seen two commands)" \
	"wm-analyze --compare a.1.wm b.1.wm"
is "light, dark, and dark on demand" "$(seen two dark)" "light dark dark"
is "no width scrolls sideways" "$(seen two widths)" "320 768 1280 2560"
like "it prints in light colours" "$(seen two print)" '^light, [1-9]'
for way in axe axe=dark axe=narrow; do
	is "axe-core finds nothing: $way" "$(seen two $way)" none
done
is "without the script there is a picture" "$(seen two plain)" \
	"1 heading, 1 pictures"
is "no message, no error, no request" "$(seen two messages)" none
ok "few elements ($(seen two elements))" test "$(seen two elements)" -lt 20000
ok "it is small: $(stat -c %s two.html) bytes" \
	test "$(stat -c %s two.html)" -lt 204800

# Functions of C++: parameters where they tell two apart
for n in a b; do
	run cxx.$n.wm <<E
program cxx
elf cxx
start 0
rank 0 of 1
t 1000000 malloc 0x10000 $([ $n = a ] && echo 9000 || echo 8000) main<_Z5solvei
t 2000000 malloc 0x20000 $([ $n = a ] && echo 1000 || echo 7000) \
main<_Z5solved<_Z4gridiSt6vectorIdSaIdEE
end
E
done
wm-analyze -q --html cxx.html --compare cxx.a.wm cxx.b.wm
look cxx "text=#view-functions tbody tr"
is "functions of C++ as texts have them" \
	"$("$SRC/tests/tools/page-data" cxx.html | jq -c .bare)" \
	'{"grid(int, std::vector<double, std::allocator<double> >)":"grid"}'
like "with parameters where they tell two apart" \
	"$(seen cxx "text=#view-functions tbody tr")" '^grid[^(]*\|solve\(int\)'

# Where it goes, and what does not go with it
is "unnamed it is called after both" \
	"$(wm-analyze -q --html --compare a.1.wm b.1.wm)" a.1.wm-b.1.wm.html
ok "and is the same" cmp a.1.wm-b.1.wm.html two.html
like "--html or --json" \
	"$(wm-analyze --compare --html x.html --json a.1.wm b.1.wm 2>&1)" \
	'--html or --json\?'
ok "no file of that" test ! -e x.html

# Names that would end a script, an attribute or the layout
python3 - >bad.txt <<'X'
bad = "</script><img/src=x/onerror=alert(1)>\"'&"
print("program </script><b>\"'&\nelf app\nstart 0\nrank 0 of 1")
print("t 2000000 malloc 0x1000 3000 main<%s" % bad.replace("<", "%"))
print("t 3000000 malloc 0x2000 1000 main<%s" % ("x" * 10000))
print("t 4000000 free 0x1000\nend")
X
run bad.1.wm <bad.txt
wm-analyze -q --compare a.1.wm bad.1.wm --html bad.html
look bad views hostile widths axe axe=narrow
is "hostile names: every view" "$(seen bad views)" \
	"curve flame functions leaks, 0 blank"
like "hostile names are text" "$(seen bad hostile)" '^0 elements, app'
is "and break no layout" "$(seen bad widths)" "320 768 1280 2560"
is "axe-core" "$(seen bad axe) $(seen bad axe=narrow)" "none none"
is "no message, no request" "$(seen bad messages)" none
done_testing
