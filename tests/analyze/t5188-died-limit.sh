#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The limit that ranks died at: of those that had it, of their sum on a node at
# that time, and only where it was in force.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
unset SLURM_JOB_ID SLURM_STEP_ID SLURM_CPUS_PER_TASK PBS_JOBID LSB_JOBID \
	JOB_ID SGE_ROOT SLURM_MEM_PER_CPU SLURM_MEM_PER_NODE

# By the letters of its arguments, each with a number: a has so many MiB in a
# block, t writes to so many of the last one, g grows by so many MiB in 10 ms each
# until it is refused, f frees all, m has so many MiB that are shared, s sleeps so
# many ms, e has so many thousand blocks in turn, l lifts the limits, x ends with
# that status, k is killed
cat >act.c <<'X'
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
static char *block[1024];
static int blocks;
static char *have(size_t bytes)
{
	return block[blocks++] = malloc(bytes);
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
		long n = atol(argv[i] + 1);
		size_t bytes = (size_t)n << 20;

		if (argv[i][0] == 'a')
			have(bytes);
		if (argv[i][0] == 't')
			memset(block[blocks - 1], 1, bytes);
		for (; argv[i][0] == 'g' && n && have(1 << 20); n--) {
			memset(block[blocks - 1], 1, 1 << 20);
			usleep(10000);
		}
		while (argv[i][0] == 'f' && blocks)
			free(block[--blocks]);
		if (argv[i][0] == 'm')
			memset(mmap(0, bytes, 3, MAP_SHARED | MAP_ANONYMOUS,
				    -1, 0), 1, bytes);
		if (argv[i][0] == 's')
			usleep((useconds_t)n * 1000);
		for (n *= 1000; argv[i][0] == 'e' && n; n--)
			free(malloc(100));
		if (argv[i][0] == 'l') {
			setrlimit(RLIMIT_AS, &none);
			setrlimit(RLIMIT_DATA, &none);
		}
		if (argv[i][0] == 'x')
			return atoi(argv[i] + 1);
		if (argv[i][0] == 'k')
			raise(SIGKILL);
	}
	return 0;
}
X
ok "build" wmcc -g -O0 -fno-builtin -static -o act act.c
job() { # RANK RANKS MIB ACT...: of a job that may have so many MiB on a node
	PMI_RANK=$1 PMI_SIZE=$2 SLURM_JOB_ID=17 SLURM_MEM_PER_NODE=$3 \
		timeout 60 ./act.wm "${@:4}"
}
free() { # RANK RANKS ACT...: without a limit
	PMI_RANK=$1 PMI_SIZE=$2 timeout 60 ./act.wm "${@:3}"
}
said() { # RUN: its sentence, up to the growth
	wm-analyze "act.$1.wm" 2>/dev/null |
		sed '1,/^$/d;s/ while .*//;s/; this .*//;q'
}
export WM_RUN_ID

# ---- ranks with different limits ----
{
	WM_RUN_ID=1
	job 0 2 40 g36 k
	free 1 2 a60 t60 k
} 2>/dev/null
is "the rank that had the limit, by its own memory" "$(said 1)" \
	"Rank 0 died near its limit of 40.0 MiB a node"
is "no other one grew there" "$(wm-analyze act.1.wm 2>/dev/null |
	grep -c 'died near .* while rank 0 was growing')" 1
{
	WM_RUN_ID=2
	free 1 2 a70 t70 s900 &
	job 0 2 40 a5 t5 s300 k
	wait
} 2>/dev/null
like "memory of a rank without it does not count" "$(said 2)" \
	'^Ask for at least [0-9]+ MiB a rank: it ended early$'
{
	WM_RUN_ID=3
	for i in 0 1; do
		job $i 3 64 g29 s300 a1 k &
	done
	free 2 3 a8 t8 s300
	wait
} 2>/dev/null
is "the sum of those that have it" "$(said 3)" \
	"Rank 0 and 1 more died near their limit of 64.0 MiB a node"
{
	WM_RUN_ID=4
	job 0 2 64 a60 t60
	job 1 2 64 g20 k
} 2>/dev/null
like "not of one that had ended before" "$(said 4)" ': it ended early$'

# ---- not in force, or not met ----
{
	WM_RUN_ID=5
	job 0 1 64 g160 k
	WM_RUN_ID=6
	job 0 1 64 a200 t200 e400 s150 e400 k
	WM_RUN_ID=7
	job 0 1 64 a100 t5 e300 s150 e300 k
	WM_RUN_ID=8
	job 0 1 64 a60 t60 f0 s100 a1 t1 k
	WM_RUN_ID=9
	job 0 1 64 a100 t60 e300 s150 e300 k
} 2>/dev/null
for run in "5 it grew far beyond it" "6 it was far beyond it" \
	"7 it had not touched what it requested" "8 it had freed that"; do
	like "no limit: ${run#* }" "$(said "${run%% *}")" \
		'^Ask for at least [0-9]+ MiB a rank: it ended early$'
