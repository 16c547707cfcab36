#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What to ask the batch system for: the beginning of the summary, run.ask, and
# how many ranks fit a node.
. "$(dirname "$0")/../lib.sh" analyze-lib ask-lib

WM_RUN_ID=1 ./app.wm 64
is "what was written is needed" "$(ask app.1.wm \
	'q["counts"], 72 * M < q["need_bytes"] < 75 * M')" "('resident', True)"
is "its parts add up" "$(ask app.1.wm \
	'parts() - q["untouched_bytes"] - q["need_bytes"]')" 0
is "heap and static memory are parts" "$(ask app.1.wm \
	'q["requested_bytes"] // M, q["static_bytes"] // M')" "(64, 8)"
is "10 % more, in whole MiB" "$(ask app.1.wm \
	'q["rank_mib"] - -(-q["need_bytes"] * 11 // (10 * M)), q["margin_percent"]')" \
	"(0, 10)"
is "no batch system, no option" "$(ask app.1.wm \
	'q["option"], q["lower_bound"]')" "(None, False)"
like "the tool's part stands beside it" "$(ask app.1.wm 'q["tool_bytes"]')" \
	'^[1-9][0-9]{5,6}$'
is "and is not asked for" "$(ask app.1.wm 'q["need_bytes"] + q["tool_bytes"] -
	j["memory"]["rss"]["max"]')" 0
begin app.1.wm >text
like "text: the sentence stands first" "$(sed -n 1p text)" \
	'^Ask for [78][0-9] MiB a rank$'
like "text: a rank" "$(sed -n 2p text)" \
	'^  a rank       [78][0-9] MiB: 7[234]\.[0-9] MiB resident without the tool \(rank 0\), and 10 % more$'
like "text: parts" "$(sed -n 3p text)" \
	'^  parts        requested 64\.0 MiB, .*static 8\.0 MiB, stack '
like "text: a node" "$(sed -n 4p text)" '^  a node       [78][0-9] MiB: of 1 rank$'
like "text: tracing, and no line" "$(sed -n 5p text)" \
	'^  tracing      [0-9.]+ [KM]iB a rank more$'

WM_RUN_ID=2 ./app.wm 4
is "what was not written is not needed" "$(ask app.2.wm \
	'11 * M < q["need_bytes"] < 16 * M, q["untouched_bytes"] // M in (58, 59, 60),
	parts() - q["untouched_bytes"] == q["need_bytes"]' )" \
	"(True, True, True)"
like "text: that is said" "$(begin app.2.wm)" \
	'; at least (5[89]|60)\.[0-9] MiB of it never written, or given back before the rest came$'
like "text: and what all of it would be" "$(begin app.2.wm)" \
	'^Ask for 1[2-7] MiB a rank; [78][0-9] MiB a rank where all that it requested is in RAM at once$'

# 64 MiB that are touched and given back, then 64 more
cat >given.c <<'X'
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
int main(void)
{
	char *volatile p[2];

	for (int i = 0; i < 2; i++) {
		p[i] = aligned_alloc(4096, 64 << 20);
		memset(p[i], 1, 64 << 20);
		madvise(p[i], 64 << 20, MADV_DONTNEED);
	}
	return p[0][0] + p[1][0];
}
X
wmcc -O0 -g -static -o given given.c
WM_RUN_ID=1 ./given.wm
like "given back is not called untouched" "$(begin given.1.wm)" \
	'; at least (5[89]|6[0-4])\.[0-9] MiB of it never written, or given back before the rest came$'
