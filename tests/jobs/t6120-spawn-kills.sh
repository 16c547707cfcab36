# SPDX-License-Identifier: Apache-2.0
# Spawned processes, and jobs that are ended: docs/launchers.md tells the same.
# run: long slurm=
. "$(dirname "$0")/../lib.sh" launch-lib
need_mpich
run_mpi=$mpi/bin/mpiexec
for p in family fate; do
	WM_CC=$mpi/bin/mpicc wmcc -g -static -fno-builtin -o $p "$progs/$p.c" \
		2>/dev/null
done
cp family.wm cousin.wm

# ---- MPI_Comm_spawn ----
spawned() { # NAME: family 2 of family, 3 of cousin, by 2 ranks
	is "$1: each world has a directory" "$(ls run | sed -E \
		's/^([a-z]*).*(-spawn[0-9]+)\.wm$/\1\2/; s/\..*//' | sort |
		tr '\n' ' ')" "cousin-spawn2 family family-spawn1 "
	is "$1: one job, ranks are numbered through" "$(job) $(sizes)" \
		"[7,true,[0,1,2,3,4,5,6]] 0 1 0 1 0 1 2 "
	is "$1: whose ranks they are is told" "$(wm-analyze --quiet --json \
		run/*.wm | jq -r '.run.notes[]' | sed 's/run [^:]*/run/')" \
		"MPI_Comm_spawn started run: its ranks 0 to 1 are ranks 2 to 3 of the job
MPI_Comm_spawn started run: its ranks 0 to 2 are ranks 4 to 6 of the job"
	is "$1: a world by itself" "$(job run/cousin*)" "[3,true,[0,1,2]]"
}
ok "spawn, hydra" run "$run_mpi" -n 2 ./family.wm 2 ./family.wm 3 ./cousin.wm
spawned "spawn, hydra"
is "spawn, hydra: the node holds them together" "$(wm-analyze --quiet --json \
	--imbalance run/*.wm | jq '[.imbalance.nodes[].peak_bytes] |
		max >= 250000000')" true
WM_RUN_ID=r7 ok "spawn, WM_RUN_ID" run "$run_mpi" -n 2 ./family.wm 2 \
	./family.wm 3 ./cousin.wm
spawned "spawn, WM_RUN_ID"
is "spawn, WM_RUN_ID: names" "$(ls run | tr '\n' ' ')" \
	"cousin.r7-spawn2.wm family.r7-spawn1.wm family.r7.wm "
ok "spawn_multiple, hydra" run "$run_mpi" -n 1 ./family.wm 2 ./family.wm \
	./cousin.wm
is "spawn_multiple: two programs of one world" "$(job) $(sizes)" \
	"[5,true,[0,1,2,3,4]] 0 0 1 2 3 "
FAMILY_GRANDCHILD=./cousin.wm ok "spawned ones spawn, hydra" run "$run_mpi" \
	-n 1 ./family.wm 1 ./family.wm
is "spawned ones spawn: three worlds" "$(job) $(sizes)" \
	"[4,true,[0,1,2,3]] 0 0 0 1 "
if have_open_mpi; then
	WM_CC=mpicc.openmpi wmcc -g -fno-builtin -o kin "$progs/family.c"
	mkdir ompi
	cp kin.wm ompi/family.wm
	cp kin.wm ompi/cousin.wm
	ok "spawn, Open MPI" run mpiexec.openmpi --oversubscribe -n 2 \
		ompi/family.wm 2 ompi/family.wm 3 ompi/cousin.wm
	spawned "spawn, Open MPI"
	is "spawn, Open MPI: one id" "$(ls run | sed -E \
		's/[^.]*\.([0-9]+).*/\1/' | sort -u | wc -l)" 1
else
	skip "spawn, Open MPI" "package openmpi-bin is missing"
fi

