# SPDX-License-Identifier: Apache-2.0
# Launchers under a real Slurm, and launchers inside of others: which run
# directory, which ranks.  docs/launchers.md tells the same.
# run: slurm=
. "$(dirname "$0")/../lib.sh" launch-lib
need_mpich
need_slurm
member_sources
run_mpi=$mpi/bin/mpiexec
WM_CC=$mpi/bin/mpicc wmcc -g -static -o ocean member.c 2>/dev/null
WM_FC=$mpi/bin/mpifort wmf90 -g -static -o land member.f90 2>/dev/null
wmcc -g -static -fno-builtin -o plain "$progs/families.c" 2>/dev/null
four='[4,true,[0,1,2,3]]'

# ---- steps of Slurm ----
ok "srun pmi2, static Fortran" run srun -N2 -n4 --mpi=pmi2 ./land.wm
is "srun pmi2, static Fortran: named by the step" "$(dirs)" "land.JOB.STEP.wm "
is "srun pmi2, static Fortran: ranks" "$(job) $(sizes)" "$four 0 1 2 3 "

printf '0-1 ./ocean.wm\n2-3 ./land.wm\n' >programs
ok "srun --multi-prog, C and Fortran" run srun -N2 -n4 --mpi=pmi2 \
	--multi-prog programs
is "srun --multi-prog: a directory for each program" "$(dirs)" \
	"land.JOB.STEP.wm ocean.JOB.STEP.wm "
is "srun --multi-prog: one job" "$(cat out) $(job) $(sizes)" \
	"4 ranks $four 0 1 2 3 "

ok "srun A : B" run srun -n1 --mpi=pmi2 ./ocean.wm : -n3 ./land.wm
is "srun A : B: a directory for each program" "$(dirs)" \
	"land.JOB.STEP.wm ocean.JOB.STEP.wm "
is "srun A : B: one job" "$(cat out) $(job) $(sizes)" "4 ranks $four 0 1 2 3 "

WM_RUN_ID=x1 ok "srun, WM_RUN_ID" run srun -N2 -n4 --mpi=pmi2 --multi-prog \
	programs
is "srun, WM_RUN_ID: a directory for each program" "$(dirs)" \
	"land.x1.wm ocean.x1.wm "
is "srun, WM_RUN_ID: one job" "$(job)" "$four"

ok "srun, taskset and a shell in front" run srun -N2 -n4 --mpi=pmi2 taskset 3 \
	sh -c 'nice ./ocean.wm; exit $?'
is "srun, taskset and a shell in front: ranks" "$(dirs)$(sizes)" \
	"ocean.JOB.STEP.wm 0 1 2 3 "

# the program's MPI does not know the launcher: jobs of one for MPI
ok "srun --mpi=none, static MPICH" run srun -N2 -n3 --mpi=none ./ocean.wm
is "srun --mpi=none: ranks are the step's" "$(dirs)$(job) $(sizes)" \
	"ocean.JOB.STEP.wm [3,true,[0,1,2]] 0 0 0 "
is "srun --mpi=none: told" "$(wm-analyze --quiet --json run/*.wm | jq -r \
	'.run.notes[]' | grep -c 'MPI ran each of 3 ranks as a job of its own')" 1

# ---- variables that are missing ----
printf '#!/bin/sh\ncd "%s/run" && exec ../plain.wm\n' "$W" >there.sh
chmod +x there.sh
ok "srun --export=NONE" run srun -N2 -n2 --mpi=none --export=NONE ./there.sh
is "srun --export=NONE: named by the step, in the working directory" \
	"$(dirs)$(job)" "plain.JOB.STEP.wm [2,true,[0,1]]"
ok "srun env -i" run srun -N2 -n2 --mpi=none env -i ./there.sh
is "srun env -i: each process by itself" "$(dirs)" \
	"plain.HOST-N.wm plain.HOST-N.wm "

