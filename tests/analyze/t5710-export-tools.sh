# SPDX-License-Identifier: Apache-2.0
# wm-analyze --export opened by others: speedscope's own import of three
# formats, its schema, and the parser of pprof-format.
. "$(dirname "$0")/../lib.sh" analyze-lib python3 node
WM_NODE_TOOLS=$("$SRC/scripts/node-tools" --cached) ||
	skip_all "speedscope and pprof-format are missing: scripts/setup"
export WM_NODE_TOOLS
with() { # speedscope|schema|pprof FILE
	node "$SRC/tests/tools/node/open.cjs" "$@" 2>&1
}

# At rank 0's peak 100 + 50 + 20 + 7 + 9 bytes, at its end 50 + 7 + 9.
run app.1.wm <<'E'
program app
elf app
build-id 0123456789abcdef0123456789abcdef01234567
id 1
start 0
rank 0 of 2
t 1000 malloc 0x1000 60 main<make
t 1500 malloc 0x1100 40 main<make
t 2000 malloc 0x2000 50 main<solve<other
t 2000 malloc 0x4000 7 -
t 2000 malloc 0x5000 20 main<semi;colon"q"
t 2000 malloc 0x6000 9 0x7fff12345678
t 3000 free 0x1000
t 3000 free 0x1100
t 3000 free 0x5000
end
rank 1 of 2
t 1000 malloc 0x1000 70 main<solve<other
end
E
run none.1.wm <<'E'
program none
id 1
rank 0 of 1
end
E
for f in folded speedscope pprof; do
	wm-analyze -q --export $f --output app.$f app.1.wm
done
peak='?? (0x7fff12345678) 9
?? (no call path) 7
main;make 100
main;semi;colon"q" 20
main;solve;other 50'
is "speedscope: its own format" "$(with speedscope app.speedscope)" \
	"at the peak of rank 0 bytes 186
$peak
never freed: rank 0 bytes 66
?? (0x7fff12345678) 9
?? (no call path) 7
main;solve;other 50"
is "speedscope's schema" "$(with schema app.speedscope)" valid
sed 's/"unit": "bytes"/"unit": "bits"/' app.speedscope >bad
not_ok "the schema is checked" test "$(with schema bad)" = valid
is "speedscope: folded" "$(with speedscope app.folded)" "app.folded none 186
${peak/semi;/semi:}"
is "speedscope: pprof" "$(with speedscope app.pprof)" \
	"app.pprof bytes 186
$peak"
wm-analyze -q --export speedscope --rank all --output all.json app.1.wm
is "speedscope: the sum" "$(with speedscope all.json | grep -e ' bytes ' \
	-e other)" "all ranks, each at its own peak bytes 256
main;solve;other 120
never freed: all ranks bytes 136
main;solve;other 120"
wm-analyze -q --export speedscope --output none.json none.1.wm
is "speedscope: a program without events" "$(with speedscope none.json)" \
	"at the peak of rank 0 bytes 0"

# value EXPRESSION FILE: of the profile, p
value() {
	with pprof "$2" | python3 -c "import json,sys
p = json.load(sys.stdin)
def name(s): return ';'.join(l['name'] for f in reversed(s['stack'])
                             for l in reversed(f['lines']))
print($1)"
}
is "pprof: what samples have" "$(value 'p["types"], p["default"]' app.pprof)" \
	"[['unfreed_objects', 'count'], ['unfreed_space', 'bytes'], \
['inuse_objects', 'count'], ['inuse_space', 'bytes']] inuse_space"
is "pprof: samples" "$(value \
	'sorted((name(s), *s["value"]) for s in p["samples"])' app.pprof)" \
	"[('?? (0x7fff12345678)', 1, 9, 1, 9), \
('?? (no call path)', 1, 7, 1, 7), ('main;make', 0, 0, 2, 100), \
('main;semi;colon\"q\"', 0, 0, 1, 20), ('main;solve;other', 1, 50, 1, 50)]"
is "pprof: the call, not where it returns to: names[2] + 16" "$(value \
	'[hex(s["stack"][0]["address"] & ~15) for s in p["samples"]
		if name(s) == "main;make"]' app.pprof)" "['0x401100']"
is "pprof: modules" "$(value '[(m["file"][-4:], m["id"])
	for m in p["mappings"]]' app.pprof)" \
	"[('/app', '0123456789abcdef0123456789abcdef01234567')]"
is "pprof: of no module" "$(value '[s["stack"][0]["module"]
	for s in p["samples"] if name(s)[0] == "?"]' app.pprof)" "[None, None]"
is "pprof: time of the peak, in ns; wmt-make begins at 1700000005 s" \
	"$(value 'int(p["time"]) - 1700000005 * 10**9, p["duration"]' \
		app.pprof)" "2000 3000"
wm-analyze -q --export pprof --output none.pprof none.1.wm
is "pprof: a program without events" "$(value 'p["samples"]' none.pprof)" "[]"

# A real one: templates, quotes and # in names, inlined frames.
bring report/names.cpp
if wmcxx -g -O1 -static -Wl,--build-id -o names names.cpp 2>log &&
		WM_DIR=real ./names.wm; then
	for f in folded speedscope pprof massif; do
		wm-analyze -q --export $f --output real.$f real/*.wm
	done
	is "C++: names" "$(value '"\n".join(sorted(name(s).split(";", 1)[1]
		for s in p["samples"] if s["value"][3] >= 100000))' \
		real.pprof | sed 's/""  */""/')" 'box<box<int> >::fill(unsigned long)
main::{lambda(unsigned long)#1}::operator()(unsigned long) const
operator""_kept(unsigned long long)
outer(unsigned long);inner'
	is "C++: system names are those of the linker" "$(value \
		'[l["system"] for s in p["samples"] if s["value"][3] == 100000
		for l in s["stack"][0]["lines"]]' real.pprof)" \
		"['_ZN3boxIS_IiEE4fillEm']"
	is "C++: inlined frames are lines of one location" "$(value \
		'[[(l["name"].split("(")[0], l["line"],
		l["file"].split("/")[-1]) for l in s["stack"][0]["lines"]]
		for s in p["samples"] if s["value"][3] == 300000]' \
		real.pprof)" \
		"[[('inner', 19, 'names.cpp'), ('outer', 21, 'names.cpp')]]"
	is "C++: the build-id" "$(value 'p["mappings"][0]["id"]' real.pprof)" \
		"$(readelf -n names.wm | sed -n 's/.*Build ID: //p')"
	total=$(json 'j["heap"]["peak"]["max"]' real/*.wm)
	is "C++: the total" "$(value \
		'sum(s["value"][3] for s in p["samples"])' real.pprof)" "$total"
	is "C++: the total in speedscope" "$(with speedscope real.speedscope |
		awk '/^at the peak/ {print $NF}')" "$total"
	is "C++: folded is the same there" \
		"$(with speedscope real.folded | tail -n +2)" \
		"$(with speedscope real.speedscope | tail -n +2 |
			sed '/^never freed/,$d')"
	is "C++: schema" "$(with schema real.speedscope)" valid
	like "C++: massif" "$(cat real.massif)" \
		'n1: 400000 0x[0-9A-F]+: .*lambda.*:1}.* \(names.cpp:25\)$'
else
	skip "C++ names" "wmcxx could not build names.cpp: $(head -1 log)"
fi
done_testing