# 40 MiB that are written beside 16 of the program's own file that are read: page
# faults do not tell these apart
cat >file.c <<'X'
#include <string.h>
static char own[40 << 20], of_file[16 << 20] = { 1 };
int main(void)
{
	volatile char c = 0;

	memset(own, 1, sizeof(own));
	for (size_t i = 0; i < sizeof(of_file); i += 1024)
		c += of_file[i];
	return own[c & 1] != 1;
}
X
wmcc -O0 -g -static -o file file.c
WM_RUN_ID=1 ./file.wm
is "no more is asked for than the kernel ever saw" "$(ask file.1.wm '
	-(-11 * (j["memory"]["rss"]["max"] - q["tool_bytes"]) // (10 * M)) -
		q["rank_mib"], q["node_mib"] - q["rank_mib"]')" "(0, 0)"

# The parent has 24 MiB, and three children 40 more each, all at once or in turn
cat >kids.c <<'X'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void *have(size_t bytes)
{
	return memset(malloc(bytes), 1, bytes);
}
int main(int argc, char **argv)
{
	int go[2], up[2];
	void *volatile p = have(24 << 20);
	char c;

	(void)argv;
	if (pipe(go) || pipe(up))
		return 9;
	for (int i = 0; i < 3; i++) {
		if (!fork()) {
			p = have(40 << 20);
			if (argc < 2 && (write(up[1], "x", 1) != 1 ||
					 read(go[0], &c, 1) != 1))
				exit(8);
			exit(0);
		}
		if (argc > 1)
			wait(NULL);
		else if (read(up[0], &c, 1) != 1)
			return 7;
	}
	if (argc < 2 && write(go[1], "xxx", 3) != 3)
		return 6;
	while (wait(NULL) > 0)
		;
	return !p;
}
X
wmcc -O0 -g -static -o kids kids.c
# a page fault brings one page, as far as the system's settings go
large=$(cat /sys/kernel/mm/transparent_hugepage/{,hugepages-*/}enabled \
	2>/dev/null | grep -c '\[always\]')
WM_RUN_ID=1 WM_CHILDREN=1 ./kids.wm
WM_RUN_ID=2 WM_CHILDREN=1 ./kids.wm turn
each=$((large ? 68 : 44))
is "children that were there at once add up" "$(ask kids.1.wm '
	24 + 3 * 40 < q["need_bytes"] // M < 24 + 3 * '$each',
	q["child_part_at_most"], q["lower_bound"], q["children"]')" \
	"(True, True, False, 3)"
is "children in turn do not" "$(ask kids.2.wm '
	24 + 40 < q["need_bytes"] // M < 24 + '$each', q["lower_bound"]')" \
	"(True, False)"
like "text: how many" "$(begin kids.1.wm)" \
	' (up )?to 1[29][0-9]\.[0-9] MiB of 3 processes that it started, '

# So many children of 64 MiB at once; letters with MiB: t are written of these in
# each, a its own; in the parent, while they are there, p written, n made anew; g a
# child's child, o the parent ends first
cat >copies.c <<'X'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static char *p;
static void act(char **what, int child)
{
	for (; *what; what++) {
		size_t n = (size_t)atoi(*what + 1) << 20;

		if (strchr(child ? "t" : "p", **what))
			memset(p, 2, n);
		if (strchr(child ? "a" : "n", **what))
			memset(malloc(n), 2, n);
		if (child && **what == 'g' && !fork()) {
			memset(malloc(n), 3, n);
			usleep(300000);
			exit(0);
		}
		if (!child && **what == 'n')
			free(p);
		if (!child && **what == 'o')
			exit(0);
	}
}
int main(int argc, char **argv)
{
	p = malloc(64 << 20);
	memset(p, 1, 64 << 20);
	for (int i = argc > 1 ? atoi(argv[1]) : 0; i; i--)
		if (!fork()) {
			/* l: its first event comes when it ends */
			if (!argv[2] || *argv[2] != 'l')
				free(malloc(1));
			act(argv + 2, 1);
			usleep(400000);
			free(malloc(1));
			exit(0);
		}
	usleep(100000);
	act(argv + 2, 0);
	while (wait(NULL) > 0)
		;
	return 0;
}
X
wmcc -O0 -g -fno-builtin -static -o copies copies.c
while read -r id more args; do
	if [ "$large" != 0 ]; then
		skip "copies beside 64 MiB: $args" "a fault may bring more"
		continue
	fi
	# shellcheck disable=SC2086
	WM_CHILDREN=1 WM_RUN_ID=$id ./copies.wm $args
	case $id in 9 | 10) sleep 1 ;; esac # some outlive the program
	is "copies beside 64 MiB: $args" "$(ask "copies.$id.wm" "
		64 + $more <= q['need_bytes'] / M < 64 + $more + 12,
		q['child_part_least_bytes'] <= $more * M + M")" "(True, True)"
