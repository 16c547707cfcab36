# SPDX-License-Identifier: Apache-2.0
# MPI: every rank in one directory, rank and size right, whatever launches.
. "$(dirname "$0")/../lib.sh" mpi-lib
mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null) ||
	skip_all "static MPICH is missing: scripts/setup --mpi"
command -v python3 >/dev/null || skip_all "python3 is missing"

# ranks DIR: "rank/ranks" of each trace, in order
ranks() {
	local f
	for f in "$1"/rank-*.wmt.xz; do
		"$dump" --summary "$f" |
			jq -r '"\(.info.rank)/\(.info.ranks)"'
	done | tr '\n' ' '
}

# job NAME COMMAND...: run in an empty directory, one run directory of 4
job() {
	local name=$1 out
	shift
	rm -rf run
	mkdir run
	out=$(WM_DIR=run "$@" 2>err | grep ranks)
	is "$name: output as ever" "$out" "4 ranks"
	is "$name: one run directory" "$(find run -name '*.wm' | wc -l)" 1
	is "$name: four ranks in it" "$(ranks run/*.wm)" "0/4 1/4 2/4 3/4 "
	is "$name: all complete" "$(for f in run/*.wm/rank-*; do
		"$dump" --summary "$f" | jq .complete; done | sort -u)" true
	is "$name: says nothing" "$(grep -c wmtrace err)" 0
}

ok "C builds" env WM_CC="$mpi/bin/mpicc" wmcc -g -static -fno-builtin \
	-o hello "$progs/mpi/hello.c"
job "static C, hydra" "$mpi/bin/mpiexec" -n 4 ./hello.wm
like "the directory is named by hydra's port" "$(ls run)" \
	'^hello\..*-[0-9]+\.wm$'
is "rank 3 has its block" "$("$dump" run/*/rank-000003.wmt.xz |
	awk '$3 == "MALLOC" && $5 == 4000 {n++} END {print n + 0}')" 1
job "through a shell" "$mpi/bin/mpiexec" -n 4 sh -c './hello.wm; exit $?'
job "unknown launcher: rank 0's name goes round" "$mpi/bin/mpiexec" -n 4 \
	env -u MPI_LOCALRANKID ./hello.wm
job "WM_RUN_ID" env WM_RUN_ID=x1 "$mpi/bin/mpiexec" -n 4 ./hello.wm
is "WM_RUN_ID names it" "$(ls run)" hello.x1.wm
ok "C with MPI_Init_thread builds" env WM_CC="$mpi/bin/mpicc" wmcc -g -static \
	-DTHREADS -o threads "$progs/mpi/hello.c"
job "MPI_Init_thread" "$mpi/bin/mpiexec" -n 4 ./threads.wm
ok "Fortran builds" env WM_FC="$mpi/bin/mpifort" wmf90 -g -static -o fhello \
	"$progs/mpi/hello.f90"
job "static Fortran, hydra" "$mpi/bin/mpiexec" -n 4 ./fhello.wm

rm -rf run
mkdir run
WM_DIR=run timeout 60 ./hello.wm >out 2>&1
is "without a launcher: a job of one" "$(cat out) $(ranks run/*.wm)" \
	"1 ranks 0/1 "

rm -rf run
WM_DIR=run ./hello.wm without MPI_Init
is "it returns before MPI_Init: its build is known" "$(wm-analyze --json run/*.wm \
	2>err | jq -c '[.run.complete, [.functions[] | select(.name == "mine") |
	.bytes]]') $(grep -c build err)" "[true,[500]] 0"

# Many jobs at once do not meet.
rm -rf run
mkdir run
for i in 1 2 3; do
	WM_DIR=run "$mpi/bin/mpiexec" -n 2 ./hello.wm >/dev/null 2>&1 &
done
wait
is "three jobs at once: three directories of two" \
	"$(for d in run/*.wm; do ls "$d" | grep -c rank-; done | tr '\n' ' ')" \
	"2 2 2 "

rm -rf run
mkdir run
WM_DIR=run timeout 60 "$mpi/bin/mpiexec" -n 4 ./hello.wm abort >out 2>&1
plain=$(timeout 60 "$mpi/bin/mpiexec" -n 4 ./hello abort >/dev/null 2>&1
	echo $?)
is "MPI_Abort: the program's own fate" \
	"$(WM_DIR=run timeout 60 "$mpi/bin/mpiexec" -n 4 ./hello.wm abort \
		>/dev/null 2>&1; echo $?)" "$plain"
is "MPI_Abort: the rank that called it is whole" \
	"$("$dump" --summary "$(ls -d run/*.wm | head -1)/rank-000003.wmt.xz" |
		jq -c '[.complete, .info.reason]')" '[true,"MPI_Abort"]'

# Another profiling library in the same link keeps working.
ok "with a PMPI library: builds" env WM_CC="$mpi/bin/mpicc" wmcc -static \
	-o prof "$progs/mpi/hello.c" "$progs/mpi/pmpi.c"
job "with a PMPI library" "$mpi/bin/mpiexec" -n 4 ./prof.wm
is "with a PMPI library: it sees each rank" "$(grep -c profiled err)" 4

# ---- dynamic programs, both ABIs, as Debian has them ----
if command -v mpicc.mpich >/dev/null && command -v mpiexec.mpich >/dev/null; then
	ok "dynamic MPICH builds" env WM_CC=mpicc.mpich wmcc -g \
		-o dhello "$progs/mpi/hello.c"
	job "dynamic MPICH" mpiexec.mpich -n 4 ./dhello.wm
	ok "dynamic MPICH, Fortran, builds" env WM_FC=mpifort.mpich wmf90 -g \
		-o dfhello "$progs/mpi/hello.f90"
	job "dynamic MPICH, Fortran" mpiexec.mpich -n 4 ./dfhello.wm
else
	skip "dynamic MPICH" "package mpich is missing"
fi
if command -v mpicc.openmpi >/dev/null; then
	export OMPI_MCA_btl=self,vader
	run="mpiexec.openmpi --oversubscribe -n 4"
	ok "dynamic Open MPI builds" env WM_CC=mpicc.openmpi wmcc -g -o ohello \
		"$progs/mpi/hello.c"
	job "dynamic Open MPI" $run ./ohello.wm
	ok "dynamic Open MPI, Fortran, builds" env WM_FC=mpifort.openmpi wmf90 \
		-g -o ofhello "$progs/mpi/hello.f90"
	job "dynamic Open MPI, Fortran" $run ./ofhello.wm
	# Without a launcher the trace is opened late, by the first of its
	# components that is closed: with thousands of call paths.
	rm -rf alone.wm
	WM_RUN_ID=alone WM_DIR=alone.wm ./ohello.wm >/dev/null 2>err
	is "Open MPI without a launcher: the trace is whole" "$(wm-analyze \
		--json alone.wm/*.wm 2>err | jq -c '[.run.complete,
		.heap.peak.max > 1000000]'),$(grep -c 'rank-' err)" \
		'[true,true],0'
else
	skip "dynamic Open MPI" "package openmpi-bin is missing"
fi
done_testing
