# SPDX-License-Identifier: Apache-2.0
# wm-analyze --export: numbers counted by hand, in every format; ms_print.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib python3

# At rank 0's peak: 100 + 50 + 7 + 20 + 9 bytes; 50 + 7 + 9 stay.  Rank 1 is
# smaller.
run app.1.wm <<'E'
program app
elf app
id 1
start 0
rank 0 of 2
t 1000 malloc 0x1000 60 main<make
t 1500 malloc 0x1100 40 main<make
t 2000 malloc 0x2000 50 main<solve<other
t 2000 malloc 0x4000 7 -
t 2000 malloc 0x5000 20 main<semi;colon"q"
t 2000 malloc 0x6000 9 0x7fff12345678
t 2500 malloc 0x7000 0 main<nothing
t 3000 free 0x1000
t 3000 free 0x1100
t 3000 free 0x5000
t 4000 malloc 0x8000 5 main<solve<late
t 9000000 free 0x8000
end
rank 1 of 2
t 1000 malloc 0x1000 70 main<solve<other
t 1000 malloc 0x2000 0 main<zero
end
E
run none.1.wm <<'E'
program none
id 1
rank 0 of 1
end
E
export_to() { # FORMAT RUN...: standard output is the export
	wm-analyze --quiet --export "$@"
}

is "folded: bytes at the peak; a semicolon in a name is none between" \
	"$(export_to folded app.1.wm)" "?? (no call path) 7
?? (0x7fff12345678) 9
main;make 100
main;semi:colon\"q\" 20
main;solve;other 50"
is "folded: --rank" "$(export_to folded --rank 1 app.1.wm)" \
	"main;solve;other 70"
is "folded: the sum" "$(export_to folded --rank all app.1.wm | tail -1)" \
	"main;solve;other 120"
is "folded: --at" "$(export_to folded --at 1.2us app.1.wm)" "main;make 60"

# csv EXPRESSION ARGUMENT...: a value of the rows, c
csv() {
	local e=$1
	shift
	export_to csv "$@" | python3 -c \
		"import csv,sys; c=list(csv.DictReader(sys.stdin)); print($e)"
}
is "csv: bytes and blocks, at the peak and never freed" "$(csv '[(r["path"],
	*[int(r[k]) for k in ("peak_bytes", "peak_blocks", "unfreed_bytes",
	"unfreed_blocks")]) for r in c if r["path"][0] != "?"]' app.1.wm)" \
	"[('main;make', 100, 2, 0, 0), ('main;solve;other', 50, 1, 50, 1), \
('main;semi:colon\"q\"', 20, 1, 0, 0), ('main;nothing', 0, 0, 0, 1)]"
is "csv: site and library" "$(csv '[(r["site"], r["library"][-4:])
	for r in c[:3]]' app.1.wm)" \
	"[('make', '/app'), ('other', '/app'), ('semi;colon\"q\"', '/app')]"
is "csv: of no call path" "$(csv '[(r["peak_bytes"], r["library"])
	for r in c if r["site"] == "?? (no call path)"]' app.1.wm)" \
	"[('7', '')]"

# The output of massif: the last tree of a kind, without addresses.
tree() { # peak|detailed FILE
	awk -v k="heap_tree=$1" '!/^ *n[0-9]*:/ {on = 0} on {t = t $0 "\n"}
		$0 == k {on = 1; t = ""} END {printf "%s", t}' "$2" |
		sed -E 's/0x[0-9A-F]*: //; s/ \(in .*//; s/ \(heap.*//'
}
export_to massif app.1.wm >massif.out
is "massif: the tree at the peak" "$(tree peak massif.out)" 'n5: 186
 n1: 100 make
  n0: 100 main
 n1: 50 other
  n1: 50 solve
   n0: 50 main
 n1: 20 semi;colon"q"
  n0: 20 main
 n0: 9 ?? (0x7fff12345678)
 n0: 7 ?? (no call path)'
is "massif: the tree of what was never freed" \
	"$(tree detailed massif.out)" 'n3: 66
 n1: 50 other
  n1: 50 solve
   n0: 50 main
 n0: 9 ?? (0x7fff12345678)
 n0: 7 ?? (no call path)'
