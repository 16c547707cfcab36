# SPDX-License-Identifier: Apache-2.0
# Under a real Slurm with two (pretended) nodes: one run directory per step,
# named by it, and none is fooled by another launcher inside an allocation.
# run: slurm=
. "$(dirname "$0")/../lib.sh" launch-lib
need_mpich
need_slurm

WM_CC=$mpi/bin/mpicc wmcc -g -static -o stencil \
	"$progs/stencil.c" 2>/dev/null
wmcc -g -static -fno-builtin -o families "$progs/families.c"

job() { # what wm-analyze says of the one run
	wm-analyze --json run/*.wm | jq -c '[.run.program, .run.ranks,
		.run.complete, [.ranks[].rank]]'
}
ids() { ls run | sed 's/[0-9][0-9]*\.[0-9][0-9]*/JOB.STEP/'; }

ok "srun on two nodes" run srun -N2 -n4 --mpi=pmi2 ./stencil.wm 64 3
is "srun: one directory, named by the step" "$(ids)" stencil.JOB.STEP.wm
is "srun: every rank" "$(job)" '["stencil",4,true,[0,1,2,3]]'

# wm-analyze-mpi, with the same MPI
if [ -f "$BUILD/obj/wm-analyze-mpi.link" ]; then
	(
		cd "$SRC" || exit 1
		MPICH_CC=$(cat "$BUILD/flags")
		export MPICH_CC
		"$mpi/bin/mpicc" -c -o "$W/port.o" analyze/job/port_mpi.c &&
			"$mpi/bin/mpicc" -o "$W/analyze-mpi" "$W/port.o" \
				$(cat "$BUILD/obj/wm-analyze-mpi.link")
	)
	ok "srun wm-analyze-mpi" timeout 120 srun -N2 -n3 --mpi=pmi2 \
		-o srun.out ./analyze-mpi --json run/*.wm
	wm-analyze --json run/*.wm >serial.out 2>/dev/null
	ok "srun wm-analyze-mpi: the bytes of wm-analyze" cmp serial.out \
		srun.out
else
	skip "srun wm-analyze-mpi" "it is not built: make MPICC=mpicc"
fi

ok "hydra in an allocation" run salloc -N2 -n4 "$mpi/bin/mpiexec" -n 4 \
	./stencil.wm 64 3
like "hydra: named by hydra" "$(ls run)" '^stencil\..*-[0-9]+\.wm$'
is "hydra: every rank" "$(job)" '["stencil",4,true,[0,1,2,3]]'

# SLURM_PROCID is 0 in all of these
printf '#!/bin/sh\nexec %s -launcher fork -n 4 ./stencil.wm 64 3\n' \
	"$mpi/bin/mpiexec" >batch.sh
ok "hydra in a batch script" run sbatch -W -N1 -n4 -o batch.out batch.sh
is "batch: every rank" "$(job)" '["stencil",4,true,[0,1,2,3]]'

ok "a program without MPI, three tasks" run srun -N2 -n3 --mpi=none \
	./families.wm
is "no MPI: one directory, named by the step" "$(ids)" families.JOB.STEP.wm
is "no MPI: three traces" "$(job)" '["families",3,true,[0,1,2]]'

# Programs that were not relinked.
gcc -g -fno-builtin -o plain "$progs/families.c"
ok "srun wm-run, without MPI" run srun -N2 -n3 --mpi=none wm-run ./plain
is "srun wm-run: one directory, three traces" "$(ids) $(job)" \
	'plain.JOB.STEP.wm ["plain",3,true,[0,1,2]]'
ok "wm-run srun, without MPI" run wm-run srun -N2 -n3 --mpi=none ./plain
is "wm-run srun: the same" "$(ids) $(job)" \
	'plain.JOB.STEP.wm ["plain",3,true,[0,1,2]]'
if command -v mpicc.mpich >/dev/null; then
	mpicc.mpich -g -o plain "$progs/stencil.c"
	ok "srun wm-run, with MPI" run srun -N2 -n4 --mpi=pmi2 wm-run \
		./plain 64 3
	is "srun wm-run, with MPI: every rank" "$(ids) $(job)" \
		'plain.JOB.STEP.wm ["plain",4,true,[0,1,2,3]]'
	ok "wm-run srun, with MPI" run wm-run srun -N2 -n4 --mpi=pmi2 \
		./plain 64 3
	is "wm-run srun, with MPI: the same" "$(ids) $(job)" \
		'plain.JOB.STEP.wm ["plain",4,true,[0,1,2,3]]'
else
	skip "srun wm-run, with MPI" "mpicc.mpich (libmpich-dev) is missing"
fi

rm -rf run
mkdir run
for i in 1 2; do
	WM_DIR=$W/run timeout 120 srun -N1 -n2 --mpi=pmi2 ./stencil.wm 64 3 \
		>/dev/null 2>&1 &
done
wait
is "two steps at once: two directories of two" "$(for d in run/*; do
	ls "$d" | grep -c rank-; done | tr '\n' ' ')" "2 2 "
# A step that is killed: none of our code runs.  The ranks' progress files tell
# what they had done.
wmcc -O1 -g -fno-builtin -static -pthread -o killed "$progs/killed.c"
killed() { # COMMAND...: ends the step once both ranks are at it
	rm -rf run progress.*
	mkdir run
	WM_DIR=$W/run timeout 120 "$@" sh -c \
		'exec ./killed.wm progress.$SLURM_PROCID 1 0' >out 2>err &
	for _ in $(seq 1 300); do
		[ -n "$(find run -name 'rank-000001.wmt.xz' -size +40k)" ] &&
			[ -n "$(find run -name 'rank-000000.wmt.xz' -size +40k)" ] &&
			break
		sleep 0.1
	done
}
if command -v python3 >/dev/null; then
	killed srun -N2 -n2 --mpi=none
	scancel --signal=KILL "$(squeue -h -s -o %i | grep -v -e batch \
		-e extern | head -n 1)"
	wait $!
	like "scancel --signal=KILL: the step is killed" "$(cat err)" \
		'[Kk]illed|CANCELLED'
	ok "scancel --signal=KILL: nothing is lost" "$SRC/tests/tools/killer" \
		--check ./killed.wm run 1 progress.0 progress.1
	killed srun -N2 -n2 --mpi=none --time=1
	scancel "$(squeue -h -o %i | head -n 1)"
	wait $!
	ok "scancel of the job: nothing is lost" "$SRC/tests/tools/killer" \
		--check ./killed.wm run 1 progress.0 progress.1
else
	skip "killed steps" "python3 is missing"
fi

done_testing
