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

# A Slurm of our own; 1: there is none, $why says why.  The function in $at_end
# is called at the end, too.
start_slurm() {
	local p
	for p in srun slurmctld slurmd munged; do
		command -v $p >/dev/null || PATH=$PATH:/usr/sbin:/sbin
		command -v $p >/dev/null && continue
		why="$p is missing: scripts/setup"
		return 1
	done
	why="starting Slurm needs root"
	[ "$(id -u)" = 0 ] || return 1
	trap '"$SRC/scripts/try-slurm" down "$W/slurm"; cd /; ${at_end:-:}
		rm -rf "$W"' EXIT
	if ! "$SRC/scripts/try-slurm" up "$W/slurm" 2>slurm.log; then
		why="Slurm does not start here: $(tail -1 slurm.log)"
		return 1
	fi
	export SLURM_CONF=$W/slurm/slurm.conf
}

need_slurm() {
	start_slurm || skip_all "$why"
}

need_slurm_or_end() {
	start_slurm && return
	skip "$1" "$why"
	done_testing
	exit
}

have_open_mpi() {
	command -v mpicc.openmpi >/dev/null &&
		command -v mpiexec.openmpi >/dev/null || return 1
	export OMPI_MCA_btl=self,tcp
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
		[.ranks[].rank]]'
}

sizes() {
	local n
	[ $# -gt 0 ] || set -- run/*.wm
	for n in $(wm-analyze --quiet --json "$@" |
		jq '.ranks[].rank'); do
		wm-analyze --quiet --json --functions --rank "$n" "$@" |
			jq '[.functions[] | select(.name | test("mine")) |
				.bytes] | add - 50000000'
	done | tr '\n' ' '
}
