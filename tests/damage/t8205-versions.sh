# SPDX-License-Identifier: Apache-2.0
# Versions of the formats, held against docs/compatibility.md: each one that was
# released is read and gives the same answers, a newer minor version is read,
# and another major one is refused in words that help.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib python3
make_bundle=$BUILD/test/tools/wmc-make

# ---- the process that all versions tell of ----
cat >process <<'E2'
rank 0 of 1
t 1000100 malloc 0x10000010 40000 main<fill
t 1000200 malloc 0x10010000 100 main<small
t 1000200 calloc 0x10020000 200 main<small
t 1000400 free 0x10010000
t 1000500 realloc 0x10000010 0x10030000 60000 main<grow
t 1000600 phase solve
t 1000650 aligned 0x10050000 4096 main<grow
t 1000700 free 0x10020000
t 1000710 free 0x10050000
t 1000800 malloc 0x10040000 50 main<deep<leak
E2
pages='covered 0x10000-0x1ffff 1
epoch 10000 9000 0x10000-0x10004,0x10010 0x10000-0x10002 20 65536
pages'
loads='accesses 4 0 0 03 01 a0 c0 80 04 01 08 12 01 20 00 00 20 06 01 10 43 02 01'
lists=$(sed -n '/^| bytes of LOADS as LISTS/,/^$/p' \
	"$SRC/docs/trace-format.md" | sed -n 's/^| `\([^`]*\)`.*/\1/p' |
	tr '\n' ' ')
lists="lists 8 0 0 $lists
thread 1
accesses 102 1 0 03 01 a0 c0 80 04 02 04 12 01 20 00 00 20 06 01 10 e3 5d 00"
touches='covered 0x10000-0x1ffff 1
touches who 00 00 00 01 03 03
touches spots a0 c0 80 04 00 08
touches samples 01 10 03 80 92 f4 01 64 64 64
epoch 10000 9000 0x10000-0x10003 0x10000-0x10003 20 65536
pages'

# trace NAME [BEFORE] [BEHIND]: the run NAME.wm, and which versions its blocks
# claim.  BEFORE and BEHIND are statements before and after the events.
trace() {
	printf 'elf %s\n%s\n%s\n%s\nend\n' "$1.exe" "${2:-}" "$(cat process)" \
		"${3:-}" | run "$1.wm"
	claims=$(claimed "$1")
}
claimed() { # RUN
	"$SRC/tests/tools/wmt-dump" "$1.wm/rank-000000.wmt.xz" |
		sed -n "s/^{.*'format': '\([^']*\)'.*/\1/p" | sort -u
}

# Version 1.0, in each coding that it has, with each kind of block, and all in
# one: the first of the series of versions that are read.
made=
form() { # NAME [BEFORE] [BEHIND]
	trace "$@"
	made="$made $1"
	is "1.0, $1: blocks claim it" "$claims" 1.0
}
form runs 'times runs
values plain'
form gaps 'times gaps'
form packed packed
form ranks 'field 20 0'
form pages '' "$pages"
form tokens '' "$loads"
form lists '' "$lists"
form touches '' "$touches"
form all 'packed
times gaps
field 20 0' "$pages
$lists"

# The data known of it, whatever the version.
whole() {
	json '[j[k] for k in ("heap", "events", "functions", "leaks", "phases",
		"snapshots", "timeline", "threads", "bytes_left")
		if k in j]' --functions "$1.wm"
	answer wm-analyze -q --leaks --csv "$1.wm"
	answer wm-analyze -q --timeline --csv "$1.wm"
}
wanted=$(whole runs)
like "1.0: the peak is what the text says" "$(json '[j["heap"]["peak"]["max"],
	j["events"]["malloc"], j["events"]["realloc"], j["events"]["free"],
	sorted((f["name"], f["bytes"]) for f in j["functions"])]' \
	--functions runs.wm)" "^\[64296, 3, 1, 3, \[\('grow', 64096\), \
\('small', 200\)\]\]"
like "1.0: and the leaks" "$(wm-analyze -q --leaks --csv runs.wm)" '^50,1,.*,leak,'
for n in $made; do
	is "1.0, $n: the same answers" "$(whole "$n")" "$wanted"
	is "1.0, $n: nothing is missing" "$(status wm-analyze "$n.wm")" 0
	ok "1.0, $n: --repack reads it" \
		wm-analyze -q --repack --output packed-$n "$n.wm"
	mv "packed-$n/$n.wm" "$n-packed.wm"
	is "1.0, $n, repacked: the same answers" "$(whole "$n-packed")" "$wanted"
	is "1.0, $n, repacked: blocks claim it" "$(claimed "$n-packed")" 1.0
done
for report in "" --functions --tree --leaks "--export folded" --csv --timeline; do
	is "codings differ in nothing: the same bytes of wm-analyze $report" \
		"$(answer wm-analyze -q $report gaps.wm |
			sed "s/gaps\.exe/X/; /traces$\|bytes of traces/d")" \
		"$(answer wm-analyze -q $report runs.wm |
			sed 's/runs\.exe/X/; /traces$\|bytes of traces/d')"
done
is "ranks that were to be traced" \
	"$(json 'j["run"]["traced_ranks"]' ranks.wm)" 0
is "pages" "$(json '[(e["accessed"], e["written"]) for e in
	j["pages"]["epochs"]]' --pages pages.wm)" "[(6, 3)]"
is "loads and stores as tokens" "$(json '[j["accesses"][k] for k in
	("loads", "stores")]' --accesses tokens.wm)" "[0, 4]"
is "as lists" "$(json '[j["accesses"][k] for k in
	("loads", "stores")]' --accesses lists.wm)" "[102, 110]"
