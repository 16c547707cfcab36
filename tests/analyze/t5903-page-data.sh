# SPDX-License-Identifier: Apache-2.0
# The data of the page (docs/page-data.md): its numbers are those of --json,
# the flame of each stored moment adds up to the curve, and it is bounded.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib python3
data=$SRC/tests/tools/page-data

# Phases, snapshots, a thread, a rank that was killed, mappings, two nodes.
run app.1.wm <<'E'
program app
elf app
id 1
start 1000
host n1
rank 0 of 3
t 1000 malloc 0x1000 3000 main<setup<grid
t 2000 phase solve
t 3000 malloc 0x2000 500 main<solve<halo
t 4000 snapshot half_way
t 5000 free 0x2000
t 6000 malloc 0x2000 700 main<solve<halo
t 7000 phase write
t 8000 map 0x7f0000000000 8192 main<write<buffer
t 8500 name 0x1000 grid
t 9000 free 0x1000
t 20000 malloc 0x3000 10 main<keep
end
host n1
rank 1 of 3
t 1000 malloc 0x1000 5000 main<setup<grid
thread 1
t 2000 malloc 0x2000 2000 worker<solve<halo
end
host n2
rank 2 of 3
mono 5000004000
t 1000 malloc 0x1000 100 main<setup<grid
t 5000 malloc 0x2000 60 main<extra
E

cat >compare.py <<'X'
"""compare.py PAGE-DATA JSON RANK: what differs between the page and --json (of
every report, merged), and how many numbers were compared."""
import json, sys
p, j = (json.load(open(f)) for f in sys.argv[1:3])
count = 0
def same(what, got, want):
    global count
    if isinstance(want, dict) and isinstance(got, dict):
        for k in want:
            same(f"{what}.{k}", got.get(k, "missing"), want[k])
    elif isinstance(want, list) and isinstance(got, list):
        same(f"{what}: length", len(got), len(want))
        for i, (g, w) in enumerate(zip(got, want)):
            same(f"{what}[{i}]", g, w)
    else:
        count += 1
        if got != want:
            print(f"{what}: {got}, not {want}")
# the heat map's columns come together to those of --imbalance
h, few = p["imbalance"]["heatmap"], j["imbalance"].pop("heatmap")
n = len(h["over_ranks"]) // 128
for row, want in zip(h["rows"], few["rows"]):
    cells = row["max_bytes"]
    same("heat", [max((c for c in cells[k * n:k * n + n] if c is not None),
                      default=None) for k in range(128)], want["max_bytes"])
for k in ("worst", "best"):
    j["imbalance"][k]["sites"] = [s for s in j["imbalance"][k]["sites"]
                                  if s["difference"]]
j["ranks"] = [{k: r[k] for k in p["ranks"][0]} for r in j["ranks"]]
for k in ("run", "rank", "ranks", "heap", "families", "memory", "static",
          "events", "tool", "deaths", "failed_requests", "imbalance"):
    same(k, p[k], j[k])
for s in j["snapshots"]:
    del s["functions"]
    s.pop("names", None)
for k in ("phases", "names", "marks", "regions", "snapshots", "paused"):
    same(k, p["notes"][k], j[k])
lines = {x["rank"]: x for x in p["timeline"]}
for t in j["timeline"]:
    if t["rank"] in lines:
        x = lines[t["rank"]]
        if "point_bytes" in x:
            same("points make bins", [max(x["point_bytes"][5 * i:5 * i + 5])
                 for i in range(len(x["max_bytes"]))], x["max_bytes"])
        same("line", x, t)
def at(k):
    return [(s["name"], s["file"], s[k + "bytes"], s[k + "blocks"])
            for s in p["sites"] if s[k + "blocks"]]
same("sites", at(""), [(f["name"], f["file"], f["bytes"], f["blocks"])
                       for f in j["functions"]])
same("leaks", sorted(at("end_")), sorted(
    (f["name"], f["file"], f["bytes"], f["blocks"]) for f in j["leaks"]))
for k, v in p["reports"].items():
    same(k, v, j[k])
same("reports", sorted(p["reports"]), sorted(
    ["never_freed", "temporaries", "sizes", "libraries", "files", "pages",
     "accesses", "cache", "reuse", "sharing"]))
print("few numbers" if count < 200 else "")
X

cat >flame.py <<'X'
"""flame.py PAGE-DATA: moments whose flame is not what the curve says."""
import json, sys
p = json.load(open(sys.argv[1]))
t, line = p["paths"], p["timeline"][0]
ranks = {r["rank"]: r for r in p["ranks"]}
own = [0] * len(t["nodes"])
steps = 0

