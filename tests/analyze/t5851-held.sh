# SPDX-License-Identifier: Apache-2.0
# What a process held when it was killed is no leak, and is told apart.
. "$(dirname "$0")/../lib.sh" analyze-lib wmcc-lib python3

# Rank 1 was killed with 700 bytes; 0 forgets 50; libc keeps 9 in both.
run app.1.wm <<'E'
program app
elf app.wm
id 1
module 0 0x400000 0x500000 -
module 0x600000 0x600000 0x700000 /lib/x86_64-linux-gnu/libc.so.6
rank 0 of 2
t 1000 malloc 0x1000 50 main<grab
t 2000 malloc 0x2000 9 main<read<0x600100
end
rank 1 of 2
t 1000 malloc 0x1000 300 main<grab
t 2000 malloc 0x2000 9 main<read<0x600100
t 3000 malloc 0x3000 400 main<field
E
sums() {
	json '[j["never_freed"][k]["bytes"] for k in ("program", "held",
		"runtime")]' --leaks "$@" app.1.wm
}
is "leaked, held, kept by runtimes" "$(sums)" "[50, 709, 9]"
is "of the killed rank" "$(sums --rank 1)" "[0, 709, 0]"
is "of the other" "$(sums --rank 0)" "[50, 0, 9]"
is "sites that leak" "$(json '[(s["name"], s["bytes"], s["ranks"],
	s["max_rank"], s["runtime"]) for s in j["never_freed"]["sites"]]' \
	--leaks app.1.wm)" \
	"[('grab', 50, 1, 0, None), ('read', 9, 1, 0, 'libc')]"
is "sites that were held" "$(json '[(s["name"], s["bytes"], s["ranks"],
	s["max_rank"], s["runtime"]) for s in j["never_freed"]["held_sites"]]' \
	--leaks app.1.wm)" "[('field', 400, 1, 1, None), \
('grab', 300, 1, 1, None), ('read', 9, 1, 1, 'libc')]"
is "JSON: which ranks" "$(json '[r["held"] for r in j["ranks"]]' \
	app.1.wm)" "[False, True]"
is "CSV: a column tells" "$(wm-analyze -q --leaks --csv app.1.wm |
	cut -d, -f1,8,10)" "bytes,held,name
50,0,grab
9,0,read
400,1,field
300,1,grab
9,1,read"
text=$(wm-analyze -q --leaks app.1.wm)
like "text: leaked" "$text" '^The program.s: 50 bytes in 1 block, in 1 rank'
held='^Live when it was killed \(or now, if it still runs\); no leaks: '
like "text: held" "$text" \
	"$held"'709 bytes in 3 blocks, in 1 rank, most in rank 1 \(709 bytes\)$'
like "text: both together are what the summary says" "$text" \
	': 59 bytes in 2 blocks never freed by'
unlike "text: whose trace has no end has no list of what was never freed" \
	"$(wm-analyze -q --leaks --rank 1 app.1.wm)" 'never freed by|what the program never freed'
like "text: why" "$(wm-analyze -q --leaks --rank 1 app.1.wm)" \
	'^app  run 1: what rank 1 never freed is not known: its trace ended early$'
like "text: its call paths are of what was held" \
	"$(wm-analyze -q --leaks --rank 1 app.1.wm)" '^Call paths of what the program held$'
text=$(wm-analyze -q app.1.wm)
like "summary: leaked, and held" "$text" '^  never freed  59 bytes in 2 blocks$'
like "summary: held" "$text" '^  held +709 bytes in 3 blocks by 1 rank that'

is "--fail-on leaks: what was held is none" \
	"$(status wm-analyze --fail-on leaks=50 app.1.wm)" 4
is "--fail-on leaks: what leaked is" \
	"$(status wm-analyze --fail-on leaks=49 app.1.wm)" 1
is "--fail-on held: when asked" \
	"$(status wm-analyze --fail-on held=699 app.1.wm)" 1
