#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What to ask the batch system for: the beginning of the summary, run.ask, and
# how many ranks fit a node.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
command -v python3 >/dev/null || skip_all "no python3"
unset SLURM_JOB_ID SLURM_STEP_ID SLURM_CPUS_PER_TASK PBS_JOBID LSB_JOBID \
	JOB_ID SGE_ROOT SLURM_MEM_PER_CPU SLURM_MEM_PER_NODE

# 64 MiB of the heap, of which the argument's MiB are written, and 8 of static
# memory; a second argument: killed
cat >app.c <<'X'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static char fixed[8 << 20];
int main(int argc, char **argv)
{
	char *p = malloc(64 << 20);

	memset(p, 1, (size_t)atoi(argv[1]) << 20);
	memset(fixed, 1, sizeof(fixed));
	if (argc > 2)
		raise(SIGKILL);
	return p[0] != 1 || fixed[atoi(argv[1])] != 1;
}
X
ok "build" wmcc -O0 -g -static -o app app.c

ask() { # RUN EXPRESSION of q, run.ask
	wm-analyze --json "$1" 2>/dev/null | python3 -c '
import json, sys
j = json.load(sys.stdin)
q = j["run"]["ask"]
M = 1 << 20
def parts():
    return sum(q[k + "_bytes"] for k in ("requested", "allocator", "static",
                                         "stack", "other",
                                         "thread_stacks", "shared", "refused"))
print(eval("(" + sys.argv[1] + ")"))' "$2"
}
begin() { # RUN: the first section of the summary
	wm-analyze "$1" 2>/dev/null | sed '1,/^$/d;/^$/,$d'
}

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

# ---- shared memory, once a node ----
wmcc -O1 -fno-builtin -o same "$progs/runtime/same_memory.c"
for i in 0 1; do
	PMI_RANK=$i PMI_SIZE=2 WM_RUN_ID=1 timeout 60 ./same.wm shm \
		/dev/shm/wmtest.$$ 2 &
done
wait
rm -f /dev/shm/wmtest.$$
is "shared: of each rank all of it, of the node once" "$(ask same.1.wm '
	32 * M <= q["shared_bytes"] < 34 * M,
	32 * M <= q["node_shared_bytes"] < 38 * M,
	q["node_mib"] * M < (38 * M + 2 * 16 * M) * 1.1')" "(True, True, True)"
is "shared: a part of its own" "$(ask same.1.wm '4 * M <= q["own_bytes"] < 16 * M,
	q["other_bytes"] < 12 * M,
	parts() - q["untouched_bytes"] == q["need_bytes"]')" "(True, True, True)"
like "shared: text" "$(begin same.1.wm)" \
	'^  a node       [0-9]+ MiB: of 2 ranks, [0-9.]+ MiB of their own and 3[2-7]\.[0-9] MiB shared, once$'
is "shared: --imbalance likewise" "$(wm-analyze --imbalance --json same.1.wm \
	2>/dev/null | jq -c '.imbalance.nodes[0] | 1048576 as $M |
	[.resident_bytes < 70 * $M, .total_high_bytes < 48 * $M,
	.total_high_bytes >= 40 * $M]')" '[true,true,true]'

# one after the other: how much of it is the same is not known
for i in 0 1; do
	PMI_RANK=$i PMI_SIZE=2 WM_RUN_ID=2 timeout 60 ./same.wm shm \
		/dev/shm/wmtest.$$ 1
done
rm -f /dev/shm/wmtest.$$
is "shared, but not seen together: an interval" "$(ask same.2.wm '
	32 * M <= q["node_shared_least_bytes"] < 34 * M,
	64 * M <= q["node_shared_bytes"] < 68 * M')" "(True, True)"
like "shared, but not seen together: text" "$(begin same.2.wm)" \
	' of their own and 3[23]\.[0-9] MiB to 6[4-7]\.[0-9] MiB shared, once$'

# 4 MiB of the heap are touched, and 100 are not, whatever is shared: the text
# has what is known of the last one.  A fault maps several pages of a file: what
# of the faults was for memory of its own is not known.  Another process of the
# node has huge pages meanwhile, which the kernel counts for the node.
cat >beside.c <<'X'
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	for (size_t n = 34 << 20;; usleep(2000)) {
		void *p = mmap(0, n, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		madvise(p, n, MADV_HUGEPAGE);
		memset(p, 1, n);
		munmap(p, n);
	}
}
X
gcc -O1 -o beside beside.c
timeout 60 ./beside &
beside=$!
: >key
for kind in shm memfd sysv disk; do
	file=$W/$kind
	[ $kind != shm ] || file=/dev/shm/wmtest.$$
	[ $kind != sysv ] || file=$W/key
	for i in 0 1; do
		PMI_RANK=$i PMI_SIZE=2 WM_RUN_ID=$kind timeout 60 ./same.wm \
			$kind "$file" 2 100 &
	done
	wait
	rm -f /dev/shm/wmtest.$$
	is "untouched beside $kind: not a part of what is resident" \
		"$(ask same.$kind.wm '4 * M <= q["own_least_bytes"] <= q["own_bytes"],
		q["own_bytes"] - q["own_unseen_bytes"] < 10 * M,
		q["own_bytes"] < ('"$([ $kind = disk ] && echo 18 || echo 10)"') * M,
		q["rank_touched_mib"] > 100')" "(True, True, True, True)"
