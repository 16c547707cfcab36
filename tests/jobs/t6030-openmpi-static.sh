# SPDX-License-Identifier: Apache-2.0
# Static programs of Open MPI (scripts/openmpi-static): ranks, every Fortran
# module, memory of MPI, MPI_Abort, MPI_Comm_spawn, another PMPI library, and
# under Slurm.  The links are those of tests/wmcc/t1070-mpi.sh.
# run: rest slurm=
. "$(dirname "$0")/../lib.sh" wmcc-lib mpi-lib
mpi=$("$SRC/scripts/setup" --print-prefix openmpi 2>/dev/null) ||
	skip_all "static Open MPI is missing: scripts/setup --all builds it"
command -v python3 >/dev/null || skip_all "python3 is missing"
run=("$mpi/bin/mpiexec" -n 4)
# so that only MPI itself tells how many ranks there are
unsaid=(env -u OMPI_COMM_WORLD_RANK -u OMPI_COMM_WORLD_SIZE)

sed 's/use mpi_f08/use mpi/; s/type(mpi_win)/integer/' \
	"$progs/mpi/openmpi.f90" >hello_mpi.f90

fresh() { # COMMAND...: in an empty run directory
	local f s
	rm -rf run
	mkdir run
	WM_DIR=$W/run timeout 120 "$@" >out 2>err </dev/null
	s=$?
	for f in run/*.wm/rank-*.wmt.xz; do
		"$dump" --summary "$f"
	done >ranks.json 2>/dev/null
	return $s
}

each() { # EXPRESSION: of each process of the last run, in order of rank
	jq -r "$1" ranks.json | tr '\n' ' '
}

job() { # NAME COMMAND...: four ranks in one directory
	local name=$1
	shift
	ok "$name: runs" fresh "$@"
	is "$name: output as ever" "$(grep ranks out)" "4 ranks"
	is "$name: one run directory" "$(find run -name '*.wm' | wc -l)" 1
	is "$name: four whole ranks" "$(each \
		'"\(.info.rank)/\(.info.ranks) \(.complete)"')" \
		"0/4 true 1/4 true 2/4 true 3/4 true "
	is "$name: says nothing" "$(grep -c wmtrace err)" 0
}

memory() { # NAME COUNT PEAK: of MPI's memory, in each rank
	is "$1: memory of MPI, once each" "$(each \
		'"\(.counts.MPI_ALLOC) \(.counts.MPI_FREE) \(.family_peaks.mpi)"')" \
		"$2 $2 $3 $2 $2 $3 $2 $2 $3 $2 $2 $3 "
}

mpif() { # PROGRAM FILE: a Fortran program, plain and traced
	"$mpi/bin/mpifort" -static -g -o plain "$2" 2>/dev/null
	ok "$1 builds" env WM_FC="$mpi/bin/mpifort" wmf90 -static -g -o "$1" \
		"$2"
	ok "$1: same program" same plain "$1"
	job "$1" "${run[@]}" "${unsaid[@]}" "./$1.wm"
}

"$mpi/bin/mpicc" -static -g -fno-builtin \
	-o plain "$progs/mpi/openmpi.c" 2>/dev/null
ok "C builds" env WM_CC="$mpi/bin/mpicc" wmcc -static -g -fno-builtin \
	-o hello "$progs/mpi/openmpi.c"
ok "C: same program" same plain hello
job C "${run[@]}" ./hello.wm
memory C 2 100000
is "C: rank 3 has its block" "$("$dump" run/*/rank-000003.wmt.xz |
	awk '$3 == "MALLOC" && $5 == 4000 {n++} END {print n + 0}')" 1
mpif f08 "$progs/mpi/openmpi.f90"
memory f08 2 80000
mpif fmpi hello_mpi.f90
memory fmpi 2 80000
mpif f77 "$progs/mpi/mpif_h.f90"

ok "without mpiexec: runs" fresh ./hello.wm
is "without mpiexec: a job of one" "$(cat out) $(each \
	'"\(.info.rank)/\(.info.ranks) \(.complete)"')" "1 ranks 0/1 true "

