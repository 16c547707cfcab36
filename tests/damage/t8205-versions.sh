# SPDX-License-Identifier: Apache-2.0
# Versions of the formats, held against docs/compatibility.md: what a version
# wrote is read and gives the same answers, a newer minor version is read, and
# another major one is refused in words that help.
# run: quick
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
command -v python3 >/dev/null || skip_all "no python3"
make_bundle=$BUILD/test/tools/wmc-make
header=$SRC/include/wm/trace_format.h
knows=$(sed -n 's/^#define WMT_MINOR_NEWEST \([0-9]*\).*/\1/p' "$header")

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

# version NAME BEFORE BEHIND: the run NAME.wm of a version, and what it claims.
# BEFORE and BEHIND are statements before and after the events.
version() {
	printf 'elf %s\n%s\n%s\n%s\nend\n' "$1.exe" "$2" "$(cat process)" "$3" |
		run "$1.wm"
	claims=$("$SRC/tests/tools/wmt-claims" "$1.wm/rank-000000.wmt.xz")
}

# Each minor version with what it added, from what those before it had.
old='paths whole
times runs'
made=
minor() { # N BEFORE [BEHIND]
	version "2.$1" "$2" "${3:-}"
	made="$made $1"
	like "2.$1: a block claims it" "$claims" "^claimed 2\.$1 needed 2\.$1\$"
	is "2.$1: no block claims what it does not need" \
		"$(awk '$2 != $4' <<<"$claims")" ""
}
minor 0 "$old"
minor 1 "$old
packed"
minor 2 "$old
field 20 0"
minor 3 "$old" "$pages"
minor 4 "$old" "$loads"
minor 5 "$old" "$lists"
minor 6 "$old" "$touches"
minor 7 "paths tree
times runs"
minor 8 "paths tree
times gaps"
is "there is a text of each minor version that is known" "$made" \
	"$(printf ' %s' $(seq 0 "$knows"))"

# What is known of it, whatever the version.
whole() {
	json '[j[k] for k in ("heap", "events", "functions", "leaks", "phases",
		"snapshots", "timeline", "threads", "bytes_left")
		if k in j]' --functions "$1.wm"
	answer wm-analyze -q --leaks --csv "$1.wm"
	answer wm-analyze -q --timeline --csv "$1.wm"
}
wanted=$(whole 2.0)
like "2.0: the peak is what the text says" "$(json '[j["heap"]["peak"]["max"],
	j["events"]["malloc"], j["events"]["realloc"], j["events"]["free"],
	sorted((f["name"], f["bytes"]) for f in j["functions"])]' \
	--functions 2.0.wm)" "^\[64296, 3, 1, 3, \[\('grow', 64096\), \
\('small', 200\)\]\]"
like "2.0: and the leaks" "$(wm-analyze -q --leaks --csv 2.0.wm)" '^50,1,.*,leak,'
for ((n = 1; n <= knows; n++)); do
	is "2.$n: the same answers as 2.0" "$(whole 2.$n)" "$wanted"
	is "2.$n: nothing is missing" "$(status wm-analyze 2.$n.wm)" 0
done
for n in 1 7 8; do # what only codes differently
	for report in "" --functions --tree --leaks "--export folded" --csv \
			--timeline; do
		# shellcheck disable=SC2086 # words
		is "2.$n: the same bytes of wm-analyze $report" \
			"$(answer wm-analyze -q $report 2.$n.wm |
				sed "s/2\.$n\.exe/X/; /traces$\|bytes of traces/d")" \
			"$(answer wm-analyze -q $report 2.0.wm |
				sed 's/2\.0\.exe/X/; /traces$\|bytes of traces/d')"
	done
done
is "2.2: ranks that were to be traced" \
	"$(json 'j["run"]["traced_ranks"]' 2.2.wm)" 0
is "2.3: pages" "$(json '[(e["accessed"], e["written"]) for e in
	j["pages"]["epochs"]]' --pages 2.3.wm)" "[(6, 3)]"
is "2.4: loads and stores" "$(json '[j["accesses"][k] for k in
	("loads", "stores")]' --accesses 2.4.wm)" "[0, 4]"
is "2.5: of lists" "$(json '[j["accesses"][k] for k in
	("loads", "stores")]' --accesses 2.5.wm)" "[102, 110]"
is "2.6: pages that hooks tell of" \
	"$(json '[(e["accessed"], e["written"]) for e in
	j["pages"]["epochs"]]' --pages 2.6.wm)" "[(4, 4)]"

