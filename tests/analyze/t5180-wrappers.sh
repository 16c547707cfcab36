# SPDX-License-Identifier: Apache-2.0
# Functions that only forward are folded in text, never in JSON and CSV.
. "$(dirname "$0")/../lib.sh" analyze-lib

# The memory of grid_alloc and xmalloc counts for their callers; the others
# allocate for one caller, at two places, twice on a path, or do something else,
# too.
run app.1.wm <<'E'
elf app
build-id 0011
rank 0 of 1
t 1000010 malloc 0x1000 1000 main<solve<grid_alloc<xmalloc
t 1000020 malloc 0x2000 2000 main<setup<grid_alloc<xmalloc
t 1000030 malloc 0x3000 300 main<setup<names
t 1000040 malloc 0x4000 40 main<only<once
t 1000050 malloc 0x5000 5 main<rec<rec<rec
t 1000060 malloc 0x6000 6 main<other<rec
t 1000070 malloc 0x7000 7 main<a<two
t 1000080 malloc 0x8000 8 main<b<two+20
t 1000090 malloc 0x9000 9 main<a<busy
t 1000100 malloc 0xa000 10 main<b<busy<inside
t 1000110 malloc 0xb000 11 main<a<MPI_Send<MPIR_x
t 1000120 malloc 0xc000 12 main<b<MPI_Send<MPIR_x
t 1000130 malloc 0xd000 13 thread<pool
t 1000140 malloc 0xe000 14 main<a<pool
t 1000150 malloc 0xf000 15 thread
t 1000160 malloc 0x1f000 16 main<b<late
t 1000170 free 0x1f000
t 1000180 malloc 0x2f000 17 main<a<late<more
end
E
# held ARGUMENTS...: lines of functions, "bytes function (wrappers)"
held() {
	wm-analyze --functions --top all "$@" | sed -n \
		's/^ \{0,3\}[0-9.]* %  *\([0-9.]* [A-Za-z]*\)  *[0-9]*  /\1 /p'
}
is "wrappers are folded into their callers" "$(held app.1.wm)" \
"2.0 KiB setup  (through grid_alloc, xmalloc)
1000 bytes solve  (through grid_alloc, xmalloc)
300 bytes names
40 bytes once
28 bytes thread  (in part through pool)
23 bytes MPI_Send
17 bytes more
15 bytes two
14 bytes a  (through pool)
11 bytes rec
10 bytes inside
9 bytes busy"
# the same in the other lists of functions
last() {
	wm-analyze "$@" --top all app.1.wm 2>/dev/null | sed -nE \
		's/^ +[0-9].* (setup|solve|xmalloc|grid_alloc)$/\1/p' |
		sort -u | tr -d '\n'
}
is "--leaks: the table names callers" "$(last --leaks)" "setupsolve"
is "--leaks: unless they are not folded" "$(last --leaks --fold -wrapper)" \
	"xmalloc"
is "--temporaries, too" "$(last --temporaries)" "setupsolve"
like "--fail-on, too" "$(wm-analyze --fail-on leaks app.1.wm 2>&1 >/dev/null)" \
	'most of it in setup: 2\.0 KiB'
raw="2.9 KiB xmalloc
300 bytes names
40 bytes once
27 bytes pool
23 bytes MPI_Send
17 bytes more
15 bytes two
15 bytes thread
11 bytes rec
10 bytes inside
9 bytes busy"
is "not without rules of group wrapper" "$(held --fold -wrapper app.1.wm)" \
	"$raw"
is "not with --fold none" "$(held --fold none app.1.wm | grep -c xmalloc)" 1
json_list() {
	json '" ".join("%s=%d" % (f["name"], f["bytes"])
		for f in j["functions"][:3])' "$@" app.1.wm
}
is "not in JSON" "$(json_list)" "xmalloc=3000 names=300 once=40"
is "not in CSV" "$(wm-analyze --functions --csv app.1.wm | sed -n 2p)" \
	"xmalloc,,0,3000,2"
like "call paths are whole" "$(wm-analyze --functions app.1.wm)" \
	'^ +xmalloc'
like "the summary folds, too" "$(wm-analyze app.1.wm)" \
	'setup  \(through grid_alloc, xmalloc\)'
like "so does what was never freed" "$(wm-analyze --leaks app.1.wm)" \
	'setup  \(through grid_alloc, xmalloc\)'
echo 'wrapper name names' >more
is "wrappers that are named" "$(held --fold more app.1.wm | head -1)" \
	"2.2 KiB setup  (through grid_alloc, xmalloc, names)"
is "only those" "$(held --fold -wrapper --fold more app.1.wm | head -2)" \
	"2.9 KiB xmalloc
300 bytes setup  (through names)"
echo 'wrapper forward p*' >some
is "only some that forward" "$(held --fold -wrapper --fold some app.1.wm |
	grep -e xmalloc -e pool)" "2.9 KiB xmalloc
28 bytes thread  (in part through pool)
14 bytes a  (through pool)"
echo 'wrapper forward x*' >some
is "one caller, which is shown, is no reason to fold" \
	"$(held --fold -wrapper --fold some app.1.wm)" "$raw"

# Real programs: inlined or not.
bring report/wrappers/lib.c report/wrappers/pool.cc
for flags in "-O0 -static" "-O2 -static" "-O1"; do
	rm -rf run
	ok "builds ($flags)" wmcc -g $flags -o app lib.c
	WM_DIR=run ./app.wm
	is "C ($flags)" "$(held run/*.wm | grep -e setup -e solve)" \
		"117.2 KiB setup  lib.c:23  (through local_alloc, xmalloc)
48.8 KiB solve  lib.c:28  (through local_alloc, xmalloc)"
	strip app.wm
	rm -rf run
	WM_DIR=run ./app.wm
	is "C, stripped ($flags)" "$(held run/*.wm | grep -c 'local_alloc, x')" 2
	rm -rf run
	ok "builds C++ ($flags)" wmc++ -g $flags -o pool pool.cc
	WM_DIR=run ./pool.wm
	is "C++ ($flags)" "$(held run/*.wm | grep -e setup -e solve)" \
		"83.0 KiB setup  pool.cc:15  (in part through array<double>::allocate(...))
15.6 KiB solve  pool.cc:22  (through array<double>::allocate(...))"
done
done_testing
