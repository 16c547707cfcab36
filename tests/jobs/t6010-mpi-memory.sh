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

if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	ok "static C builds" env WM_CC="$mpi/bin/mpicc" wmcc -static -O1 -g \
		-o memc "$progs/mpi/memc.c"
	ok "static C runs" job memc "$mpi/bin/mpiexec"
	check "static C" memc "[4,3]" 100000 777
	like "static C: in the report" "$(wm-analyze --json --quiet run/*.wm |
		jq -c '.families.mpi.per_rank[0]')" '"unfreed_blocks": ?1'
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
else
	skip "dynamic MPICH" "package libmpich-dev is not installed"
fi

if command -v mpicc.openmpi >/dev/null; then
	run=(mpirun.openmpi --allow-run-as-root --oversubscribe)
	ok "Open MPI, C builds" env WM_CC=mpicc.openmpi wmcc -O1 -g \
		-o memc "$progs/mpi/memc.c"
	ok "Open MPI, C runs" job memc "${run[@]}"
	check "Open MPI, C" memc "[4,3]" 100000 777
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