# three_jobs: at once; false: an mpiexec failed
three_jobs() {
	local i good=true
	rm -rf run tmp[123]
	mkdir run
	for i in 1 2 3; do
		mkdir "tmp$i"
		TMPDIR=$W/tmp$i WM_DIR=$W/run timeout 120 "$mpi/bin/mpiexec" \
			-n 2 ./hello.wm >"three$i" 2>&1 &
		pids[i]=$!
	done
	for i in 1 2 3; do
		wait "${pids[i]}" || good=false
	done
	$good
}

# mpiexecs that start together may end with "File exists": a folder below
# TMPDIR, which each makes if it is not there; and for other reasons of theirs
three_jobs || three_jobs || three_jobs ||
	tail -n 3 three[123] | sed 's/^/# /'
is "three jobs at once: three directories of two" \
	"$(for d in run/*.wm; do find "$d" -name 'rank-*' | wc -l; done |
		tr '\n' ' ')" "2 2 2 "

timeout 120 "${run[@]}" ./hello abort >/dev/null 2>&1
plain=$?
fresh "${run[@]}" ./hello.wm abort
is "MPI_Abort: the program's own fate" $? $plain
is "MPI_Abort: the rank that called it is whole" "$("$dump" --summary \
	run/*.wm/rank-000001.wmt.xz | jq -c '[.complete, .info.reason]')" \
	'[true,"MPI_Abort"]'

ok "MPI_Comm_spawn: runs" fresh "$mpi/bin/mpiexec" -n 2 ./hello.wm spawn
is "MPI_Comm_spawn: output as ever" "$(cat out)" "2 ranks"
is "MPI_Comm_spawn: every process left a whole trace" \
	"$(each .complete)" "true true true true true "
is "MPI_Comm_spawn: the three have their blocks" \
	"$(find run -name 'rank-*.wmt.xz' -exec "$dump" {} \; |
		awk '$3 == "MALLOC" && $5 == 7000 {n++} END {print n + 0}')" 3

# another profiling library in the same link keeps working
ok "with a PMPI library: builds" env WM_CC="$mpi/bin/mpicc" wmcc -static \
	-fno-builtin -o prof "$progs/mpi/openmpi.c" "$progs/mpi/pmpi.c"
job "with a PMPI library" "${run[@]}" ./prof.wm
is "with a PMPI library: it sees each rank" "$(grep -c profiled err)" 4

# under Slurm: the client of PMIx is in the program, mpirun starts its
# daemons by srun
for p in srun slurmctld slurmd munged; do
	command -v $p >/dev/null || PATH=$PATH:/usr/sbin:/sbin
done
slurm=$SRC/scripts/try-slurm
if ! command -v slurmctld >/dev/null || [ "$(id -u)" != 0 ]; then
	skip "under Slurm" "it is missing or this is not root: scripts/setup"
	done_testing
	exit
fi
trap '"$slurm" down "$W/slurm"; cd /; rm -rf "$W"' EXIT
if "$slurm" up "$W/slurm" 2>slurm.log; then
	export SLURM_CONF=$W/slurm/slurm.conf
	if srun --mpi=list 2>&1 | grep -q pmix; then
		job "srun --mpi=pmix, two nodes" srun -N2 -n4 --mpi=pmix \
			./hello.wm
	else
		skip "srun --mpi=pmix" "this Slurm has no PMIx"
	fi
	job "mpirun in an allocation of two nodes" salloc -Q -N2 -n4 \
		"${run[@]}" ./hello.wm
	printf '#!/bin/sh\nexec %s ./hello.wm\n' "${run[*]}" >batch.sh
	job "mpirun in a batch script" sh -c \
		'sbatch -W -N1 -n4 -o batch.out batch.sh; cat batch.out'
else
	skip "under Slurm" "it does not start here: $(tail -1 slurm.log)"
fi
done_testing