# Trees in between: what each path held at that moment.
run between.1.wm <<'X'
elf between
rank 0 of 1
t 1000000 malloc 0x1000 1000 main<early
t 2000000 malloc 0x2000 5000 main<top
t 3000000 free 0x2000
t 4000000 free 0x1000
t 5000000 malloc 0x3000 300 main<late<deep
t 6000000 malloc 0x4000 100 main<other
t 9900000 free 0x3000
t 9900001 free 0x4000
end
X
export_to massif between.1.wm >between.out
is "massif: a tree in between" "$(tree detailed between.out)" 'n2: 400
 n1: 300 deep
  n1: 300 late
   n0: 300 main
 n1: 100 other
  n0: 100 main'
is "massif: 40 trees or more, each as large as its snapshot" "$(awk -F= '
	/^mem_heap_B/ {b = $2} /^heap_tree=(peak|detailed)/ {want = b; n++}
	want && /^n[0-9]*: / {split($0, w, " "); bad += w[2] != want; want = ""}
	END {print (n >= 40), bad}' between.out)" "1 0"
is "massif: highest snapshot, last snapshot" "$(sed -n 's/mem_heap_B=//p' \
	massif.out | sort -n | tail -1; sed -n 's/mem_heap_B=//p' massif.out |
	tail -1)" "186
66"
is "massif: time goes on, in ms" "$(sed -n 's/^time=//p' massif.out |
	sort -nc && sed -n 's/^time=//p' massif.out | tail -1)" 9
if command -v ms_print >/dev/null; then
	ms_print massif.out >printed
	detailed=$(awk -F= '/^snapshot=/ {n = $2} /=peak/ {print n " (peak)"}
		/=detailed/ {print n}' massif.out | paste -sd, | sed 's/,/, /g')
	is "ms_print: the peak" "$(sed -nE \
		's/.*Detailed snapshots: \[(.*)\]/\1/p' printed)" \
		"${detailed:-none}"
	is "ms_print: its total" "$(awk '$1 == "0" && NF == 6 {print $3}' \
		printed)" 186
	is "ms_print: who holds most" "$(grep -m1 '^->' printed |
		sed 's/0x[0-9A-F]*: //; s/ (in.*//')" "->53.76% (100B) make"
	export_to massif none.1.wm >none.out
	ok "ms_print: a program without events" ms_print none.out
else
	skip "ms_print" "valgrind is missing: scripts/setup"
fi
run small.1.wm <<'E'
program small
elf small
id 1
rank 0 of 1
t 1000000 malloc 0x1000 3000 main<big
t 1000000 malloc 0x2000 1 main<one
t 1000000 malloc 0x3000 2 main<two
t 1000000 malloc 0x4000 3 main<three
end
E
export_to massif small.1.wm >small.out
is "massif: small branches are one line, below 1 in 1,000" \
	"$(tree peak small.out)" "n3: 3006
 n1: 3000 big
  n0: 3000 main
 n1: 3 three
  n0: 3 main
 n0: 3 in 2 places, all below massif's threshold (0.10%)"
is "massif is about one rank" \
	"$(status export_to massif --rank all app.1.wm)" 2
is "massif is about all times" \
	"$(status export_to massif --at 1ms app.1.wm)" 2

# Five runs with a known law, p ranks of 8000 / p and 8 p bytes; one place that
# only the last run has; one run is there twice.
for p in 1 2 4 8 16; do
	{
		printf 'program law\nelf law\nid %d\n' $p
		for ((r = 0; r < p; r++)); do
			echo "rank $r of $p"
			echo "t 1000 malloc 0x1000 $((8000 / p)) main<grid"
			echo "t 2000 malloc 0x9000 $((8 * p)) main<a->b<table"
			[ $p -lt 16 ] ||
				echo "t 2000 malloc 0xa0000 3 main<last"
			echo end
		done
	} | run law.$p.wm
