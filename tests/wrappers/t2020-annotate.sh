# SPDX-License-Identifier: Apache-2.0
# What programs say of themselves: nothing is needed to compile and link it,
# and it is in the trace when wmcc links.
. "$(dirname "$0")/../lib.sh" wmcc-lib python3
headers=$(wm-config --cflags)
module=$(wm-config --fortran-module)

# said PROGRAM ARGS...: what the newest run says, in one line
said() {
	rm -rf run
	WM_DIR=run "$@" >out 2>err || return
	"$dump" run/*/rank-000000.wmt.xz >dump.txt
	awk '$3 ~ /^(PHASE|NAME|SNAPSHOT|PAUSE|RESUME)$/ {
		k = $3; $1 = $2 = $3 = ""
		if (k == "NAME") $4 = ""
		sub(/^ +/, ""); sub(/ +$/, "")
		printf "%s%s(%s)", n++ ? " " : "", k, $0 }' dump.txt
}

all='PHASE(assembly) NAME(A matrix) NAME(-) NAME(A matrix) NAME(inside)'
all="$all SNAPSHOT(assembled) PHASE(soléver) PAUSE() RESUME() SNAPSHOT(-)"
all="$all PHASE(assembly) PHASE(-)"

# LABEL COMPILER WRAPPER VARIABLE FLAGS
check() {
	local what="$2 $5"
	command -v "$2" >/dev/null ||
		{ skip "$what" "package $1 is not installed"; return; }
	rm -f plain app app.wm
	if ! "$2" $5 $headers -fno-builtin -Wall -Wextra -Werror \
		"$progs/annotate.c" -o plain 2>plain.err; then
		skip "$what" "$2 cannot: $(head -1 plain.err)"
		return
	fi
	is "$what: the plain program runs" "$(./plain 2>&1)" "done"
	env "$4=$2" "$3" $5 -fno-builtin "$progs/annotate.c" -o app
	is "$what: no flag is needed with wmcc" $? 0
	ok "$what: same program" same plain app
	is "$what: all is in the trace" "$(said ./app.wm)" "$all"
	is "$what: silent" "$(cat err)" ""
}
for flags in "" "-O0 -static" "-O2 -static-pie -fPIE" "-no-pie -O2" \
	"-static -flto -O2" "-std=c99 -static"; do
	check gcc gcc wmcc WM_CC "$flags"
done
for flags in "" "-O2 -static"; do
	check clang clang wmcc WM_CC "$flags"
	check g++ g++ wmcxx WM_CXX "-x c++ $flags"
	check clang clang++ wmcxx WM_CXX "-x c++ $flags"
done
for ld in gold lld mold; do
	for flags in "" -static -no-pie; do
		command -v "ld.$ld" >/dev/null &&
			check gcc gcc wmcc WM_CC "$flags -fuse-ld=$ld"
	done
done
ok "C90" gcc -std=c90 -pedantic -Wall -Wextra -Werror $headers -x c \
	-fsyntax-only "$SRC/include/wm/wmtrace.h"

# ---- what is recorded in a pause ----
wmcc -static -fno-builtin "$progs/annotate.c" -o app
said ./app.wm >/dev/null
is "a pause leaves allocations out" "$(grep -cE 'MALLOC .* 5000 ' dump.txt)" 0
is "a realloc in a pause is the end of the block" \
	"$(awk '$3 == "REALLOC_GONE" || $5 == 6000' dump.txt | wc -l)" 1
"$dump" --summary run/*/rank-000000.wmt.xz >s.json
is "they are counted" "$(jq '[.unknown, .conflicts,
	.info.paused_allocations]' -c s.json)" '[2,0,2]'
is "what is live at the end" \
	"$(awk '$3 == "MALLOC" && $5 == 333' dump.txt | wc -l)" 1
is "END counts all records" "$(jq .info.total s.json)" \
	"$(awk '$1 ~ /^[0-9]+$/' dump.txt | wc -l)"
WM_DISABLE=1 WM_DIR=off ./app.wm >out 2>&1
is "not when tracing is off" "$? $(cat out) $(ls -d off 2>&1 | wc -w)" \
	"0 done $(ls -d off 2>&1 | wc -w)"
ok "no trace then" test ! -e off

# ---- many, long, and strange names ----
said ./app.wm 5000 >/dev/null
is "names beyond the limit share one" "$(sort -u -k5 dump.txt |
	grep -c ' NAME .* name ') $(grep -c 'NAME .*(too many names)' dump.txt)" \
	"4094 906"
long=$(printf 'é%.0s' $(seq 200))
is "a long name is cut between characters" \
	"$(said ./app.wm 0 "$long")" "PHASE(0) PHASE(${long:0:$((127 * 2))})"