# ---- ends ----
# What there is to be said of a job of three after its end by force.
left() { # NAME
	wm-analyze --quiet --json run/*.wm >answer
	is "$1: exit status" $? 4
	is "$1: incomplete, but nothing is lost" "$(jq -c '.run | [.complete,
		.missing_ranks, .lost_end_ranks]' answer)" "[false,[],[]]"
	is "$1: every block is there" "$(for r in 0 1 2; do
		wm-analyze --quiet --json --functions --rank $r run/*.wm |
			jq '[.functions[] | select(.name == "mine") |
				.blocks] | add'
	done | tr '\n' ' ')" "2000 2000 2000 "
}
fate() { # COMMAND...: until it ends
	rm -f ready.*
	run "$@"
	is "$name: as without us, it ends by itself" "$(($? != 0 && $? != 124)) $(
		ls ready.* | wc -l)" "1 3"
}
none_runs() {
	wm-analyze --quiet --json run/*.wm >answer
	! grep -q '"running"' answer
}
# The reason and the first rank, which is 1 where that is known.
deaths() { # HOW DYNAMIC
	local all='[.deaths.first_rank, [.deaths.gave_up[].rank]]'
	local page

	soon none_runs
	case $1 in
	abort | assert) is "$name: rank 1 was the first" \
		"$(jq -c "$all" answer)" "[1,[1]]" ;;
	exit) is "$name: rank 1 left, and may be the first" "$(jq -c \
		'[(.deaths.first_ranks | index(1) != null),
		.deaths.first_rank == null or .deaths.first_rank == 1,
		[.deaths.gave_up[] | [.rank, .reason]], [.deaths.groups[] |
		select(.without_finalize) | .ranks, .exit_status]]' answer)" \
		"[true,true,[[1,\"exit\"]],[[1],$((1 - $2))]]" ;;
	*) is "$name: which was the first cannot be told" \
		"$(jq -c "$all" answer)" "[null,[]]" ;;
	esac
	case $1 in
	abort) like "$name: why" "$(jq -r '.deaths.sentences[0]' answer)" \
		'^Gave up by itself: rank 1 .* called MPI_Abort, ' ;;
	assert) like "$name: why" "$(jq -r '.deaths.sentences[]' answer)" \
		'^Rank 1: an assertion failed in end \(fate\.c:[0-9]+\)\.$' ;;
	exit) like "$name: why" "$(jq -r '.deaths.sentences[0]' answer)" \
		"rank 1 .* ended \\(exit$([ $2 = 1 ] || echo ', status 1')\\) without MPI_Finalize" ;;
	*) like "$name: where the signal is" \
		"$(jq -r '.deaths.sentences[]' answer)" '^The traces do not record signals; .*SIGSEGV' ;;
	esac
	wm-analyze --quiet run/*.wm | grep -A8 '^How ranks ended' |
		sed -n '2,/^  ranks/p' | sed '$d; s/^  //' >text
	is "$name: the text has the sentences of JSON" "$(<text)" \
		"$(jq -r '.deaths.sentences[]' answer)"
	wm-analyze --quiet --html page.html run/*.wm
	page=$("$SRC/tests/tools/page-data" page.html |
		jq -r '.deaths.sentences[]')
	is "$name: and so has the page" "$page" "$(<text)"
	wm-analyze --quiet --fail-on peak=1G run/*.wm >/dev/null
	is "$name: no gate passes" $? 4
	wm-analyze --quiet --fail-on peak=1K run/*.wm >/dev/null
	is "$name: one that is met fails" $? 1
}
fates() { # LAUNCHER COMMAND...
	local launcher=$1 how
	shift
	for how in abort segv kill exit assert; do
		name="$launcher, $how"
		fate "$@" ./fate.wm $how 1
		left "$name"
		deaths $how 0
		case $how in
		abort | exit) is "$name: rank 1 has its end" \
			"$(jq -c '.run.salvaged_ranks - [0, 2]' answer)" "[]" ;;
		*) like "$name: rank 1 has none" \
			"$(jq -c .run.salvaged_ranks answer)" 1 ;;
		esac
	done
}
fates mpiexec "$run_mpi" -n 3
if have_open_mpi; then
	WM_CC=mpicc.openmpi wmcc -g -fno-builtin -o kin "$progs/fate.c"
	for how in kill assert; do
		name="Open MPI, $how"
		fate mpiexec.openmpi --oversubscribe -n 3 ./kin.wm $how 1
		deaths $how 1
	done
else
	skip "ends, Open MPI" "package openmpi-bin is missing"
fi

memory_group() { # BYTES: sets $group
	group=/sys/fs/cgroup/memory/wmtest.$$
	[ -d /sys/fs/cgroup/memory ] || group=/sys/fs/cgroup/wmtest.$$
	mkdir "$group" 2>group.err || return
	for f in memory.limit_in_bytes memory.max; do
		[ -f "$group/$f" ] && echo "$1" >"$group/$f" && return
	done 2>group.err
	return 1
}
if [ "$(id -u)" = 0 ] && memory_group 150000000; then
	printf '#!/bin/bash\necho $$ >"%s/cgroup.procs" && exec "$@"\n' \
		"$group" >in_group
	chmod +x in_group
	# the limit holds for the rank that grows
	printf '#!/bin/sh\n[ "${PMI_RANK:-$SLURM_PROCID}" = 1 ] && %s\n%s\n' \
		'exec ./in_group "$@"' 'exec "$@"' >limited
	chmod +x limited
	name="mpiexec, out of memory"
	fate "$run_mpi" -n 3 ./limited ./fate.wm oom 1
	left "$name"
	is "$name: the rank that grew is the one" "$(jq \
		'.ranks | max_by(.peak_bytes).rank' answer)" 1
	is "$name: the limit that it died at, of its own group" "$(jq -c \
		'.run.ask | [.limit.of, .limit.bytes >= 149000000,
		.limit.bytes <= 150000000, .growing.rank // 1]' answer)" \
		'["cgroup",true,true,1]'
else
	group=
	skip "mpiexec, out of memory" "no memory cgroup: $(tail -1 group.err)"
fi

# ---- under Slurm ----
remove_group() {
	[ -z "$group" ] || rmdir "$group" 2>/dev/null
}
at_end=remove_group
need_slurm_or_end "under Slurm"

# The shortest limit that Slurm knows is a minute: it runs meanwhile.
if [ -n "${WM_LONG:-}" ]; then
	mkdir limit
	printf '#!/bin/sh\nexec srun -n3 --mpi=pmi2 ./fate.wm wait 9 limit\n' >limit.sh
	WM_DIR=$W/limit/run sbatch -N1 -n3 --time=1 -o limit.out limit.sh >limit.id
fi

fates srun srun -N2 -n3 --mpi=pmi2 --kill-on-bad-exit=1
if [ -n "$group" ]; then
	name="srun, out of memory"
	fate srun -N2 -n3 --mpi=pmi2 --kill-on-bad-exit=1 ./limited ./fate.wm \
		oom 1
	left "$name"
fi

export SLURM_OVERLAP=1
ok "spawn, srun pmi2" run salloc -n4 srun --overlap -n2 --mpi=pmi2 \
	./family.wm 2 "$W/family.wm" 3 "$W/cousin.wm"
unset SLURM_OVERLAP
spawned "spawn, srun pmi2"
is "spawn, srun pmi2: one id" "$(ls run | sed -E 's/\.[0-9]+\.0/.JOB.0/' |
	tr '\n' ' ')" \
	"cousin.JOB.0-spawn2.wm family.JOB.0-spawn1.wm family.JOB.0.wm "

if [ -n "${WM_LONG:-}" ]; then
	id=$(grep -o '[0-9]*$' limit.id)
	for _ in $(seq 1 200); do
		[ -z "$(squeue -h -j "$id" 2>/dev/null)" ] && break
		sleep 1
	done
	mv run run.before
	mv limit/run run
	like "time limit: Slurm ended it" "$(cat limit.out)" 'DUE TO TIME LIMIT'
	left "time limit"
fi
done_testing