done
kill $beside
like "untouched beside shared memory: text" "$(begin same.shm.wm)" \
	'^  a rank       2[2-6] MiB: [4-9]\.[0-9] MiB of its own and 1[67]\.[0-9] MiB of shared memory, resident without the tool \(rank [01]\), and 10 % more$'
is "untouched beside shared memory, one rank" "$(PMI_RANK=0 PMI_SIZE=1 \
	WM_RUN_ID=one ./same.wm own x 1 100
	ask same.one.wm 'q["own_bytes"] < 10 * M')" True
# 12 MiB of code are read, and 4 of 24 MiB of the heap touched; or 16 of a
# window of 48 MiB, which the other rank does not make
cat >rest.c <<'X'
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
__asm__(".text\n.globl code\ncode: .fill 12 << 20, 1, 0xc3\n");
extern volatile const char code[];
int main(int argc, char **argv)
{
	int fd = memfd_create("window", 0);
	char *p;

	if (argc > 2 || ftruncate(fd, 48 << 20))
		return 0;
	p = argc > 1 ? mmap(0, 48 << 20, PROT_READ | PROT_WRITE, MAP_SHARED,
			    fd, 0) :
		       malloc(24 << 20);
	for (int i = 0; argc == 1 && i < 12 << 20; i += 4096)
		argc += code[i] == 1;
	memset(p, 1, argc > 1 ? 16 << 20 : 4 << 20);
	return p == argv[0];
}
X
wmcc -O1 -fno-builtin -static -o rest rest.c
WM_RUN_ID=1 ./rest.wm
is "all that it requested, beside code" "$(ask rest.1.wm '6 * M <
	q["untouched_bytes"] < 9 * M, 38 <= q["rank_touched_mib"] < 44')" \
	"(True, True)"
PMI_RANK=0 PMI_SIZE=2 WM_RUN_ID=2 ./rest.wm window
PMI_RANK=1 PMI_SIZE=2 WM_RUN_ID=2 ./rest.wm no window
like "all of a window counts once a node" "$(ask rest.2.wm \
	'q["rank_touched_mib"]')" '^(2[6-9]|3[0-9])$'
is "so for the node, and for so many ranks" "$(wm-analyze -q --imbalance \
	--ranks-per-node 2 --json rest.2.wm | jq -c '.imbalance |
	[.nodes[0].touched_bytes, .fit.touched_bytes] |
	map(. / 1048576 >= 48 and . / 1048576 < 62)')" "[true,true]"
# touched for a while after the last look, and before it: no figure is below
cat >between.c <<'X'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static void take(size_t bytes, size_t touched)
{
	char *volatile p = malloc(bytes);

	memset(p, 1, touched);
	free(p);
}
int main(int argc, char **argv)
{
	char *s = mmap(0, 32 << 20, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	take(16 << 20, argc > 1 ? 12 << 20 : 0);
	memset(s, 1, 32 << 20);
	for (int i = 0; i < 64; i++)
		take(512 << 10, 512 << 10);
	take(24 << 20, argc > 1 ? 0 : 20 << 20);
	return munmap(s, 32 << 20) || argv[1] == s;
}
X
wmcc -O1 -fno-builtin -o between between.c
WM_RUN_ID=20 ./between.wm
WM_RUN_ID=12 ./between.wm x
is "touched beside shared memory, and freed: after and before it" \
	"$(for i in 20 12; do ask between.$i.wm '
	'$i' * M < q["own_bytes"] < 26 * M'; done |
	tr '\n' ' ')" "True True "
# 32 MiB shared, given back, then 48 of the heap: the rank never had both.  With
# an argument 24 that are unmapped before the shared ones, which no look sees
cat >after.c <<'X'
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char *s = mmap(0, 32 << 20, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0), *p;

	if (argc > 1) {
		p = mmap(0, 24 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memset(p, 1, 24 << 20);
		munmap(p, 24 << 20);
		memset(s, 1, 32 << 20);
		return syscall(SYS_munmap, s, 32 << 20) || argv[1] == s;
	}
	memset(s, 1, 32 << 20);
	free(malloc(2 << 20));
	munmap(s, 32 << 20);
	p = malloc(48 << 20);
	memset(p, 1, 48 << 20);
	free(p);
	return 0;
}
X
wmcc -O1 -fno-builtin -static -o after after.c
WM_RUN_ID=1 ./after.wm
is "shared before the rest was at its highest: never both" "$(ask after.1.wm '
	48 * M < q["own_bytes"] < 56 * M, q["need_bytes"] < 56 * M,
	q["node_mib"] < 62, parts() - q["untouched_bytes"] == q["need_bytes"]')" \
	"(True, True, True, True)"

