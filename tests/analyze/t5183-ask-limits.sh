#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What to ask the batch system for: runs that met a limit.
. "$(dirname "$0")/../lib.sh" analyze-lib ask-lib

cat >grow.c <<'X'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static char *history(size_t n)
{
	char *p = malloc(n);

	return p ? memset(p, 1, n) : NULL;
}
static char *field(size_t n) { return history(n); }
int main(int argc, char **argv)
{
	struct timespec t = { 0, 20000000 };
	volatile char *f = field(8 << 20);

	if (argc > 1 && !history(8000000000u))
		return 3;
	/* as Slurm kills a step of a job: at 56 of 66 MiB */
	for (int i = 0; i < 100 && history(2 << 20); i++)
		if (nanosleep(&t, 0) || (getenv("SLURM_MEM_PER_CPU") && i == 23))
			raise(SIGKILL);
	return f[1];
}
X
wmcc -g -O0 -fno-builtin -static -o grow grow.c
(ulimit -v 1000000 && WM_RUN_ID=1 ./grow.wm x)
is "refused: at least that much, and what refused it" "$(ask grow.1.wm '
	q["counts"], q["need_bytes"] >= 8008 * 10**6, q["lower_bound"],
	q["limit"]["of"], q["line"]')" \
	"('failed', True, True, 'address space', None)"
like "refused: text" "$(begin grow.1.wm)" \
	'^Ask for at least 7\.5 GiB a rank: rank 0 was refused 7\.5 GiB at its limit of 976\.6 MiB on address space$'
# MiB that it has at most, and its status; a further argument: it tries what no
# machine has
cat >quits.c <<'X'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	char *p;

	for (int n = atoi(argv[1]); n && (p = malloc(1 << 20)); n--)
		memset(p, 1, 1 << 20);
	return argc > 3 && malloc(PTRDIFF_MAX) ? 1 : atoi(argv[2]);
}
X
wmcc -g -O0 -fno-builtin -static -o quits quits.c
SLURM_JOB_ID=17 WM_RUN_ID=1 ./quits.wm 24 3 x
like "a status that is not 0: at least" "$(begin quits.1.wm)" \
	'^Ask for at least 2[5-9] MiB a rank: it exited with status 3$'
# fits RUN...: whether a node of 64 GiB holds them, as --imbalance has it
fits() {
	for run; do
		wm-analyze -q --imbalance --node-memory 64G --json "$run.wm" |
			jq '.imbalance.nodes[0].fits'
	done | paste -sd ' '
}
is "and nothing to paste" "$(ask quits.1.wm 'q["lower_bound"], q["line"],
	q["limit"]')" "(True, None, None)"
(ulimit -v 150000 && SLURM_JOB_ID=17 WM_RUN_ID=2 ./quits.wm 24 0 x)
is "a mere try of more than there is: no limit is met, nothing is missing" \
	"$(ask quits.2.wm 'q["lower_bound"], "at least" in q["sentence"],
	q["line"][:7], q["limit"]')" "(False, False, '#SBATCH', None)"
(ulimit -v 150000 && WM_RUN_ID=3 ./quits.wm 150 9)
like "a small request refused at the limit of the address space" \
	"$(begin quits.3.wm)" '^Ask for at least 1[34][0-9]\.[0-9] MiB a rank: rank 0 was refused 1\.0 MiB at its limit of 146\.5 MiB on address space$'
is "whether a node has enough is not known of one that gave up" \
	"$(fits quits.1 quits.2 quits.3 grow.1)" "null true null null"
like "nor of so many ranks" "$(wm-analyze -q --imbalance --node-memory 64G \
	--ranks-per-node 2 quits.1.wm)" '; that may fit a node of 64\.0 GiB$'
(ulimit -v 150000 && WM_RUN_ID=5 ./quits.wm 150 9 x)
is "and one that no machine has does not hide it" \
	"$(ask quits.5.wm 'q["sentence"]')" "$(ask quits.3.wm 'q["sentence"]')"
is "a small request refused: JSON" "$(ask quits.3.wm 'q["counts"],
	q["lower_bound"], q["rank_mib"] * M < q["need_bytes"] + M,
	q["limit"]')" "('failed', True, True, \
{'of': 'address space', 'bytes': 153600000})"
(ulimit -d 150000 && SLURM_JOB_ID=17 WM_RUN_ID=4 ./quits.wm 150 0)
like "a small request refused at the limit of data, and it went on" \
	"$(begin quits.4.wm | tr '\n' ' ')" '^Ask for at least 1[34][0-9] MiB a rank; it was refused 1\.0 MiB at its limit of 146\.5 MiB on data, and ended well without it   a rank '
