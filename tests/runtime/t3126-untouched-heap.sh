# SPDX-License-Identifier: Apache-2.0
# Dynamic programs: looking up what lies behind the wrappers takes nothing of
# the program's heap, whose first blocks lie where they do without tracing, and
# its malloc is called only by the program.
. "$(dirname "$0")/../lib.sh"

gcc -O1 -fno-builtin -shared -fPIC -o libcount.so "$SRC/tests/tools/count.c"
for cc in gcc clang; do
	command -v $cc >/dev/null || { skip "$cc" "no $cc" && continue; }
	WM_CC=$cc wmcc -O1 -g -fno-builtin -o first-$cc \
		"$SRC/tests/progs/first_block.c" 2>>build.log
	plain=$(./first-$cc)
	like "$cc: the plain program speaks" "$plain" '^[0-9a-f]+ [0-9a-f]+ -$'
	is "$cc: wm-run: the same place" "$(WM_DIR=run wm-run ./first-$cc)" \
		"$plain"
	is "$cc: wm-run: and it is traced" "$(wm-analyze --quiet --json \
		run/first-$cc.*.wm | jq '.events.malloc > 0')" true
	is "$cc: the twin: the same place" "$(WM_DIR=twin ./first-$cc.wm)" \
		"$plain"
done

# the same with an allocator of the program that counts (struct counters)
counts() { # COMMAND...: mallocs, callocs, reallocs, frees, aligned, failed
	rm -f count
	WM_COUNT=$W/count WM_DIR=count.run WM_QUIET=1 "$@" >out.txt 2>&1 &&
		od -An -w48 -t d8 count | head -1
}
plain=$(counts env LD_PRELOAD="$W/libcount.so" ./first-gcc)
like "the counting malloc sees the program" "$plain" '[1-9]'
is "preloaded before it: the same calls, no other" "$(counts env \
	LD_PRELOAD="$BUILD/lib/wmtools/libwmtrace.so:$W/libcount.so" \
	./first-gcc)" "$plain"
ok "and they are traced" sh -c 'ls count.run/first-gcc.*.wm/rank-000000.*'
is "the twin: the same calls, no other" "$(counts env \
	LD_PRELOAD="$W/libcount.so" ./first-gcc.wm)" "$plain"

# MPICH's family, but nothing of what only other families have
gcc -shared -fPIC -Wl,-soname,libmpich.so.12 \
	-o libmpich.so.12 "$progs/mpi/stub.c"
{
	echo 'int MPI_Init(int *c, char ***v);'
	sed 's/^{/{ MPI_Init(0, 0);/' "$SRC/tests/progs/first_block.c"
} >mpi_first.c
WM_CC=gcc wmcc -O1 -g -fno-builtin -o mpi_first mpi_first.c libmpich.so.12 \
	-Wl,-rpath,"$W"
plain=$(./mpi_first)
like "MPI: the plain program speaks" "$plain" '^[0-9a-f]+ [0-9a-f]+ -$'
is "MPI: wm-run: the same place" "$(WM_DIR=run wm-run ./mpi_first)" "$plain"
is "MPI: the twin: the same place" "$(WM_DIR=twin ./mpi_first.wm)" "$plain"
plain=$(counts env LD_PRELOAD="$W/libcount.so" ./mpi_first)
is "MPI: preloaded before it: the same calls, no other" "$(counts env \
	LD_PRELOAD="$BUILD/lib/wmtools/libwmtrace.so:$W/libcount.so" \
	./mpi_first)" "$plain"
is "MPI: the twin: the same calls, no other" "$(counts env \
	LD_PRELOAD="$W/libcount.so" ./mpi_first.wm)" "$plain"

done_testing