is "pages that hooks tell of" \
	"$(json '[(e["accessed"], e["written"]) for e in
	j["pages"]["epochs"]]' --pages touches.wm)" "[(4, 4)]"

# ---- newer traces ----
trace newer 'minor 1
later'
is "a newer minor version" "$claims" 1.1
is "is read: unknown fields, columns and blocks do not matter" \
	"$(whole newer)" "$wanted"
trace coded 'minor 1
coded 2 60'
says=$(wm-analyze coded.wm 2>&1 >/dev/null)
like "a column in a newer encoding: the file, and what to do" "$says" \
	"'rank-000000.wmt.xz': block 1 at .* column 2 has encoding 60, which this \
reader does not know \(trace format 1.1, it knows 1.0: use the wm-analyze of \
the wmtools that traced it, or a newer one"
is "and status 4" "$(status wm-analyze coded.wm)" 4
for major in 2 3; do
	printf 'major %s\n%s\nend\n' $major "$(cat process)" | run major.wm
	like "major version $major: the file, both versions, and what to do" \
		"$(wm-analyze major.wm 2>&1)" \
		"rank 0: 'rank-000000.wmt.xz': trace format $major.0, this reader \
knows 1.x: use the wm-analyze of the wmtools that traced it, or a newer one"
	is "major version $major: status 3" "$(status wm-analyze major.wm)" 3
done
mkdir -p node/major.wm to
cp major.wm/rank-000000.wmt.xz node/major.wm/
like "wm-collect leaves what it cannot know to be ended" \
	"$(wm-collect --from node --to to 2>&1)" 'rank-000000.wmt.xz. stays'
ok "and collects it when it is told so" \
	wm-collect --ended --from node --to to
ok "whole" cmp to/major.wm/rank-000000.wmt.xz major.wm/rank-000000.wmt.xz

# ---- windows (crash buffers) ----
# One block is written, the rest is in the window, with paths that share frames.
killed() { # VERSION: the run window-VERSION.wm
	{
		echo "window $1"
		sed '/phase/d; /malloc.*small$/s/$/\nblock/' process
	} | run "window-$1.wm"
}
dead() { # what a killed process told
	json '[j["run"]["window_events"], j["events"]["total"],
		j["heap"]["peak"]["max"], j["deaths"]["groups"][0]["path"],
		sorted((f["name"], f["bytes"]) for f in j["functions"])]' \
		--functions "$@"
}
sed '/^elf/d; s/^rank/elf names.exe\n&/' process >named
run names.wm <named
killed 1
is "window 1: all that the process told" \
	"$(dead --exe names.exe window-1.wm)" "[8, 9, 64296, \
'main;deep;leak', [('grow', 64096), ('small', 200)]]"
killed 2
like "window 2: refused, with the file and what to do" \
	"$(wm-analyze window-2.wm 2>&1 >/dev/null)" \
	"window-2.wm/rank-000000.wmw': version 2, this reader knows 1: use the \
wm-analyze of the wmtools that traced it, or a newer one"
is "the trace itself counts, with status 4" \
	"$(json 'j["events"]["total"]' window-2.wm) $(status wm-analyze \
	window-2.wm)" "2 4"

# ---- bundles ----
cat >bundle <<'E2'
program app
build-id 0102030405060708
map bfd
debug 3
section .bss 0x4000 512 1
row grid 0x4100 400 a.o src/a.c 7 0
row blk_ 0x4200 100 a.o src/a.c 9 1
row - 0 12 - - 0 0
function main 0x401000 256 a.o
function fill 0x401100 256 a.o
function small 0x401200 256 b.o
function grow 0x401300 256 b.o
line 0x401000 src/a.c 10
line 0x401100 src/a.c 20
line 0x401200 src/b.c 30
line 0x401300 src/b.c 40
inline 0x401200 32 tiny src/b.c 31
unseen calls of a plugin
hooked 3
hookless b.o 1 0
receiver src/b.c 40 block
E2
{ echo 'build-id 0102030405060708'; cat process; echo "$loads"; echo end; } |
	run named.wm
bundle() { # MAJOR MINOR FILE... [later]: the bundle of named.wm
	{ echo "version $1 $2"; cat "${@:3}"; } |
		"$make_bundle" named.wm/program.wmc.xz
}
named() {
	json '[[(f["name"], f["file"], f["line"], f["bytes"])
		for f in j["functions"]], j["static"], j["heap"]["peak"]["max"]]' \
		--functions named.wm
}
bundle 1 0 bundle
wanted=$(named)
like "bundle 1.0: functions, lines and static memory" "$wanted" \
	"'grow', '.*b.c', 40, 64096.*'tiny', '.*b.c', 30, 200.*512"
like "what its traces do not have" "$(wm-analyze named.wm 2>/dev/null)" \
	'calls of a plugin'
is "objects without hooks" \
	"$(json 'len(j["accesses"]["hookless"])' --accesses named.wm)" 1
like "the variable that a line allocates for" \
	"$(wm-analyze --functions named.wm 2>&1)" 'b\.c:40  block'
echo later >later
bundle 1 1 bundle later
is "a newer minor version of a bundle is read" "$(named)" "$wanted"
for major in 0 2; do
	bundle $major 5 bundle
	like "bundle $major.5: refused, with the file and what to do" \
		"$(wm-analyze --static-report named.wm 2>&1)" \
		"'named.wm/program.wmc.xz': bundle format $major.5, this reader \
knows 1.x: use the wm-analyze of the wmtools that relinked the program, or a \
newer one"
	like "bundle $major.5: the events count" \
		"$(json 'j["heap"]["peak"]["max"]' named.wm)" '^64296$'
done
done_testing