def highest(m):
    """The highest of the curve of the moment's rank where it is; None."""
    global steps
    if m["bin"] is not None:
        return line["max_bytes"][m["bin"]]
    for l in p["timeline"]:
        if l["rank"] == m["rank"]:
            steps += 1
            return l["max_bytes"][round((m["from_ns"] * 1e-9 - l["start_s"]) /
                                        l["bin_s"])]
    return m["bytes"]

for i, node in enumerate(t["nodes"]):
    if not (node["parent"] < i):
        print(f"node {i} comes before its parent")
def pairs(*lists):
    """zip(strict=True), which Python 3.9 has not"""
    if len({len(x) for x in lists}) != 1:
        print("lists of different length")
    return zip(*lists)

for m, c in pairs(p["moments"], t["changes"]):
    n = 0
    for gap, b in pairs(c["node"], c["bytes"]):
        n += gap
        own[n] = b
    if sum(own) != m["bytes"]:
        print(m, "has", sum(own))
    want = {"peak": lambda: ranks[m["rank"]]["peak_bytes"],
            "end": lambda: ranks[m["rank"]]["unfreed_bytes"],
            "death": lambda: ranks[m["rank"]]["unfreed_bytes"],
            "step": lambda: highest(m),
            "phase": lambda: highest(m),
            "sum_of_ends": lambda: sum(r["unfreed_bytes"] for r in p["ranks"]),
            "sum_of_peaks": lambda: sum(r["peak_bytes"] for r in p["ranks"])}
    if m["kind"] in want and want[m["kind"]]() != m["bytes"]:
        print(m, "of the curve", want[m["kind"]]())
    if m["kind"] == "peak" and m["rank"] == line["rank"] and \
            line["max_bytes"][m["bin"]] != m["bytes"]:
        print(m, "is not the top of the curve")
for rank in ranks:
    times = [m["time_ns"] for m in p["moments"] if m["rank"] == rank]
    if times != sorted(times):
        print("moments of rank", rank, "are not in order of time")
if len(p["timeline"]) > 1 and not steps:
    print("no moment in between of another rank")
for s in p["stacks"]:
    if [sum(v) for v in zip(*(x["bytes"] for x in s["layers"]))] != \
            line["max_bytes"]:
        print("by", s["by"], "does not add up to the curve")
X

# all_json RUN ARGUMENT...: the objects of all reports, as one
all_json() {
	local option
	for option in --summary --leaks --temporaries --sizes --libraries \
		--files --pages --accesses "--cache L1=32K/8" --reuse --false-sharing \
		--imbalance "--timeline --rank all"; do
		wm-analyze -q --json $option ${2:+$([[ $option == *all* ]] ||
			echo "$2")} "$1" || echo '{"status": 1}'
	done | python3 -c "
import json, sys
text, at, sum = sys.stdin.read(), 0, {}
while text[at:].strip():
    o, at = json.JSONDecoder().raw_decode(text, at)
    at += len(text[at:]) - len(text[at:].lstrip())
    sum = {**o, **sum}
json.dump(sum, sys.stdout)"
}

wm-analyze -q --html page.html app.1.wm
ok "the page has one object" sh -c "'$data' page.html >page.json"
all_json app.1.wm >all.json
is_silent "its numbers are those of --json" python3 compare.py page.json all.json
is_silent "the flame of a moment is what the curve has" \
	python3 flame.py page.json
is "moments of each kind" "$(python3 -c '
import json
print(*sorted({m["kind"] for m in json.load(open("page.json"))["moments"]}))')" \
	"death end peak phase snapshot step sum_of_ends sum_of_peaks"
is "what the curve is taken apart by" "$(python3 -c '
import json
for s in json.load(open("page.json"))["stacks"]:
    print(s["by"], [x["name"] for x in s["layers"]] if s["by"] == "names"
          else len(s["layers"]), end=" ")')" \
	"sites 4 libraries 1 threads 1 phases 3 names [None, 'grid'] "
is "a snapshot has its own" "$(python3 -c '
import json
print([(m["label"], m["bytes"]) for m in json.load(open("page.json"))["moments"]
       if m["kind"] == "snapshot"])')" "[('half_way', 3500)]"

wm-analyze -q --html 2.html --rank 2 app.1.wm
"$data" 2.html >2.json
all_json app.1.wm "--rank 2" >2all.json
is_silent "another rank: the flame is what its curve has" \
	python3 flame.py 2.json