done <<'X'
1 0 1
2 0 4
3 32 1 t32
4 96 3 t32
5 80 2 a40
6 60 2 t20 a10
7 64 1 p64
8 64 2 n64
9 80 2 a40 o0
10 60 1 a20 g40
11 128 1 t64 n64
13 96 3 l0 t32
X
if [ "$large" = 0 ]; then
	like "text: an interval, and why" "$(begin copies.6.wm)" \
		'^Ask for 1[34][0-9] MiB a rank: at most, as page faults do not show which pages children still shared with their parent$'
	like "text: its lower end" "$(begin copies.6.wm)" \
		', (1[89]|2[0-2])\.[0-9] MiB to 6[0-9]\.[0-9] MiB of 2 processes that it started, '
fi
GLIBC_TUNABLES=glibc.malloc.hugetlb=1 WM_CHILDREN=1 WM_RUN_ID=12 \
	./copies.wm 2 a40
like "text: a fault may bring many pages" "$(begin copies.12.wm)" \
	'^Ask for 3[0-9]{2} MiB a rank: at most, as pages that children share with their parent count in each$'
is "the line to paste is of what was resident, another one of all" \
	"$(SLURM_JOB_ID=17 WM_RUN_ID=12 ./app.wm 4; ask app.12.wm '
	q["line"] == "#SBATCH --mem-per-cpu=%dM" % q["rank_mib"],
	q["touched_line"] == "#SBATCH --mem-per-cpu=%dM" % q["rank_touched_mib"]')" \
	"(True, True)"
like "text: both" "$(begin app.12.wm | tr '\n' ' ')" \
	'  to paste     #SBATCH --mem-per-cpu=1[2-7]M   if touched   #SBATCH --mem-per-cpu=[78][0-9]M '
is "nothing untouched, no second line" "$(ask app.1.wm 'q["touched_line"]')" None

WM_RUN_ID=3 ./app.wm 64 kill 2>/dev/null
is "killed: at least" "$(ask app.3.wm \
	'q["lower_bound"], q["rank_mib"] >= 79')" "(True, True)"
like "text: killed: at least" "$(begin app.3.wm)" \
	'^Ask for at least [78][0-9] MiB a rank: it ended early; this run does not'
is "and nothing to paste" "$(SLURM_JOB_ID=17 WM_RUN_ID=9 ./app.wm 64 kill \
	2>/dev/null; ask app.9.wm 'q["line"], q["option"]')" "(None, None)"

# two ranks of one node that need 72 and 12 MiB
for i in 0 1; do
	PMI_RANK=$i PMI_SIZE=2 WM_RUN_ID=4 SLURM_JOB_ID=17 \
		SLURM_CPUS_PER_TASK=4 SLURM_MEM_PER_CPU=15 \
		./app.wm $((64 - 60 * i))
done
is "a node: the sum of its ranks" "$(ask app.4.wm 'q["node_ranks"],
	q["node_mib"] < 2 * q["rank_mib"], q["node_mib"] > q["rank_mib"]' |
	tr -d '\n')" "(2, True, True)"
