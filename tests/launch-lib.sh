# SPDX-License-Identifier: Apache-2.0
# What the tests of launchers share; sourced after lib.sh.
#
#   need_mpich              static MPICH's prefix in $mpi, or the file is skipped
#   need_slurm              a Slurm of our own runs until the end, or likewise
#   have_open_mpi           Debian's Open MPI, set up for one machine; or 1
#   member_sources          member.c, member.f90: a rank holds 50000000 + rank
#                           bytes, made in mine(), and meets the others
#   run COMMAND...          in an empty ./run; output in out, err
#   dirs                    the run directories, what differs as JOB.STEP, HOST-N, N
#   job [DIR...]            what wm-analyze says: [ranks, complete, [ranks...]]
#   sizes [DIR...]          MPI's ranks, as mine() tells them, rank by rank

limit=${WM_LAUNCH_TIMEOUT:-120}

need_mpich() {
	mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null) ||
		skip_all "static MPICH is missing: scripts/setup --mpi"
	command -v jq >/dev/null || skip_all "jq is missing"
}

need_slurm() {
	local p
	for p in srun slurmctld slurmd munged; do
		command -v $p >/dev/null || PATH=$PATH:/usr/sbin:/sbin
		command -v $p >/dev/null ||
			skip_all "$p is missing: scripts/setup"
	done
	[ "$(id -u)" = 0 ] || skip_all "starting Slurm needs root"
	trap '"$SRC/scripts/try-slurm" down "$W/slurm"; cd /; rm -rf "$W"' EXIT
	"$SRC/scripts/try-slurm" up "$W/slurm" 2>slurm.log ||
		skip_all "Slurm does not start here: $(tail -1 slurm.log)"
	export SLURM_CONF=$W/slurm/slurm.conf
}

have_open_mpi() {
	command -v mpicc.openmpi >/dev/null &&
		command -v mpiexec.openmpi >/dev/null || return 1
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,tcp
	export OMPI_MCA_btl_tcp_if_include=lo
}

member_sources() {
	bring mpi/member.c mpi/member.f90
}

run() {
	rm -rf run
	mkdir run
	WM_DIR=$W/run timeout "$limit" "$@" >out 2>err </dev/null
}

dirs() {
	ls run | sed -E "s/\.[0-9]+\.[0-9]+(-spawn|\.wm)/.JOB.STEP\1/
		s/\.$(uname -n)-[0-9]+(-spawn|\.wm)/.HOST-N\1/
		s/\.[0-9]{5,}(-spawn|\.wm)/.N\1/" | tr '\n' ' '
}

job() {
	[ $# -gt 0 ] || set -- run/*.wm
	wm-analyze --quiet --json "$@" | jq -c '[.run.ranks, .run.complete,
		[.heap.per_rank[].rank]]'
}

sizes() {
	local n
	[ $# -gt 0 ] || set -- run/*.wm
	for n in $(wm-analyze --quiet --json "$@" |
		jq '.heap.per_rank[].rank'); do
		wm-analyze --quiet --json --functions --rank "$n" "$@" |
			jq '[.functions[] | select(.name | test("mine")) |
				.bytes] | add - 50000000'
	done | tr '\n' ' '
}
