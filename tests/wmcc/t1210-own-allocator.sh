# SPDX-License-Identifier: Apache-2.0
# Static programs that define malloc in the file that calls it: traced where
# that can be done exactly, and else said at link and in every report.
. "$(dirname "$0")/../lib.sh" wmcc-lib

make() { # FLAGS...: app, app.wm, log
	rm -rf app app.wm
	${compiler:-wmcc} -w -fno-builtin ${kind:--static} -o app "$@" >log 2>&1 &&
		test -e app.wm
}

run() { # FILE ARGS...: a trace as JSON, and what the analysis says
	rm -rf run
	WM_DIR=run ./app.wm "${@:2}" >out 2>&1 || return
	"$dump" --summary run/*/rank-000000.wmt.xz >"$1" || return
	# 4: not whole
	wm-analyze run/* >report 2>&1 || [ $? -eq 4 ] || return
	wm-analyze --json run/* >report.json || [ $? -eq 4 ]
}

# what the program does itself: all without what it does when it does nothing
events() {
	jq -rs '[.[0].counts, .[1].counts] | .[0] as $a | .[1] as $b |
		["MALLOC", "FREE", "CALLOC", "REALLOC_IN", "NEW", "DELETE"] |
		map($a[.] - $b[.]) | join(" ")' all.json none.json
}

# WHAT FLAGS...: every event is there, nothing is said
seen() {
	local what=$1
	shift
	ok "$what: links" make "$@"
	is "$what: silent" "$(cat log)" ""
	ok "$what: does nothing" run none.json nothing
	ok "$what: runs" run all.json
	is "$what: the results of the plain program" "$(cat out)" "$(./app)"
	is "$what: each outermost call once" "$(events)" "$wanted"
	is "$what: whole" "$(jq .run.complete report.json)" true
}

# WHAT PATTERN FLAGS...: what is missing is told, and the program runs
told() {
	local what=$1 pattern=$2
	shift 2
	ok "$what: links" make "$@"
	is "$what: one line" "$(wc -l <log)" 1
	like "$what: says so at link" "$(cat log)" \
		"^wm.*: warning: 'app.wm' does not trace calls of .*$pattern"
	ok "$what: runs" run all.json
	is "$what: the results of the plain program" "$(cat out)" "$(./app)"
	like "$what: says so in the report" "$(cat report)" \
		"not traced: calls of .*$pattern"
	is "$what: not whole" "$(jq .run.complete report.json)" false
}

wanted="101 100 1 100 0 0"
for ld in bfd gold lld mold; do
	have "ld.$ld" "$ld" "$ld" || continue
	seen "gcc -O0, $ld" -g -O0 -fuse-ld=$ld "$progs/own_heap.c"
done
kind=-static-pie
seen "static-pie" -g -O0 "$progs/own_heap.c"
kind=
seen "stripped" -g -O0 -s "$progs/own_heap.c"
gcc -g -O0 -w -fno-builtin -c "$progs/own_heap.c" -o own_heap.o
rm -f libown.a libthin.a
ar rc libown.a own_heap.o && ar rcT libthin.a own_heap.o
seen "in an archive" -Wl,-u,main -L. -lown
seen "in a thin archive" -Wl,-u,main libthin.a
mkdir other
echo 'int other(void) { return 0; }' | gcc -g -x c - -c -o other/own_heap.o
for how in qc qcT; do
	rm -f libtwice.a && ar $how libtwice.a other/own_heap.o own_heap.o
	seen "the second member of that name, ar $how" -Wl,-u,main libtwice.a
done
seen "in a group" -Wl,-u,main -Wl,--start-group libown.a -lc -Wl,--end-group
# the allocator in a file of its own, whose calloc calls its malloc
gcc -g -O2 -w -fno-builtin -DONLY -c "$progs/own_heap.c" -o only.o
seen "apart" -O2 -DAPART "$progs/own_heap.c" only.o
gcc -O2 -w -fno-builtin -DONLY -c "$progs/own_heap.c" -o only.o
seen "apart, without debug information" -O2 -DAPART "$progs/own_heap.c" only.o

file="which defines them: the compiler has"
told "gcc -O1" "$file treated them as its own" -g -O1 "$progs/own_heap.c"
told "gcc -O2" "$file treated them as its own" -O2 "$progs/own_heap.c"
told "LTO" "link-time optimization" -O2 -flto "$progs/own_heap.c"
told "whole archive" "libown.a.own_heap.o" -g -O0 -Wl,--whole-archive libown.a \
	-Wl,--no-whole-archive
# one object of two sources, of which one calls what it defines
bring allocators/two_parts/one.c allocators/two_parts/two.c
gcc -g -O0 -w -fno-builtin -c one.c && gcc -g -O2 -w -fno-builtin -c two.c
ld -r -o both.o one.o two.o
told "an optimized part" "$file treated them as its own" both.o
gcc -g -O0 -w -fno-builtin -c two.c && ld -r -o both.o one.o two.o
ok "both parts not optimized: links" make both.o
is "both parts not optimized: silent" "$(cat log)" ""
# two objects for which a copy cannot stand in
rm -f libparts.a && ar rc libparts.a one.o two.o
told "whole archive, two objects" "'libparts.a.one.o.', 'libparts.a.two.o.'" \
	-Wl,--whole-archive libparts.a -Wl,--no-whole-archive

if have clang clang clang; then
	export WM_CC=clang
	seen "clang -O0" -g -O0 "$progs/own_heap.c"
	seen "clang -O2, no inlining" -g -O2 -fno-inline "$progs/own_heap.c"
	told "clang -O2" "$file put them inline" -g -O2 "$progs/own_heap.c"
	# nothing in clang's object tells how it was optimized
	for how in -O0 "-O2 -fno-inline"; do
		told "clang $how without -g" "if any .with -g it is known" \
			$how "$progs/own_heap.c"
	done
	unset WM_CC
fi

compiler=wmcxx
wanted="1 0 0 0 20 20"
seen "operator new beside it" -g -O0 "$progs/own_new.cpp"
have clang++ clang "operator new, clang" &&
	WM_CXX=clang++ seen "operator new beside it, clang -O0" -g -O0 \
		"$progs/own_new.cpp"
is "nothing is left over" "$(find . -name '.*.o')$(leftovers)" ""
done_testing