is "Slurm" "$(ask app.4.wm 'q["line"] == "#SBATCH --mem-per-cpu=%dM" %
	-(-q["rank_mib"] // 4), q["option"] in q["line"]')" "(True, True)"
like "text: to paste" "$(begin app.4.wm)" \
	'^  to paste     #SBATCH --mem-per-cpu=[12][0-9]M$'
# rank 0 has one CPU, and nothing of the job that the other one is in
PMI_RANK=0 PMI_SIZE=2 WM_RUN_ID=11 ./app.wm 24
PMI_RANK=1 PMI_SIZE=2 WM_RUN_ID=11 SLURM_JOB_ID=17 SLURM_CPUS_PER_TASK=4 \
	./app.wm 64
like "Slurm: each rank has enough for its CPUs" "$(ask app.11.wm \
	'q["rank"], q["line"]')" '^\(1, .#SBATCH --mem-per-cpu=3[5-9]M.\)$'
PBS_JOBID=9 WM_RUN_ID=5 ./app.wm 64
LSB_JOBID=8 WM_RUN_ID=6 ./app.wm 64
JOB_ID=3 SGE_ROOT=/sge WM_RUN_ID=7 ./app.wm 64
like "PBS" "$(ask app.5.wm 'q["line"]')" \
	'^#PBS -l select=1:mpiprocs=1:mem=[78][0-9]mb$'
like "LSF" "$(ask app.6.wm 'q["line"]')" \
	'^#BSUB -M [78][0-9]MB -R "rusage\[mem=[78][0-9]MB\]"$'
like "SGE" "$(ask app.7.wm 'q["line"]')" '^#\$ -l h_rss=[78][0-9]M$'

# ---- pages that are watched are taken from the kernel's count ----
# a run of few epochs: one of them may not have ended at the peak
WM_PAGES=20 WM_RUN_ID=8 ./app.wm 64
is "WM_PAGES: never below what was requested" "$(ask app.8.wm 'q["counts"],
	72 * M < q["need_bytes"] < 76 * M')" "('requested', True)"
like "WM_PAGES: text says why" "$(begin app.8.wm)" \
	'^Ask for [78][0-9] MiB a rank: all that it requested, as too few epochs of WM_PAGES ended at its peak; a run without WM_PAGES shows how much of it is touched$'
cat >watched.c <<'X'
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(void)
{
	char *p = malloc(8 << 20), *q = malloc(32 << 20);

	while (clock() < CLOCKS_PER_SEC / 2)
		memset(p, 1, 8 << 20);
	q[1] = 1;
	return p[1] != q[1];
}
X
wmcc -O0 -static -o watched watched.c
WM_PAGES=10 WM_RUN_ID=1 ./watched.wm
is "WM_PAGES: by its own record" "$(ask watched.1.wm 'q["counts"],
	8 * M < q["need_bytes"] < 13 * M, q["untouched_bytes"] > 28 * M')" \
	"('pages', True, True)"
is "or, where a report does not read that, what was requested" \
	"$(wm-analyze --leaks --json watched.1.wm 2>/dev/null | jq -c '.run.ask |
	[.counts, .need_bytes >= 40 * 1048576]')" '["requested",true]'

# ---- how many fit a node ----
fit() { # OPTION...
	wm-analyze -q --imbalance app.4.wm "$@" --json 2>/dev/null |
		jq -c '.imbalance.fit'
}
# 72 and 12 MiB and what a program has: the worst first, then more of them
n=$(fit --node-memory 1G | jq .ranks)
ok "--node-memory: how many" test "$n" -ge 12 -a "$n" -le 13
is "--ranks-per-node: so many fit, one more does not" \
	"$(for k in "$n" $((n + 1)); do fit --node-memory 1G --ranks-per-node $k |
		jq -c '.bytes <= .node_memory_bytes'; done | tr '\n' ' ')" \
	"true false "
like "in words" "$(wm-analyze -q --imbalance --node-memory 1G app.4.wm)" \
	"^  1\\.0 GiB: room for $n ranks like these, with 10 % more: first the worst, which needs 7[0-9]\\.[0-9] MiB, and further ones like it; for 2[0-9] if each needs the mean, 4[0-9]\\.[0-9] MiB\$"
like "backwards" "$(wm-analyze -q --imbalance --ranks-per-node 2 app.4.wm)" \
	'^  2 ranks a node: [789][0-9]\.[0-9] MiB with 10 % more;'
is "as the summary asks for the node" "$(ask app.4.wm \
	'(q["node_mib"] - 1) * M < '"$(fit --ranks-per-node 2 | jq .bytes)"' <= q["node_mib"] * M')" \
	True
# a rank of 8 TiB
printf '%s\n' 'program large' 'id 1' 'elf large.wm' 'rank 0 of 1' \
	't 2000 malloc 0x1000 8796093022208 main' end | run large.1.wm
like "so many that no sum has them" "$(wm-analyze -q --imbalance \
	--ranks-per-node 1000000 --node-memory 1T large.1.wm)" \
	'^  1,000,000 ranks a node: more than 4\.[0-9] EiB with 10 % more; more than the node of 1\.0 TiB$'
# two more: like the worst, or like the mean
is "ranks that the run did not have" "$(fit --ranks-per-node 4 | jq -c '1048576 as $M |
	[.bytes > 225 * $M, .bytes < 275 * $M, .low_bytes > 170 * $M,
	.low_bytes < 215 * $M]')" '[true,true,true,true]'
like "in words, as an interval" "$(wm-analyze -q --imbalance --ranks-per-node 4 \
	app.4.wm)" '^  4 ranks a node: 2[0-9]{2}\.[0-9] MiB with 10 % more, counting first the worst, then further ranks like it; 1[789][0-9]\.[0-9] MiB if each needs the mean;'