mib=$(ask quits.4.wm 'q["rank_mib"]')
is "the figure is one, and what it had" "$(ask quits.4.wm '
	0 <= q["rank_mib"] * M - q["need_bytes"] < M, q["node_mib"] - q["rank_mib"],
	q["margin_percent"]') $(begin quits.4.wm | grep -c "at least $mib MiB: ")" \
	"(True, 0, 0) 2"
# 40 MiB that are to become 72, by realloc or by mremap, or that are freed when
# 40 more are refused
cat >grows.c <<'X'
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define M ((size_t)1 << 20)
int main(int argc, char **argv)
{
	char *p = argc > 1 && *argv[1] == 'm' ? mmap(0, 40 * M, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1,
				  0) : malloc(40 * M);

	memset(p, 1, 40 * M);
	if (argc > 1 && *argv[1] == 'f') {
		if (malloc(40 * M))
			return 2;
		free(p);
		return !memset(malloc(40 * M), 1, 40 * M);
	}
	if (argc > 1)
		return mremap(p, 40 * M, 72 * M, MREMAP_MAYMOVE) == MAP_FAILED;
	return !realloc(p, 72 * M);
}
X
wmcc -O0 -fno-builtin -static -o grows grows.c
for call in "" mremap; do
	(ulimit -d 60000 && WM_RUN_ID=r$call ./grows.wm $call)
	like "refused a larger block: the old one need not stay, ${call:-realloc}" \
		"$(begin grows.r$call.wm)" \
		'^Ask for at least 7[2-5]\.[0-9] MiB a rank: rank 0 was refused 72\.0 MiB at its limit of 58\.6 MiB on data$'
	is "and its parts add up, ${call:-realloc}" "$(ask grows.r$call.wm \
		'parts() - q["untouched_bytes"] - q["need_bytes"]')" 0
done
(ulimit -d 60000 && WM_RUN_ID=rf ./grows.wm free)
like "refused, freed, had: what it had was enough" "$(begin grows.rf.wm)" \
	'^Ask for at least 4[0-3] MiB a rank; it was refused 40\.0 MiB at its limit of 58\.6 MiB on data, and ended well without it$'
# a request with something to fall back on
cat >tries.c <<'X'
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	char *p = malloc(20 << 20);

	memset(p, 1, 20 << 20);
	return malloc((size_t)atoi(argv[1]) << 30) || argc == p[5];
}
X
wmcc -O0 -fno-builtin -static -o tries tries.c
gib=$(($(getconf _PHYS_PAGES) * $(getconf PAGE_SIZE) / (1 << 29) + 2))
for n in 1 $gib; do
	(ulimit -v 400000 && SLURM_JOB_ID=17 WM_RUN_ID=$n ./tries.wm $n)
done
like "a request that the program survived is named, and no need" \
	"$(begin "tries.$gib.wm")" '^Ask for 2[2-5] MiB a rank; it was refused [0-9.]+ [GT]iB, and ended well without it$'
like "it is at least that, where a machine has so much" \
	"$(begin tries.1.wm)" '^Ask for at least 2[2-5] MiB a rank; it was refused 1\.0 GiB, and ended well without it$'
is "nothing to paste then" "$(ask tries.1.wm 'q["line"]')" None
# with libraries, of which the trace has nothing: 100 MiB of address space
cat >mapped.c <<'X'
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	char *p;

	syscall(SYS_mmap, 0, 100 << 20, 0, 0x4022, -1, 0);
	while ((p = malloc(1 << 20)))
		memset(p, 1, 1 << 20);
	return 0;
}
X
wmcc -g -O0 -fno-builtin -o mapped mapped.c
(ulimit -v 200000 && WM_RUN_ID=1 ./mapped.wm)
like "refused with much mapped that is not requested, a small request" \
	"$(ask mapped.1.wm 'q["sentence"]')" \
	'^Ask for at least .*; it was refused 1\.0 MiB at its limit of 195\.3 MiB on address space, and ended well without it$'