WM_RUN_ID=2 ./after.wm x
is "shared memory that no look saw is not taken for its own" "$(ask after.2.wm '
	24 * M < q["own_least_bytes"] < 27 * M, q["own_bytes"] > 24 * M')" \
	"(True, True)"

# 48 MiB of its own that are given back before the first 32 shared ones: before
# any look, and after one
cat >first.c <<'X'
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
	char *p;

	if (argc > 1)
		munmap(mmap(0, 2 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		       2 << 20);
	p = malloc(48 << 20);
	memset(p, 1, 48 << 20);
	free(p);
	p = mmap(0, 32 << 20, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	memset(p, 1, 32 << 20);
	return argv[1] == p;
}
X
for link in static dynamic; do
	wmcc -O1 -fno-builtin $([ $link = dynamic ] || echo -static) \
		-o first.$link first.c
	for look in "" look; do
		WM_RUN_ID=1$look ./first.$link.wm $look
		ask first.$link.1$look.wm '48 * M < q["own_bytes"] < 56 * M,
			52 < q["rank_touched_mib"] == q["rank_mib"] < 60'
	done
done >first.got
is "its own before any was shared counts" "$(sort -u first.got)" \
	"(True, True)"

# shared memory that madvise takes away is not what was its own before
cat >gives.c <<'X'
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static void look(void)
{
	usleep(20000);
	free(malloc(2 << 20));
}
int main(void)
{
	char *s = mmap(0, 32 << 20, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	memset(s, 1, 32 << 20);
	look();
	madvise(s, 32 << 20, MADV_DONTNEED);
	look();
	look();
	return munmap(s, 32 << 20);
}
X
wmcc -O1 -fno-builtin -static -o gives gives.c
WM_RUN_ID=1 ./gives.wm
is "shared memory that fades was not its own" "$(ask gives.1.wm '
	q["own_bytes"] < 8 * M')" True
# nor where a library's constructor had shared memory before tracing began
cat >ctor.c <<'X'
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
void *ctor;
__attribute__((constructor)) static void map(void)
{
	ctor = mmap(0, 6 << 20, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	memset(ctor, 1, 6 << 20);
}
X
gcc -shared -fPIC -o libctor.so ctor.c
wmcc -O1 -fno-builtin -o gives gives.c -Wl,--no-as-needed "$PWD/libctor.so"
WM_RUN_ID=2 ./gives.wm
is "nor with some before tracing began" "$(ask gives.2.wm '
	q["own_bytes"] < 8 * M')" True
# nor where a library maps what is shared by a call that no wrapper sees
cat >unseen.c <<'X'
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	char *s = (char *)SYS_mmap, *own;
	register long prot __asm__("rdx") = 3;
	register long flags __asm__("r10") = MAP_SHARED | MAP_ANONYMOUS;
	register long fd __asm__("r8") = -1, at __asm__("r9") = 0;

	__asm__ volatile("syscall" : "+a"(s) : "D"(0l), "S"(32l << 20),
			 "r"(prot), "r"(flags), "r"(fd), "r"(at)
			 : "rcx", "r11", "memory");
	memset(s, 1, 32 << 20);
	usleep(20000);
	own = mmap(0, 2 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(own, 1, 2 << 20);
	return munmap(own, 2 << 20);
}
X
for link in -static -rdynamic; do
	wmcc -O1 -fno-builtin $link -o unseen unseen.c
	WM_RUN_ID=3 ./unseen.wm
	is "nor by a call that is not seen, $link" "$(ask unseen.3.wm '
		q["own_bytes"] < 8 * M, q["own_unseen_bytes"]')" "(True, 0)"
done

# memory of its own that is resident no longer, without a release of a block:
# the highest by its own count is no more than what is asked for
for link in static dynamic; do
	# by a number: static programs alone have that call wrapped
	[ $link = static ] && hidden=hidden || hidden=
	wmcc -O1 -fno-builtin -pthread $([ $link = dynamic ] || echo -static) \
		-o fades.$link "$progs/runtime/fades.c"
	for kind in dontneed free pieces over again parts shrink blocks break \
		shared number list own raw read thread huge $hidden; do
		how=${kind/huge/own huge}
		truth=$(WM_RUN_ID=$kind ./fades.$link.wm ${how/hidden/own number})
		# read: no more faults are its own than shared memory leaves
		[ $kind = read ] && slack=6 || slack=34
		printf '%s %s\n' $kind "$(ask fades.$link.$kind.wm \
			"$truth <= q['own_bytes'] < $truth + $slack * M")"
	done >fades.got
	is "gone without a release: $link" "$(grep -v True fades.got)" ""
	like "by an instruction: that is said, $link" \
		"$(begin "fades.$link.own.wm")" \
		'^  not known    up to [46][0-9]\.[0-9] MiB of its own memory: a system call that is not traced may have given that back$'
done

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

# ---- limits ----
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