# All of them in one file, and what this version makes of each.
version all "packed
times gaps
field 20 0" "$pages
$lists"
is "all in one: the same answers" "$(whole all)" "$wanted"
for n in $made all; do
	[ "$n" = all ] || n=2.$n
	rm -rf packed
	ok "$n: --repack reads it" wm-analyze -q --repack --output packed $n.wm
	mv "packed/$n.wm" "$n-packed.wm"
	is "$n, repacked: the same answers" "$(whole "$n-packed")" "$wanted"
	is "$n, repacked: blocks claim what they need" "$("$SRC/tests/tools/wmt-claims" \
		"$n-packed.wm/rank-000000.wmt.xz" | awk '$2 != $4')" ""
done

# ---- newer traces ----
next=$((knows + 1))
version newer "minor $next
later" ""
like "a newer minor version" "$claims" "^claimed 2\.$next needed 2\.[78]\$"
is "is read: unknown fields, columns and blocks do not matter" \
	"$(whole newer)" "$wanted"
version coded "minor $next
coded 2 60" ""
says=$(wm-analyze coded.wm 2>&1 >/dev/null)
like "a column in a newer encoding: the file, and what to do" "$says" \
	"'rank-000000.wmt.xz': block 1 at .* column 2 has encoding 60, which this \
reader does not know \(trace format 2.$next, it knows 2.$knows: use the \
wm-analyze of the wmtools that traced it, or a newer one\)"
is "and status 4" "$(status wm-analyze coded.wm)" 4
for major in 1 3; do
	version major "major $major" ""
	like "major version $major: the file, both versions, and what to do" \
		"$(wm-analyze major.wm 2>&1)" \
		"rank 0: 'rank-000000.wmt.xz': trace format $major.[0-9], this reader \
knows 2.x: use the wm-analyze of the wmtools that traced it, or a newer one"
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
used() { # RUN: bytes of paths in its window
	od -An -tu4 -j128 -N4 "$1.wm/rank-000000.wmw"
}
sed '/^elf/d; s/^rank/elf names.exe\n&/' process >named
run names.wm <named
for v in 1 2; do
	killed $v
	is "window $v: all that the process told" \
		"$(dead --exe names.exe window-$v.wm)" "[8, 9, 64296, \
'main;deep;leak', [('grow', 64096), ('small', 200)]]"
done
ok "paths share frames in version 2 alone" \
	test "$(used window-2)" -eq "$(($(used window-1) - 16))"
killed 3
like "window 3: refused, with the file and what to do" \
	"$(wm-analyze window-3.wm 2>&1 >/dev/null)" \
	"window-3.wm/rank-000000.wmw': version 3, this reader knows 1 and 2: use \
the wm-analyze of the wmtools that traced it, or a newer one"
is "the trace itself counts, with status 4" \
	"$(json 'j["events"]["total"]' window-3.wm) $(status wm-analyze \
	window-3.wm)" "2 4"

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
E2
cat >added <<'E2'
inline 0x401200 32 tiny src/b.c 31
unseen calls of a plugin
hooked 3
hookless b.o 1 0
receiver src/b.c 40 block
E2
{ echo 'build-id 0102030405060708'; cat process; echo "$loads"; echo end; } |
	run named.wm
told=
bundle() { # MAJOR MINOR FILE... [later]: the bundle of named.wm
	{ echo "version $1 $2"; cat "${@:3}"; } |
		"$make_bundle" named.wm/program.wmc.xz
}
named() {
	json '[[(f["name"], f["file"], f["line"], f["bytes"])
		for f in j["functions"]], j["static"], j["heap"]["peak"]["max"]]' \
		--functions named.wm
}
census=$SRC/include/wm/census_format.h
newest=$(sed -n 's/^#define WMC_MINOR \([0-9]*\).*/\1/p' "$census")
bundle 1 0 bundle
wanted=$(named)
like "bundle 1.0: functions, lines and static memory" "$wanted" \
	"'grow', '.*b.c', 40, 64096.*'small', '.*b.c', 30, 200.*512"
for ((n = 1; n <= newest; n++)); do
	bundle 1 $n bundle
	is "bundle 1.$n: the same answers" "$(named)" "$wanted"
done
has() { # what newer versions tell of the same program
	wm-analyze --functions named.wm 2>&1 | grep -c tiny
	wm-analyze named.wm 2>/dev/null | grep -c 'calls of a plugin'
	json 'len(j["accesses"]["hookless"])' --accesses named.wm
	wm-analyze --functions named.wm 2>&1 | grep -c 'b.c:40  block'
}
for ((n = 0; n <= newest; n++)); do
	bundle 1 $n bundle added
	told="$told $(has | grep -vc '^0')"
done
is "each newer one tells what it added: inlined calls, what is unseen, objects \
without hooks, receivers" "$told" " 0 1 2 3 4"
echo later >later
bundle 1 $((newest + 1)) bundle later
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