is "--fail-on held: within the limit" \
	"$(status wm-analyze --fail-on held=700 app.1.wm)" 4
is "--fail-on held: what is said" \
	"$(wm-analyze -q --fail-on held app.1.wm 2>&1 >/dev/null | sed -n 2p)" \
	"wm-analyze: --fail-on held: 700 bytes were held when it was killed,\
 or its trace ended early; most of it in field: 400 bytes"

# Two ranks side by side: what one of them held has not grown to be a leak.
is "--compare: never freed, and held" "$(json '[[j["compare"][side][k] for k in
	("unfreed_bytes", "unfreed_blocks", "held_bytes", "held_blocks")]
	for side in ("a", "b", "change")]' --compare app.1.wm:0 app.1.wm:1)" \
	"[[59, 2, 0, 0], [0, 0, 709, 3], [-59, -2, 709, 3]]"
is "--compare: by function" "$(json '[(s["name"], s["bytes_a"], s["bytes_b"])
	for s in j["compare"]["leaks"]]' --compare app.1.wm:0 app.1.wm:1)" \
	"[('grab', 50, 0), ('read', 9, 0)]"
text=$(wm-analyze -q --compare app.1.wm:0 app.1.wm:1)
like "--compare: text" "$text" '^  held, no leak +0 bytes +709 bytes +\+709 bytes$'

# Exports: the same numbers.
is "--export csv" "$(wm-analyze -q --rank all --export csv app.1.wm \
	2>/dev/null | cut -d, -f1,3-5)" "peak_bytes,unfreed_bytes,unfreed_blocks,site
400,0,0,field
350,50,1,grab
18,9,1,read"
is "--export speedscope" "$(wm-analyze -q --rank all --export speedscope \
	app.1.wm 2>/dev/null | jq -r '.profiles[] | "\(.endValue) \(.name)"')" \
	"768 all ranks, each at its own peak
59 never freed: all ranks
709 held at the end, no leak: all ranks"
# a sample's values in one field: never freed, then at the peak
for r in "0 01320132" "1 000001ac02"; do
	wm-analyze -q --rank ${r% *} --export pprof app.1.wm 2>/dev/null |
		gzip -d >pb
	ok "--export pprof, rank ${r% *}" python3 -c "
v = bytes.fromhex('${r#* }')
assert bytes([0x12, len(v)]) + v in open('pb', 'rb').read()"
done

# A real one: 1 MiB in use when SIGKILL comes, and the same at a normal end.
for link in -static ""; do
	"$BUILD/bin/wmcc" $link -g \
		-o hold "$progs/report/held.c" || echo "# wmcc failed"
	rm -rf hold.*.wm
	WM_RUN_ID=killed ./hold.wm x >/dev/null 2>&1
	WM_RUN_ID=ended ./hold.wm
	for id in killed ended; do
		is "a real program, $id ($link)" "$(json '[s["bytes"] for k in
			("sites", "held_sites") for s in j["never_freed"][k]
			if s["name"] == "main"]' --leaks hold.$id.wm
			status wm-analyze --fail-on leaks hold.$id.wm)" \
			"[1048576]
$([ $id = killed ] && echo 4 || echo 1)"
	done
done
has_no "--compare: no such line where nothing was held" 'no leak' \
	wm-analyze -q --compare hold.ended.wm hold.ended.wm

# The trace reaches its cap while the program goes on and frees all.
"$BUILD/bin/wmcc" -static -g \
	-o cap "$progs/report/capped.c" || echo "# wmcc failed"
WM_RUN_ID=c WM_MAX_BYTES=65536 ./cap.wm
is "capped: what lived then is no leak" "$(json '(j["run"]["capped_ranks"] != [],
	[s["bytes"] for s in j["never_freed"]["sites"] if s["name"] == "main"])' \
	--leaks cap.c.wm)" "(True, [])"
like "capped: the heading" "$(wm-analyze -q --leaks cap.c.wm)" \
	'^Live when its trace had reached WM_MAX_BYTES; no leaks: '
done_testing