# ---- scripts ----
cat >batch.sh <<X
#!/bin/sh
srun -n2 --mpi=pmi2 ./ocean.wm
srun -n2 --mpi=pmi2 ./ocean.wm
srun -n2 --mpi=none ./plain.wm
./plain.wm
./plain.wm
# a step's variables, kept from somewhere
SLURM_STEP_ID=0 SLURM_PROCID=0 ./plain.wm
X
ok "batch script of several steps" run sbatch -W -n2 -o batch.out batch.sh
is "batch script: a directory for each step" "$(ls run | grep -v "plain.$(uname \
	-n)" | sed 's/\.[0-9]*\.\([0-9]\)\./.JOB.\1./' | tr '\n' ' ')" \
	"ocean.JOB.0.wm ocean.JOB.1.wm plain.JOB.2.wm "
is "batch script: what is no step is by itself" \
	"$(ls run | grep -c "plain.$(uname -n)")" 3

printf '#!/bin/sh\necho "$SLURM_JOB_ID $SLURM_ARRAY_TASK_ID"\n%s\n' \
	'exec srun -n2 --mpi=pmi2 ./ocean.wm' >array.sh
ok "job array" run sbatch -W -n2 --array=3-4 -o array.%a.out array.sh
is "job array: the job id of each task names its directory" "$(ls run)" \
	"$(awk 'NF == 2 && /^[0-9]+ [34]$/ {print "ocean." $1 ".0.wm"}' \
		array.[34].out | sort)"
is "job array: ranks" "$(for d in run/*; do job "$d"; done | sort -u)" \
	"[2,true,[0,1]]"

# ---- launchers inside of launchers ----
ok "srun in an mpiexec'd script" run "$run_mpi" -n 2 srun -N2 -n2 --mpi=pmi2 \
	./ocean.wm
is "srun in an mpiexec'd script: two steps" "$(dirs)" \
	"ocean.JOB.STEP.wm ocean.JOB.STEP.wm "
is "srun in an mpiexec'd script: both ranks of each" \
	"$(for d in run/*; do job "$d"; done | sort -u)" "[2,true,[0,1]]"
ok "mpiexec, no MPI" run "$run_mpi" -n 3 ./plain.wm
is "mpiexec, no MPI: ranks" "$(dirs)$(job)" "plain.HOST-N.wm [3,true,[0,1,2]]"
ok "srun --mpi=none in an mpiexec'd script" run "$run_mpi" -n 1 srun -N2 -n3 \
	--mpi=none ./plain.wm
is "srun --mpi=none in an mpiexec'd script: ranks are srun's" "$(dirs)$(job)" \
	"plain.JOB.STEP.wm [3,true,[0,1,2]]"
ok "mpiexec in a task of srun" run srun -n1 --mpi=none sh -c \
	"$run_mpi -launcher fork -n 2 ./ocean.wm : -n 2 ./land.wm"
is "mpiexec in a task of srun: hydra's" "$(dirs)$(job) $(sizes)" \
	"land.HOST-N.wm ocean.HOST-N.wm $four 0 1 2 3 "

if have_open_mpi; then
	WM_CC=mpicc.openmpi wmcc -g -o sea member.c
	ompi="mpiexec.openmpi --oversubscribe"
	ok "mpirun (Open MPI) in an allocation" run salloc -N2 -n4 $ompi -n 4 \
		./sea.wm
	is "mpirun in an allocation: named by Open MPI" "$(dirs)$(job) $(sizes)" \
		"sea.N.wm $four 0 1 2 3 "
	printf '#!/bin/sh\necho procid=$SLURM_PROCID\nexec %s -n 4 ./sea.wm\n' \
		"$ompi" >batch.sh
	ok "mpirun in a batch script" run sbatch -W -n2 -o batch.out batch.sh
	is "mpirun in a batch script: SLURM_PROCID is 0 in all of them" \
		"$(grep -c procid=0 batch.out) $(dirs)$(job) $(sizes)" \
		"1 sea.N.wm $four 0 1 2 3 "
	ok "srun in an mpirun'd script" run $ompi -n 2 srun -N2 -n2 --mpi=pmi2 \
		./ocean.wm
	is "srun in an mpirun'd script: two steps" "$(dirs)" \
		"ocean.JOB.STEP.wm ocean.JOB.STEP.wm "
	ok "mpiexec in an mpirun'd script" run $ompi -n 2 "$run_mpi" -n 2 \
		./ocean.wm
	is "mpiexec in an mpirun'd script: two jobs of hydra" "$(dirs)" \
		"ocean.HOST-N.wm ocean.HOST-N.wm "
	# see tests/lib.sh for what two of them share otherwise
	cat >each.sh <<X