is "another rank: it was killed, and the others are there, too" "$(python3 -c '
import json
p = json.load(open("2.json"))
print(p["rank"], p["heap"]["peak"]["max_rank"],
      [(m["kind"], m["rank"], m["bytes"]) for m in p["moments"]
       if m["kind"] in ("peak", "death", "end")])')" \
	"2 0 [('peak', 2, 160), ('death', 2, 160), ('peak', 0, 11892), \
('end', 0, 8902), ('peak', 1, 7000), ('end', 1, 7000)]"
wm-analyze -q --html 3.html --rank all app.1.wm
"$data" 3.html >3.json
is "all ranks: sums, and all of these few" "$(python3 -c '
import json
p = json.load(open("3.json"))
print(p["rank"], [(m["kind"], m["bytes"]) for m in p["moments"]
                    if m["kind"] != "step"])')" \
	"all [('peak', 11892), ('end', 8902), ('peak', 7000), ('end', 7000), \
('peak', 160), ('death', 160), ('sum_of_peaks', 19052), \
('sum_of_ends', 16062)]"

# Ranks whose call paths are not the same, so that their numbers are not
run apart.1.wm <<'E'
program app
elf app
start 0
rank 0 of 2
t 1000 malloc 0x1000 3000 main<zero
t 500000000 malloc 0x2000 500 main<both
t 1000000000 free 0x1000
end
rank 1 of 2
t 1000 malloc 0x1000 40 main<one
t 2000 malloc 0x2000 200 main<both
t 500000000 free 0x1000
t 600000000 malloc 0x3000 300 main<one
t 1000000000 free 0x2000
end
E
wm-analyze -q --html apart.html apart.1.wm
"$data" apart.html >apart.json
is "what another rank has in between, by call path" "$(python3 -c '
import json
p = json.load(open("apart.json"))
t, own, seen = p["paths"], {}, []
for m, c in zip(p["moments"], t["changes"]):
    n = 0
    for gap, b in zip(c["node"], c["bytes"]):
        n += gap
        own[t["names"][t["nodes"][n]["name"]]] = b
    if m["kind"] == "step" and m["rank"] == 1:
        now = {k: v for k, v in own.items() if v}
        if now not in seen:
            seen.append(now)
print(p["timeline"][0]["rank"], *sorted(map(str, seen)))')" \
	"0 {'both': 200, 'one': 300} {'both': 200, 'one': 40} {'both': 200}"

wm-analyze -q --html 4.html --node-memory 8K app.1.wm
is "what a node has, and which node needs more" "$("$data" 4.html | python3 -c '
import json, sys
i = json.load(sys.stdin)["imbalance"]
size = i["node_memory_bytes"]
print(size, [n["node"] for n in i["nodes"] if (n["peak_bytes"] or 0) > size])')" \
	"8192 ['n1']"
is "what a node has is a size" "$(wm-analyze --html 4.html --node-memory much \
	app.1.wm 2>&1)" "wm-analyze: --node-memory much: not a size such as 64G"

is "all ranks: no site over time" "$(python3 -c '
import json
print(any(s["trend"] for s in json.load(open("3.json"))["sites"]))')" False

# Functions that only forward, code that is not the program's, starts of
# threads.
run flags.1.wm <<'E'
program app
elf app
id 1
module 0x7f0000000000 0x7f0000000000 0x7f0000100000 /nowhere/libfar.so
module 0 0x400000 0x500000 -
rank 0 of 1
t 1001000 malloc 0x1000 10 main<one<xmalloc
t 1002000 malloc 0x2000 10 main<two<xmalloc
t 1003000 malloc 0x3000 10 worker<push
t 1004000 malloc 0x4000 10 main<0x7f0000000100<back
end
E
wm-analyze -q --html flags.html flags.1.wm
"$data" flags.html >flags.json
is "flags of functions" "$(python3 -c '
import json
t = json.load(open("flags.json"))["paths"]
print(*sorted({(t["names"][n["name"]], n["flags"]) for n in t["nodes"]
               if n["name"] >= 0 and n["flags"]}))')" "('?? (libfar.so+0x100)', 2) \
('worker', 4) ('xmalloc', 1)"

# Names of all kinds: nothing ends the block, and the object is UTF-8.
python3 - >hostile.txt <<'X'
print("program </script><script>alert(1)</script>\nelf hostile")
print("rank 0 of 1")
for i, name in enumerate(("</script>", "\"'&<!--", "a" * 10000,
                          "\u00e9" * 3000, "\\u0000", "x\x01y")):
    print(f"t {1000 + i} malloc {0x1000 * (i + 1):#x} 10 main<leaf\n"
          f"t {1000 + i} name {0x1000 * (i + 1):#x} {name}")