# the same of a dynamic program, however it ends; its exit handlers run as ever
cat >ends.c <<'X'
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void other(void) { exit(5); }
static void bye(void) { puts("bye"); }
int on_exit(int n) { return n + 1; }
int main(int argc, char **argv)
{
	atexit(bye);
	if (!strcmp(argv[1], "quick"))
		quick_exit(6);
	if (!strcmp(argv[1], "handler"))
		atexit(other);
	if (!strcmp(argv[1], "fork"))
		return fork() ? wait(NULL) < 0 : 9;
	if (!strcmp(argv[1], "exit"))
		exit(on_exit(argc));
	return !strcmp(argv[1], "return") ? 4 : 0;
}
X
wmcc -std=c11 -g -O0 -o ends ends.c
cp ends plain
ends() { # PROGRAM COMMAND...
	local how

	for how in none return exit handler quick fork; do
		WM_RUN_ID=$how "${@:2}" $how
		printf '%s ' $?
		ask "$1.$how.wm" '(q["sentence"] + ": ").split(": ")[1]'
	done | tr '\n' ' '
}
want='bye 0  bye 4 it exited with status 4 bye 3 it exited with status 3 bye 5 it exited with status 5 6 it exited with status 6 bye bye 0  '
is "dynamic: its status" "$(ends ends ./ends.wm)" "$want"
is "preloaded: its status" "$(ends plain wm-run ./plain)" "$want"
# quit END END: how ranks 0 and 1 of an MPI program ended, and what is asked for
quit() {
	printf '%s\n' 'program mpi' 'elf mpi.wm' 'id 1' 'rank 0 of 2' \
		't 2000 malloc 0x1000 30000000 main' "$1" 'rank 1 of 2' \
		't 2000 malloc 0x1000 20000000 main' "$2" |
		sed 's/, /\n/g' | run mpi.1.wm
	ask mpi.1.wm 'q["lower_bound"], q["sentence"].partition(": ")[2]'
}
done='mpi-came 2, end exit'
is "MPI: both in order" "$(quit "$done" "$done")" "(False, '')"
is "MPI_Abort, for which another one ended" \
	"$(quit 'exit-status 1, mpi-came 1, end exit' 'end MPI_Abort')" \
	"(True, 'rank 1 called MPI_Abort')"
is "MPI: no MPI_Finalize" "$(quit "$done" 'mpi-came 1, end exit')" \
	"(True, 'rank 1 ended without MPI_Finalize')"
is "MPI: a status without MPI_Finalize" "$(quit "$done" \
	'exit-status 3, mpi-came 1, end exit')" \
	"(True, 'rank 1 exited with status 3')"
SLURM_JOB_ID=17 SLURM_MEM_PER_CPU=66 WM_RUN_ID=3 ./grow.wm 2>/dev/null
like "killed at the limit of its job" "$(begin grow.3.wm)" \
	'^Died near its limit of 66\.0 MiB a node while rank 0 was growing by [0-9.]+ MiB a second in history\(\); this run does not show how much is enough$'
is "a node needs no less than the limit that it died at" \
	"$(ask grow.3.wm 'q["node_mib"]')" 66
base=/sys/fs/cgroup/memory file=memory.limit_in_bytes
[ -d $base ] || base=/sys/fs/cgroup file=memory.max
group=$base/wmtest.ask.$$
if mkdir $group 2>group.err && echo $((64 << 20)) 2>>group.err >$group/$file; then
	SLURM_JOB_ID=17 WM_RUN_ID=2 bash -c 'echo $$ >"$0/cgroup.procs" &&
		exec "$@"' $group ./grow.wm 2>/dev/null
	is "killed at a limit: that is known, and nothing is there to paste" \
		"$(ask grow.2.wm 'q["limit"], q["line"],
		q["growing"]["function"], q["growing"]["bytes_per_s"] > M')" \
		"({'of': 'cgroup', 'bytes': $((64 << 20))}, None, 'history', True)"
	like "killed at a limit: text" "$(begin grow.2.wm)" \
		'^Died near its limit of 64\.0 MiB in its cgroup while rank 0 was growing by [0-9.]+ MiB a second in history\(\); this run does not show how much is enough$'
	mkdir $group.1 && echo $((64 << 20)) >$group.1/$file
	for run in together apart; do
		for i in 0 1; do
			[ $run.$i = apart.1 ] && of=$group.1 || of=$group
			PMI_RANK=$i PMI_SIZE=2 WM_RUN_ID=$run bash -c \
				'echo $$ >"$0/cgroup.procs" && exec "$@"' $of \
				./quits.wm 4 0
		done
	done
	is "a limit of each rank's own is none of the node" "$(for run in \
		together apart; do wm-analyze -q --imbalance --json \
		--node-memory 64G quits.$run.wm | jq -c '.imbalance.fit |
		[.limit, .limit_bytes]'; done | paste -sd ' ')" \
		"[\"cgroup\",$((64 << 20))] [null,null]"
else
	skip "killed at a limit" "no memory cgroup: $(tail -1 group.err)"
fi
for of in $group $group.1; do
	[ ! -d $of ] || rmdir $of
done
done_testing
