# SPDX-License-Identifier: Apache-2.0
# Memory from MPI: MPI_Alloc_mem, MPI_Win_allocate and the like, in C and
# Fortran, static and shared MPICH, shared Open MPI; counted once, as MPI's.
. "$(dirname "$0")/../lib.sh"
dump=$SRC/tests/tools/wmt-dump
command -v python3 >/dev/null || skip_all "python3 is missing"

bring mpi/memf.f90
sed 's/use mpi$/use mpi_f08/; s/integer :: e, w/integer :: e\n  type(mpi_win) :: w/' \
	memf.f90 >memf08.f90

# job NAME LAUNCHER...: two ranks
job() {
	local p=$1 f
	shift
	rm -rf run
	mkdir run
	WM_DIR=run timeout 100 "$@" -n 2 "./$p.wm" >out 2>err || return 1
	for f in run/*.wm/rank-*; do
		"$dump" --summary "$f"
	done >ranks.json
}

# each EXPRESSION: of both ranks
each() {
	jq -c "$1" ranks.json | tr '\n' ' '
}

check() { # NAME PROGRAM COUNTS PEAK LEFT
	is "$1: each call once" \
		"$(each '[.counts.MPI_ALLOC, .counts.MPI_FREE]')" "$3 $3 "
	is "$1: peak and rest" "$(each '[.family_peaks.mpi, .families.mpi]')" \
		"[$4,$5] [$4,$5] "
	is "$1: complete" "$(each .complete)" "true true "
}

# windows NAME COMPILER LAUNCHER...: what ranks share is not taken for their own,
# whoever touched it; and they are asked for no less than they had
windows() {
	local name=$1 cc=$2 kind
	shift 2
	ok "$name: a window builds" env WM_CC="$cc" wmcc -O1 -fno-builtin \
		-o window "$progs/mpi/window.c"
	for kind in own mix all root parts work none; do
		rm -rf had window.$kind.wm
		WM_RUN_ID=$kind timeout 100 "$@" -n 4 ./window.wm $kind had \
			>out 2>err
		# own, root: Open MPI unmaps stacks that it never touched.  parts,
		# work: faults do not tell which are for the window
		wm-analyze --quiet --json window.$kind.wm | jq -r --arg kind $kind \
			--argjson slack '{"own": 16, "root": 16, "parts": 26, "work": 34}' \
			--slurpfile had had '1048576 as $M | .run.ask |
			($had | [.[range(0; length; 2)]] | max) as $own |
			($had | [.[range(1; length; 2)]] | max) as $shared |
			((.own_bytes + .tool_bytes) / $M) as $o |
			(.node_shared_bytes / $M) as $s |
			if $o + .shared_bytes / $M >= $own + $shared and
				$o >= $own - 1 and
				$o < $own + ($slack[$kind] // 6) and
				.shared_bytes / $M >= $shared - 1 and
				($kind == "work" or $s < 150)
			then $kind else "\($kind): \($o) of its own for \($own), \($s) shared for \($shared)" end'
	done >windows.got
	is "$name: windows, once a node" "$(paste -sd ' ' windows.got)" \
		"own mix all root parts work none"
}

cat >turns.c <<'X'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	int rank;

	MPI_Initialized(&rank);
	if (!rank)
		MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 4; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (i == rank)
			free(memset(malloc(64 << 20), 1, 64 << 20));
	}
	MPI_Finalize();
	return 0;
}
X
# the same behind a window, which is gone by then
cat >late.c <<'X'
#include <mpi.h>
#include <string.h>
#define main turns
#include "turns.c"
#undef main
int main(int argc, char **argv)
{
	MPI_Win w;
	char *p;

	MPI_Init(&argc, &argv);
	MPI_Win_allocate_shared(8 << 20, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &p,
				&w);
	memset(p, 1, 8 << 20);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_free(&w);
	return turns(argc, argv);
}
X
turns() { # NAME COMPILER LAUNCHER...: four ranks have 64 MiB, one after another
	local name=$1 cc=$2
	shift 2
	WM_CC=$cc wmcc -O1 -fno-builtin -o turns turns.c
	rm -rf turns.1.wm
	WM_RUN_ID=1 timeout 100 "$@" -n 4 ./turns.wm >out 2>err
	is "$name: ranks that have their highest in turn" "$(wm-analyze --quiet \
		--json turns.1.wm | jq -c '1048576 as $M | .run.ask |
		[.node_own_bytes > 100 * $M, .node_own_bytes < 220 * $M,
		.node_sum_bytes > 256 * $M, .node_own_at_most]')" \
		"[true,true,true,false]"
	WM_CC=$cc wmcc -O1 -fno-builtin -o late late.c
	rm -rf late.1.wm
	WM_RUN_ID=1 timeout 100 "$@" -n 4 ./late.wm >out 2>err
	is "$name: in turn, when a window is gone, at most" "$(wm-analyze \
		--quiet --json late.1.wm | jq -c '1048576 as $M | .run.ask |
		[.node_own_bytes > 100 * $M, .node_own_bytes < 260 * $M,
		.node_own_at_most]')" "[true,true,true]"
}

if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	ok "static C builds" env WM_CC="$mpi/bin/mpicc" wmcc -static -O1 -g \
		-o memc "$progs/mpi/memc.c"
	ok "static C runs" job memc "$mpi/bin/mpiexec"
	check "static C" memc "[4,3]" 100000 777
	like "static C: in the report" "$(wm-analyze --json --quiet run/*.wm |
		jq -c '.ranks[0].mpi_unfreed_blocks')" 1
	text=$(wm-analyze --quiet run/*.wm)
	like "static C: the allocator's memory is not that of the heap alone" \
		"$text" 'from the system: for the heap, perhaps for MPI_Alloc_'
	like "static C: nor at the end" "$text" \
		"^  at end .* for $(wm-analyze --csv run/*.wm | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "unfreed_bytes") c = i }
		NR == 2 { printf "%.1f KiB", $c / 1024 }') never freed"
	for p in memf memf08; do
		ok "static $p builds" env WM_FC="$mpi/bin/mpif90" wmf90 \
			-static -O1 -g -o $p $p.f90
		ok "static $p runs" job $p "$mpi/bin/mpiexec"
		check "static $p" $p "[2,2]" 80000 0
	done
else
	skip "static MPICH" "it is missing: scripts/setup --mpi"
fi

if command -v mpicc.mpich >/dev/null; then
	ok "dynamic MPICH, C builds" env WM_CC=mpicc.mpich wmcc -O1 -g \
		-o memc "$progs/mpi/memc.c"
	ok "dynamic MPICH, C runs" job memc mpiexec.mpich
	check "dynamic MPICH, C" memc "[4,3]" 100000 777
	windows "dynamic MPICH" mpicc.mpich mpiexec.mpich
	turns "dynamic MPICH" mpicc.mpich mpiexec.mpich
else
	skip "dynamic MPICH" "package libmpich-dev is not installed"
fi

if command -v mpicc.openmpi >/dev/null; then
	run=(mpirun.openmpi --allow-run-as-root --oversubscribe)
	ok "Open MPI, C builds" env WM_CC=mpicc.openmpi wmcc -O1 -g \
		-o memc "$progs/mpi/memc.c"
	ok "Open MPI, C runs" job memc "${run[@]}"
	check "Open MPI, C" memc "[4,3]" 100000 777
	windows "Open MPI" mpicc.openmpi "${run[@]}"
	turns "Open MPI" mpicc.openmpi "${run[@]}"
	# it calls nothing but what the shim defines: --as-needed must not
	# drop the library
	for p in memf memf08; do
		ok "Open MPI, $p builds" env WM_FC=mpif90.openmpi wmf90 \
			-O1 -g -o $p $p.f90
		ok "Open MPI, $p runs" job $p "${run[@]}"
		check "Open MPI, $p" $p "[2,2]" 80000 0
	done
else
	skip "Open MPI" "package openmpi-bin is not installed"
fi
done_testing