done
cat >extrap.py <<'E'
# A reader of Extra-P's JSON Lines, after its documentation (docs/file-formats.md
# there): prints the parameters and {callpath: points}.
import json, re, sys
name = re.compile(r"[!-~][ -~]*$")
data, parameters = {}, None
for line in open(sys.argv[1]):
    j = json.loads(line)
    assert j["metric"] == "peak_bytes" and parameters in (None, list(j["params"]))
    parameters = list(j["params"])
    assert all(name.match(n) for n in j["callpath"].split("->")), line
    point = tuple(j["params"].values())
    data.setdefault(j["callpath"], {}).setdefault(point, []).append(j["value"])
assert len({tuple(d) for d in data.values()}) == 1
print(parameters)
for path, d in sorted(data.items()):
    print(path, *("/".join("%g" % c for c in p) + "=" +
                  ",".join(map(str, v)) for p, v in d.items()))
E
law="law.1.wm law.2.wm law.4.wm law.8.wm law.16.wm"
cat >wanted <<'E'
['p']
(total) 1=8008 2=4016 4=2032,2032 8=1064 16=631
main->a- >b->table 1=8 2=16 4=32,32 8=64 16=128
main->grid 1=8000 2=4000 4=2000,2000 8=1000 16=500
main->last 1=0 2=0 4=0,0 8=0 16=3
E
export_to extrap $law law.4.wm >law.txt
is "extrap: each call path at each point; repetitions" \
	"$(python3 extrap.py law.txt 2>&1)" "$(cat wanted)"
export_to extrap --problem-size 100,200.5 law.1.wm law.2.wm >law.txt
is "extrap: --problem-size" "$(python3 extrap.py law.txt 2>&1 | head -2)" \
	"['p', 'size']
(total) 1/100=8008 2/200.5=4016"
export_to extrap --problem-size 1e-9,2.5e-7,3e-9,0.1 law.1.wm law.2.wm law.1.wm \
	law.4.wm >law.in
is "extrap: small sizes are not one point" \
	"$(python3 extrap.py law.in 2>&1 | sed -n 2p)" "(total)\
 1/1e-09=8008 2/2.5e-07=4016 1/3e-09=8008 4/0.1=2032"
for wrong in "--problem-size 100,200,300" "--rank 0" "--json" "--output law.2.wm"; do
	is "extrap $wrong: told before anything is read" "$(status \
		export_to extrap $wrong nothing.wm law.1.wm)" 2
done
is "extrap: too few runs" "$(status export_to extrap law.1.wm)" 2
is "extrap: sizes that are none" \
	"$(status export_to extrap --problem-size 100,x law.1.wm law.2.wm)" 2
is "extrap: a run that is not there" \
	"$(status export_to extrap law.1.wm law.3.wm)" 3

for f in folded speedscope pprof massif csv moca; do
	is "$f: a program without events" \
		"$(status export_to $f none.1.wm)" 0
	export_to $f --rank 0 -j 1 app.1.wm >one
	ok "$f: --output, other threads" export_to $f --rank 0 -j 2 \
		--output two.$f app.1.wm
	ok "$f: the same, byte for byte" cmp one two.$f
done
is "a bad format: usage" "$(status export_to foo app.1.wm)" 2
like "formats are listed then" "$(export_to foo app.1.wm 2>&1)" \
	'folded, speedscope, pprof, massif, csv, moca, moca-structures, gleipnir, dinero, lackey, extrap'
like "help lists them, too" "$(export_to help)" '^  pprof  .*gzip'
is "one at a time" "$(status export_to csv --export folded app.1.wm)" 2
is "--export=FORMAT" "$(wm-analyze -q --export=folded --rank 1 app.1.wm)" \
	"main;solve;other 70"
is "--json is not for all" "$(status export_to pprof --json app.1.wm)" 2
is "--problem-size is not for all" "$(status export_to csv --problem-size 1 app.1.wm)" 2
is "a file that cannot be made" \
	"$(status export_to csv --output no/such/file app.1.wm)" 3
is "a full disk" "$(status export_to csv --output /dev/full app.1.wm)" 3
if command -v script >/dev/null; then
	like "pprof is not for a terminal" "$(script -qec \
		"wm-analyze --export pprof app.1.wm" /dev/null </dev/null)" \
		'terminal: add --output FILE'
else
	skip "pprof is not for a terminal" "script (bsdutils) is missing"
fi
done_testing