wmcc -static "$progs/annotate/killed.c" -o die
rm -rf run
WM_DIR=run ./die.wm
is "a killed process leaves its names" "$(xz -dc run/*/rank*.xz |
	grep -aoE 'short|victim' | tr '\n' ' ')" "short victim "
is "and the events that use them" "$(wm-analyze -q --json run/* 2>/dev/null |
	jq -c '[.phases[1].name, .names[0].name, .names[0].bytes]')" \
	'["short","victim",12345]'
wmcc -static -fno-builtin "$progs/annotate/child.c" -o kid
rm -rf run
WM_CHILDREN=1 WM_DIR=run ./kid.wm
is "a traced child has all its names, and is not paused" \
	"$(wm-analyze -q --json run/*/*.child-*.xz 2>/dev/null |
	jq -c '[.phases[1].name, .names[0].name, .names[0].bytes]')" \
	'["parent","of the child",77]'

# ---- shared libraries, threads, a child ----
for ld in bfd gold lld mold; do
	command -v "ld.$ld" >/dev/null || continue
	ok "$ld: a library without undefined symbols" gcc -shared -fPIC \
		"-fuse-ld=$ld" -Wl,-z,defs $headers "$progs/annotate_lib.c" \
		-o liblib.so
	rm -f use use.wm
	wmcc "-fuse-ld=$ld" -DLINKED "$progs/annotate_use.c" -o use ./liblib.so \
		-pthread
	is "$ld: plain with a library" "$(./use)" "done"
	like "$ld: from a linked library" "$(said ./use.wm | tail -c 60)" \
		'PHASE\(linked\) NAME\(of a library\)'
	wmcc "-fuse-ld=$ld" "$progs/annotate_use.c" -o use -pthread -ldl
	is "$ld: plain with a loaded library" "$(./use ./liblib.so)" "done"
	got=$(said ./use.wm ./liblib.so)
	like "$ld: from a loaded library" "$(tail -c 60 <<<"$got")" \
		'PHASE\(loaded\) NAME\(of a library\)'
done
is "each thread is heard" "$(grep -o 'PHASE(step' <<<"$got" | wc -l)" 200
is "a name is sent once" "$(grep -ao 'step 49' <(xz -dc run/*/rank*.xz) |
	wc -l)" 1
is "a child is not" "$(grep -cE "(PHASE|SNAPSHOT).*child" dump.txt)" 0

# ---- ranks ----
if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	WM_CC=$mpi/bin/mpicc wmcc -static "$progs/annotate/ranks.c" -o ranks
	rm -rf run
	WM_DIR=run "$mpi/bin/mpiexec" -n 3 ./ranks.wm
	is "every rank is heard" "$(wm-analyze -q --json --rank all run/* |
		jq -c '[.phases[] | select(.name) | [.name, .ranks]],
		[.names[] | [.name, .bytes, .blocks]]' | tr '\n' ' ')" \
		'[["before",3],["after",3]] [["of others",5000000,2],["of the first",1000000,1]] '
else
	skip "every rank is heard" "static MPICH is missing: scripts/setup --mpi"
fi

# ---- Fortran ----
all='PHASE(set up) NAME(field) NAME(vector) SNAPSHOT(all there) PAUSE()'
all="$all RESUME() PHASE(tear down) SNAPSHOT(-) PHASE(-)"
for flags in "" "-O0 -static" "-O2 -static-pie -fPIE" -no-pie \
	"-static -flto -O2" "-fuse-ld=gold" "-static -fuse-ld=lld" \
	"-fuse-ld=mold"; do
	command -v gfortran >/dev/null ||
		{ skip "gfortran" "package gfortran is missing"; break; }
	rm -f plain app app.wm
	if ! gfortran $flags -Wall -Werror "$module" "$progs/annotate.f90" \
		-o plain 2>plain.err; then
		skip "gfortran $flags" "it cannot: $(head -1 plain.err)"
		continue
	fi
	is "gfortran $flags: the plain program runs" "$(./plain)" " done"
	wmf90 $flags "$module" "$progs/annotate.f90" -o app 2>app.err
	is "gfortran $flags: silent" "$(cat app.err)" "$(cat plain.err)"
	ok "gfortran $flags: same program" same plain app
	is "gfortran $flags: all is in the trace" "$(said ./app.wm)" "$all"
done
if command -v gfortran >/dev/null; then
	gfortran -shared -fPIC "$module" -o libmod.so
	wmf90 "$progs/annotate.f90" -o app ./libmod.so
	is "the module in a shared library" "$(./app)" " done"
	is "the module in a shared library, traced" "$(said ./app.wm)" "$all"
fi
done_testing