done
is "what was touched counts" "$(said 9)" \
	"Died near its limit of 64.0 MiB a node"
base=/sys/fs/cgroup/memory file=memory.limit_in_bytes
[ -d $base ] || base=/sys/fs/cgroup file=memory.max
group=$base/wmtest.died.$$
if mkdir $group 2>group.err && echo $((64 << 20)) 2>>group.err >$group/$file &&
	mkdir $group/low 2>>group.err &&
	echo $((40 << 20)) 2>>group.err >$group/low/$file; then
	{
		WM_RUN_ID=20
		(echo $BASHPID >$group/low/cgroup.procs && free 0 2 a20 t20 s2000) &
		(echo $BASHPID >$group/cgroup.procs && free 1 2 g90 k)
		wait
		WM_RUN_ID=21
		(echo $BASHPID >$group/cgroup.procs && free 0 2 g90)
		free 1 2 a80 t80 k
	} 2>/dev/null
	is "a cgroup: with one below it" "$(said 20)" \
		"Rank 1 died near its limit of 64.0 MiB in its cgroup"
	is "a cgroup: of one rank" "$(said 21)" \
		"Rank 0 died near its limit of 64.0 MiB in its cgroup"
	rmdir $group/low
else
	skip "a cgroup" "none to be had: $(tail -1 group.err)"
fi
[ ! -d $group ] || rmdir $group

# ---- limits of a process ----
refused() { # RUN
	wm-analyze "act.$1.wm" 2>/dev/null | sed '1,/^$/d;s/.* was refused//;q'
}
huge=a$(($(getconf _PHYS_PAGES) * $(getconf PAGE_SIZE) / (1 << 19)))
(ulimit -d 60000 && WM_RUN_ID=30 ./act.wm m100 g90 x3)
is "shared memory is no data, but other memory is" "$(refused 30)" \
	" 1.0 MiB at its limit of 58.6 MiB on data"
for kind in d v; do
	(ulimit -S -$kind 60000 && WM_RUN_ID=31$kind ./act.wm l0 a200 t200 "$huge" x3)
	like "no limit that was lifted, $kind" "$(refused 31$kind)" \
		'^ [0-9.]+ [GT]iB$'
done

# ---- killed after a request was refused ----
# Its sentence without the growth, the row of its need, and how it ended.
killed() { # RUN
	wm-analyze "act.$1.wm" 2>/dev/null | sed -n '
		s/^\(Ask for.* early\).*\(; it was\)/\1\2/p
		s/^  a rank  *//p
		s/^  It was refused/it was refused/p
		s/^  \(.* failed in [^(]*\).*/\1/p' | sed 's/: [0-9.]* MiB with/: N MiB with/
			s/MiB [0-9.]* .*s before/MiB N before/
			s/at least \(9[0-7]\|18[0-9]\|19[0-5]\) MiB/at least N MiB/'
}
wanted() { # LIMIT KIND WHEN
	cat <<X
Ask for at least N MiB a rank: it ended early; it was refused 15.0 MiB in have() at its limit of $1 MiB on $2; this run does not show how much is enough
at least N MiB: N MiB with the request that failed (rank 0)
15.0 MiB failed in have 
it was refused 15.0 MiB $3.
X
}
ok "build, dynamic" wmcc -g -O0 -fno-builtin -o act2 act.c
blocks=$(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo a15 t15; done)
parts_add_up() { # RUN
	wm-analyze --json "act.$1.wm" 2>/dev/null | jq '.run.ask |
		.need_bytes + .untouched_bytes == .requested_bytes +
		.refused_bytes + .allocator_bytes + .static_bytes +
		.stack_bytes + .thread_stacks_bytes + .other_bytes'
}
for act in "./act.wm" "./act2.wm" "wm-run ./act2"; do
	run=32
	for how in "d 100000 97.7 data" "v 200000 195.3 address space"; do
		set -- $how
		for more in "" e1; do
			rm -rf act.$run.wm act2.$run.wm
			# the block that is refused is not written to
			(ulimit "-$1" "$2" && WM_NAME=act WM_RUN_ID=$run \
				timeout 60 $act $(sed "s/\(\( a15 t15\)\{$([ \
				"$1" = d ] && echo 5 || echo 11)\}\).*/\1 a15/" \
				<<<" $(echo $blocks)") $more k) 2>/dev/null
			is "$act, $1, ${more:-at once}: the request, its limit" \
				"$(killed $run)" "$(wanted "$3" "${*:4}" \
					"$([ "$more" ] && echo N before that ||
						echo then)")"
		done
		is "$act, $1: the parts add up" "$(parts_add_up $run)" true
	done
done
done_testing