print("end")
X
run hostile.1.wm <hostile.txt
ok "hostile names: a page" wm-analyze -q --html hostile.html hostile.1.wm
scripts=1
[ ! -s "$BUILD/page/page.js" ] || scripts=3
is "hostile names: scripts end where they should" \
	"$(grep -o '<script\|</script' hostile.html | sort | uniq -c |
		tr -s ' \n' ' ')" " $scripts </script $scripts <script "
ok "hostile names: an object" sh -c \
	"'$data' hostile.html | python3 -c 'import json,sys; json.load(sys.stdin)'"

# No order at all: many paths, ranks and sizes.
cat >noise.py <<'X'
import random
rnd, ranks = random.Random(1), 600
print("program noise\nelf noise\nid 1\nstart 1000")
for r in range(ranks):
    many = r == 7
    print(f"host n{r // 32:02}\nrank {r} of {ranks}")
    live, t, addr = [], 1000, 1 << 12
    for e in range(30000 if many else 40):
        t += rnd.randrange(100, 3000 if many else 10 ** 6)
        if len(live) > 8 and rnd.random() < .5 or len(live) > 6000:
            print(f"t {t} free {live.pop(rnd.randrange(len(live))):#x}")
            continue
        p = rnd.randrange(20000 if many else 20)
        print(f"t {t} malloc {addr:#x} {rnd.randrange(1, 1 << 30)} "
              f"main<a{p % 13}<b{p // 13 % 29}<c{p // 377}<leaf{p % 50}")
        live.append(addr)
        addr += 1 << 31
    print("end")
X
python3 noise.py >noise.txt
run noise.1.wm <noise.txt
wm-analyze -q --html noise.html noise.1.wm
"$data" noise.html >noise.json
is_silent "noise: the flame is what the curve has" python3 flame.py noise.json
# The bytes of sites over time, in a run with more bins than points
cat >trends.py <<'X'
"""trends.py PAGE-DATA JSON: sites whose points are not what --timeline --by sites
tells of these bins."""
import json, sys
p, j = (json.load(open(f)) for f in sys.argv[1:3])
t, = j["timeline"]
layers = {(x["name"], x["file"]): x["bytes"] for x in t["layers"]}
bins = len(t["max_bytes"])
first = [i * bins // 24 for i in range(25)]
seen = 0
for s in p["sites"]:
    name, file, points = s["name"], s["file"], s["trend"]
    if points:
        want = [max(layers[name, file][a:b]) for a, b in zip(first, first[1:])]
        seen += len(points)
        if points != want:
            print(name, points, "not", want)
print("few points" if seen < 20 else "", end="")
X
wm-analyze -q --json --timeline --by sites noise.1.wm >sites.json
is_silent "noise: sites over time are those of --timeline --by sites" \
	python3 trends.py noise.json sites.json
is "noise: nodes, moments, changes, rows and columns are bounded" "$(python3 -c '
import json
p = json.load(open("noise.json"))
t = p["paths"]
heat = p["imbalance"]["heatmap"]
print(4000 < len(t["nodes"]) <= 5000, len(p["moments"]) <= 120,
      sum(len(c["node"]) for c in t["changes"]) <= 60000,
      len(heat["rows"]), len(heat["over_ranks"]),
      sum(r["ranks"] for r in heat["rows"]), len(p["ranks"]),
      max(c for r in heat["rows"] for c in r["max_bytes"] if c is not None) ==
      max(r["peak_bytes"] for r in p["ranks"]),
      len(p["sites"]) <= 2000, sum(n["merged"] for n in t["nodes"]) > 0,
      any("merged" in b for b in p["bounds"]))')" \
	"True True True 512 128 600 600 True True True True"
is "noise: of other ranks there are those that part the job" "$(python3 -c '
import json
p = json.load(open("noise.json"))
home, peak = p["timeline"][0]["rank"], p["heap"]["peak"]
print(home == peak["max_rank"],
      peak["min_rank"] in (m["rank"] for m in p["moments"]),
      *sorted({m["rank"] for m in p["moments"]
               if m["rank"] not in (None, home, peak["min_rank"])}))')" \
	"True True 0 119 239 359 479 599"
ok "noise: the block has less than 1 MB" test "$(sed -n \
	'/id="wm-data"/,/<.script>/p' noise.html | wc -c)" -lt 1000000
done_testing