SLURM_JOB_ID=1 SLURM_MEM_PER_NODE=400 WM_RUN_ID=10 ./app.wm 64
like "the limit that is met first" "$(wm-analyze -q --imbalance app.10.wm \
	--node-memory 64G)" "^  the limit of this run's batch job, 400.0 MiB, allows only [45] ranks\$"

# 80 MiB and 13 with the margin, 60 each: one is too many, three are not
like "a limit for each CPU is one for each rank" "$(wm-analyze -q --imbalance \
	app.4.wm --node-memory 1G)" "^  the limit of this run's batch job, 60\.0 MiB for each rank, allows only 3 ranks\$"
is "so in JSON, and none where the node is full before" \
	"$(for k in 1G 200M; do fit --node-memory $k |
		jq -c '[.limit, .limit_bytes, .limit_ranks]'; done | paste -sd ' ')" \
	"[\"job, each rank\",$((60 << 20)),3] [null,null,null]"

# ---- ranks that have their highest one after another ----
cat >turns.c <<'X'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* What the letters of the argument say: r and w read and write a byte, m has
 * 64 MiB for a while in one block, s in small ones, k in such that malloc keeps. */
int main(int argc, char **argv)
{
	for (const char *p = argv[argc - 1]; *p; p++) {
		size_t blocks = *p == 'm' ? 1 : 1024, i;
		char c = 0, *block[1024], *top = NULL;

		if (*p == 'r' && read(0, &c, 1) != 1)
			return 1;
		if (*p == 'w' && write(1, &c, 1) != 1)
			return 1;
		if (*p == 'r' || *p == 'w')
			continue;
		for (i = 0; i < blocks; i++)
			memset(block[i] = malloc((64 << 20) / blocks), 1,
			       (64 << 20) / blocks);
		if (*p == 'k')
			memset(top = malloc(1000), 1, 1000); /* above them */
		for (i = 0; i < blocks; i++)
			free(block[i]);
		if (top == p)
			return 1;
	}
	return 0;
}
X
mkfifo there back
turns() { # ID LETTER: the second rank has its memory after the first
	(
		export PMI_SIZE=2 WM_RUN_ID=$1
		PMI_RANK=1 timeout 60 ./turns.wm "r$2w" <there >back &
		PMI_RANK=0 timeout 60 ./turns.wm "$2wr" >there <back
		wait
	)
}
for link in -static -no-pie; do
	wmcc -g -O1 -fno-builtin $link -o turns turns.c
	turns m$link m
	is "in turn, $link: a node needs what both need at one time" \
		"$(ask "turns.m$link.wm" '64 * M < q["node_own_bytes"] < 90 * M,
		128 * M < q["node_sum_bytes"] < 160 * M,
		q["node_mib"] < 100')" "(True, True, True)"
	like "in turn, $link: text" "$(begin "turns.m$link.wm")" \
		'^  a node       [789][0-9] MiB: of 2 ranks; not all at their highest at once: 1[4-7][0-9] MiB if they were$'
	is "in turn, $link: --imbalance likewise" "$(wm-analyze -q --imbalance \
		--node-memory 110M --json "turns.m$link.wm" | jq -c '.imbalance |
		[.nodes[0].fits, .fit.ranks, .nodes[0].need_bytes < 90 * 1048576]')" \
		'[true,2,true]'
	turns k$link k
	is "in turn, $link: memory that malloc keeps counts on" \
		"$(ask "turns.k$link.wm" 'q["node_own_bytes"] > 128 * M,
		q["node_own_bytes"] == q["node_sum_bytes"],
		q["node_least_bytes"] == q["node_sum_bytes"]')" \
		"(True, True, True)"
	turns s$link s
	is "in turn, $link: memory that malloc may keep" \
		"$(ask "turns.s$link.wm" 'q["node_own_bytes"] > 128 * M,
		64 * M < q["node_least_bytes"] < 100 * M')" "(True, True)"
	like "in turn, $link: that is said" "$(begin "turns.s$link.wm")" \
		'^  a node       1[4-7][0-9] MiB: of 2 ranks; [789][0-9] MiB if malloc gives back freed memory at once$'
done
is "in turn: the same in a report that looks at nothing else" \
	"$(wm-analyze --leaks --json turns.m-static.wm 2>/dev/null |
	jq .run.ask.node_mib)" "$(ask turns.m-static.wm 'q["node_mib"]')"
done_testing