#!/bin/sh
OMPI_MCA_orte_tmpdir_base=\$(mktemp -d "$W/ompi.XXXXXX")
export OMPI_MCA_orte_tmpdir_base
exec $ompi -n 2 ./sea.wm
X
	chmod +x each.sh
	ok "mpirun in an mpiexec'd script" run "$run_mpi" -n 2 ./each.sh
	is "mpirun in an mpiexec'd script: two jobs of Open MPI" \
		"$(dirs)$(for d in run/*; do job "$d"; done | sort -u)" \
		"sea.N.wm sea.N.wm [2,true,[0,1]]"
	# This Open MPI knows no PMI: it refuses, with us as without.
	run srun -n2 --mpi=pmi2 ./sea
	plain=$?
	run srun -n2 --mpi=pmi2 ./sea.wm
	is "srun pmi2, Open MPI without PMI: the program's own fate" $? $plain
	is "srun pmi2, Open MPI without PMI: what there was" "$(dirs)$(job)" \
		"sea.JOB.STEP.wm [2,true,[0,1]]"
else
	skip "Open MPI in allocations" "package openmpi-bin is missing"
fi

# ---- ranks that contradict ----
ok "another launcher's variables, static MPICH" run env PALS_RANKID=0 \
	PALS_NRANKS=1 "$run_mpi" -n 3 ./ocean.wm
is "another launcher's variables: MPI's ranks hold" "$(dirs)$(job) $(sizes)" \
	"ocean.HOST-N.wm [3,true,[0,1,2]] 0 1 2 "
is "another launcher's variables: told" "$(wm-analyze --quiet --json run/*.wm |
	jq -r '.run.notes[]' | grep -c "3 of 3 ranks had variables of another \
launcher; MPI's ranks are used: rank 0 of 3 would be rank 0 of 1 by these \
variables")" 1

# All of them are rank 0 of 2 for what they know.
wmcc -static -o wait "$progs/jobs/wait.c"
export WM_DIR=$W/run
mkfifo go
rm -rf run
for i in 1 2 3; do
	PMI_RANK=0 PMI_SIZE=2 WM_RUN_ID=same timeout 60 ./wait.wm <go &
done
exec 3>go
for _ in $(seq 1 300); do
	[ "$(ls run/wait.same.wm 2>/dev/null | grep -c '^rank.*xz$')" -ge 3 ] &&
		break
	sleep 0.1
done
printf xxx >&3
wait
exec 3>&-
is "three processes of one rank: nothing is overwritten" \
	"$(ls run/wait.same.wm | grep -c '^rank-000000')" 3
wm-analyze --quiet --json run/*.wm >answer
is "three processes of one rank: not the whole answer" $? 4
is "three processes of one rank: told" "$(jq -r '.run.notes[]' answer |
	grep -c 'several processes claimed to be rank 0 at the same time: 2 traces left out')" 1
rm -rf run
for i in 1 2; do
	echo | PMI_RANK=0 PMI_SIZE=1 WM_RUN_ID=same ./wait.wm
done
wm-analyze --quiet --json run/*.wm >answer
is "one after the other: not the whole answer" $? 4
is "one after the other: told, but as no contradiction" "$(jq -r \
	'.run.notes[]' answer | sed 's/, with different pids.*//')" \
	"rank 0: 2 processes ran one after the other"
done_testing
