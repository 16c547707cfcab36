# SPDX-License-Identifier: Apache-2.0
# How large the page may be, and how soon it can be used: 4 ranks, 128 ranks of
# noise with 2,000 points and 5,000 nodes of the call tree, 4,096 ranks.
# run: long
. "$(dirname "$0")/../lib.sh" analyze-lib page-lib python3
needs_browser
job=$BUILD/test/tools/wmt-job
[ -x "$job" ] || skip_all "wmt-job is missing: make unit-tests"

# keeps NAME BYTES MS: the page of NAME.1.wm has at most so many, can be used
# so soon, and has few elements at any time
keeps() {
	local name=$1 bytes=$2 ms=$3 size ready
	wm-analyze -q --html "$name.html" "$name.1.wm" >out 2>&1
	size=$(stat -c %s "$name.html")
	look "$name" ready elements scrolled moments
	ready=$(seen "$name" ready)
	echo "# $name: $size bytes, $(sed -n '/id="wm-data"/,/<.script>/p' \
		"$name.html" | wc -c) of them data, $ready ms, $(seen "$name" elements) elements," \
		"$(seen "$name" scrolled) when all was scrolled through"
	ok "$name: at most $bytes bytes ($size)" test "$size" -le "$bytes"
	ok "$name: can be used after $ready ms, less than $ms" \
		test "${ready:-99999}" -lt "$ms"
	ok "$name: few elements, at first and later" test \
		"$(seen "$name" elements)" -lt 20000 -a "$(seen "$name" scrolled)" -lt 20000
	is "$name: the flame's total is the moment's bytes" \
		"$(seen "$name" moments)" "all of them"
	is "$name: no message, no request" "$(seen "$name" messages)" none
}

cat >noise.py <<'P'
"""noise.py RANKS EVENTS PATHS: rank 7 has EVENTS, the others few; no order."""
import random, sys
ranks, events, paths = map(int, sys.argv[1:])
rnd = random.Random(1)
print("program noise\nelf noise\nid 1\nstart 1000")
for r in range(ranks):
    many = r == 7
    print(f"host n{r // 32:02}\nrank {r} of {ranks}")
    live, t, addr = [], 1000, 1 << 12
    span = 10 ** 8 // (events if many else 400)
    for e in range(events if many else 400):
        t += rnd.randrange(1, 2 * span)
        if len(live) > 8 and rnd.random() < .5 or len(live) > 6000:
            print(f"t {t} free {live.pop(rnd.randrange(len(live))):#x}")
            continue
        p = rnd.randrange(paths if many else 20)
        print(f"t {t} malloc {addr:#x} {rnd.randrange(1, 1 << (30 if many else 20))} "
              f"main<a{p % 13}<b{p // 13 % 29}<c{p // 377}<leaf{p % 50}")
        live.append(addr)
        addr += 1 << 31
    print("end")
P
"$job" few.1.wm --ranks 4 --events 20000 >/dev/null
keeps few 204800 1000
python3 noise.py 128 60000 12000 >noise.txt
run noise.1.wm <noise.txt
keeps noise 1048576 2000
is "noise: it has the points and nodes that the limit is for" \
	"$("$SRC/tests/tools/page-data" noise.html | python3 -c '
import json, sys
p = json.load(sys.stdin)
print(len(p["ranks"]), 1900 < len(p["timeline"][0]["point_bytes"]) <= 2000,
      4000 < len(p["paths"]["nodes"]) <= 5000)')" "128 True True"
"$job" many.1.wm --ranks 4096 --events 2000 >/dev/null
keeps many 3145728 3000
done_testing
