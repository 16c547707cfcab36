#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is in the trace for what to ask for: limits from the start, what is
# resident shared, of files and of stacks.
. "$(dirname "$0")/../lib.sh"
dump=$SRC/tests/tools/wmt-dump
command -v python3 >/dev/null || skip_all "python3 is missing"
unset SLURM_JOB_ID SLURM_STEP_ID SLURM_MEM_PER_CPU SLURM_MEM_PER_NODE
M=1048576

field() { # TRACE NAME...: of START or END, the last one; null: absent
	local trace=$1
	shift
	"$dump" --summary "$trace" | jq -c "[.info | $(printf '.%s, ' "$@")null]"
}
trace() {
	echo "$1".*.wm/rank-*.xz
}

# ---- limits ----
echo 'int main(void) { return 0; }' >none.c
ok "build" wmcc -static -o none none.c
WM_RUN_ID=1 SLURM_JOB_ID=7 SLURM_MEM_PER_CPU=60 SLURM_MEM_PER_NODE=4096 \
	./none.wm
is "Slurm's" "$(field none.1.wm/rank-*.xz mem_per_cpu mem_per_node)" \
	"[$((60 * M)),$((4096 * M)),null]"
(ulimit -v 900000 && ulimit -d 800000 && WM_RUN_ID=2 ./none.wm)
is "those of the process" "$(field none.2.wm/rank-*.xz limit_as limit_data)" \
	"[$((900000 * 1024)),$((800000 * 1024)),null]"
SLURM_MEM_PER_CPU=60 WM_RUN_ID=3 ./none.wm
is "none" "$(field none.3.wm/rank-*.xz mem_per_cpu mem_per_node limit_as \
	limit_data)" "[null,null,null,null,null]"
is "the node's memory" "$(field none.3.wm/rank-*.xz node_memory)" \
	"[$(($(awk '/MemTotal/ {print $2}' /proc/meminfo) * 1024)),null]"
is "JSON" "$(wm-analyze --json none.1.wm 2>/dev/null | jq -c '.run.limits |
	[.per_cpu_bytes, .per_node_bytes, .address_space_bytes]')" \
	"[$((60 * M)),$((4096 * M)),null]"

# the lowest of the group and those above it
base=/sys/fs/cgroup/memory file=memory.limit_in_bytes
[ -d $base ] || base=/sys/fs/cgroup file=memory.max
group=$base/wmtest.$$
if mkdir $group 2>group.err && echo $((96 * M)) 2>>group.err >$group/$file &&
	mkdir $group/low 2>>group.err; then
	WM_RUN_ID=4 bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' \
		$group/low ./none.wm
	is "of the memory cgroup above" \
		"$(field none.4.wm/rank-*.xz group_limit)" "[$((96 * M)),null]"
	like "and which" "$(field none.4.wm/rank-*.xz group)" \
		"/wmtest\.$$\",null\]\$"
	rmdir $group/low
else
	skip "of the memory cgroup" "none to be had: $(tail -1 group.err)"
fi
[ ! -d $group ] || rmdir $group

# ---- what is shared ----
wmcc -O1 -fno-builtin -o same "$progs/runtime/same_memory.c"
both() { # KIND FILE
	for i in 0 1; do
		PMI_RANK=$i PMI_SIZE=2 WM_RUN_ID=$1 timeout 60 ./same.wm "$@" 2 &
	done
	wait
}
shared() { # KIND JQ: of each rank
	for i in 0 1; do
		"$dump" --summary "same.$1.wm/rank-00000$i.wmt.xz" |
			jq ".info | $2"
	done | tr '\n' ' '
}
whole="(.shared_peak >= 32 * $M and .shared_peak < 34 * $M)"
half="(.shared_part >= 15 * $M and .shared_part < 18 * $M)"
own="(.private_peak >= 4 * $M and .private_peak < 16 * $M)"
touch sysv
for kind in shm sysv memfd; do
	file=/dev/shm/wmtest.$$
	[ $kind = shm ] || file=$W/$kind.file
	[ $kind = sysv ] && touch "$file"
	both $kind "$file"
	is "$kind: the most of it, each page by who maps it, and what is not" \
		"$(shared $kind "$whole, $half, $own")" \
		"true true true true true true "
	rm -f "$file"
done
both own x
is "memory of a file of its own is divided with no process" \
	"$(shared own "$whole, .shared_part >= 31 * $M, $own")" \
	"true true true true true true "
# code counts in each process, as smaps has it
both disk disk.file
is "a file that is mapped" "$(shared disk \
	".shared_peak >= 32 * $M and .shared_peak < 34 * $M,
	 .shared_part < .shared_peak * 3 / 4,
	 .private_peak < 8 * $M")" "true true true true true true "

# a line of smaps that is longer than a path may be, before 20 MiB of a
# library's constants; and 30 MiB of memory with rights to run, shared
cat >big.c <<'X'
__asm__(".section .rodata\n.globl big\n.type big, @object\n"
	".size big, 20 << 20\nbig: .fill 20 << 20, 1, 7\n.text\n");
X
cat >deep.c <<'X'
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
extern volatile const char big[];
static long touch(volatile const char *p, long bytes)
{
	long sum = 0;

	for (long i = 0; i < bytes; i += 4096)
		sum += p[i];
	return sum;
}
static const char *map(int fd, long bytes, int prot)
{
	return ftruncate(fd, bytes) ? 0 : mmap(0, bytes, prot, MAP_SHARED, fd, 0);
}
int main(void)
{
	int run = memfd_create("run", 0), file;
	char name[251];
	long sum = 0;

	memset(name, 'a', 250);
	name[250] = 0;
	for (int i = 0; i < 40; i++)
		if (mkdir(name, 0700) || chdir(name))
			return 1;
	file = open("f", O_RDWR | O_CREAT, 0600);
	sum += touch(big, 20 << 20);
	sum += touch(map(file, 10 << 20, PROT_READ), 10 << 20);
	sum += touch(map(run, 30 << 20, PROT_READ | PROT_EXEC), 30 << 20);
	munmap(mmap(0, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
	       1 << 20);
	return sum == 42;
}
X
gcc -shared -fPIC -o libbig.so big.c
ok "a long path: builds" wmcc -O1 -fPIC -o deep deep.c -L. -lbig -Wl,-rpath,"$PWD"
ok "a long path: runs" env WM_DIR="$W/deep.run" ./deep.wm
is "a long path, and shared memory that can run" "$(wm-analyze --quiet --json \
	deep.run/* | jq -c --argjson M $((1 << 20)) '.run.ask |
	[.own_bytes >= 20 * $M, .shared_bytes >= 39 * $M,
	 .shared_bytes < 42 * $M]')" "[true,true,true]"

# ---- stacks of threads ----
cat >stacks.c <<'X'
#include <pthread.h>
#include <string.h>
#include <unistd.h>
static pthread_barrier_t all;
static void *deep(void *unused)
{
	char frame[6 << 20];

	memset(frame, 1, sizeof(frame));
	pthread_barrier_wait(&all);
	if (!unused)
		pause();
	return unused ? (void *)(long)frame[7] : 0;
}
/* with an argument the threads end before anything looks at them */
int main(int argc, char **argv)
{
	pthread_t t, u;

	pthread_barrier_init(&all, 0, 3);
	pthread_create(&t, 0, deep, argv[1]);
	pthread_create(&u, 0, deep, argv[1]);
	pthread_barrier_wait(&all);
	if (argc > 1) {
		pthread_join(t, 0);
		pthread_join(u, 0);
	}
	return 0;
}
X
for kind in -static ""; do
	wmcc -O0 $kind -pthread -o stacks stacks.c
	WM_RUN_ID=1$kind ./stacks.wm
	is "${kind:-dynamic}: 6 MiB in each of two, of 8" \
		"$("$dump" --summary stacks.1$kind.wm/rank-*.xz | jq ".info |
		.thread_stacks >= 12 * $M and .thread_stacks < 13 * $M")" true
	WM_RUN_ID=2$kind ./stacks.wm ended
	is "${kind:-dynamic}: of threads that have ended" \
		"$(wm-analyze --json stacks.2$kind.wm 2>/dev/null | jq -c ".run.ask |
		[.thread_stacks_estimated, .thread_stacks_bytes >= 10 * $M,
		.thread_stacks_bytes < 17 * $M, .other_bytes < 8 * $M]")" \
		'[true,true,true,true]'
	like "${kind:-dynamic}: in words" "$(wm-analyze stacks.2$kind.wm)" \
		"^  parts  .*, threads' stacks about 1[0-6]\\.[0-9] MiB, code and other "
done
# ---- the tool's part ----
# 32 threads that use a few pages of their windows each
cat >windows.c <<'X'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_barrier_t all;
static void *small(void *unused)
{
	void *p = memset(malloc(100000), 1, 100000);

	pthread_barrier_wait(&all);
	free(p);
	return unused;
}
int main(void)
{
	pthread_t t[32];

	pthread_barrier_init(&all, 0, 32);
	for (int i = 0; i < 32; i++)
		pthread_create(&t[i], 0, small, 0);
	for (int i = 0; i < 32; i++)
		pthread_join(t[i], 0);
	return 0;
}
X
wmcc -O0 -static -fno-builtin -pthread -o windows windows.c
WM_RUN_ID=1 ./windows.wm
is "the tool's part has no pages of windows that nobody has touched" \
	"$("$dump" --summary windows.1.wm/rank-*.xz | jq -c ".info |
	[.tool_resident > $M, .tool_resident < 10 * $M]")" \
	'[true,true]'

# ---- children, of which nothing else is in the trace ----
cat >child.c <<'X'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	size_t n = (size_t)atoi(argv[1]) << 20;
	if (!fork()) {
		memset(malloc(n), argc, n);
		_exit(0);
	}
	wait(NULL);
	return 0;
}
X
wmcc -O0 -static -o child child.c
WM_RUN_ID=1 ./child.wm 64
like "a child that is larger than its parent" \
	"$(wm-analyze child.1.wm)" "Ask for at least [0-9]+ MiB a rank: \
rank 0 started a process of up to 6[4-9]\.[0-9] MiB, and how many ran at a time is not known"
is "it counts once" "$(wm-analyze --json child.1.wm | jq -c ".run.ask |
	[.rank_mib >= 66, .rank_mib < 85, .child_part_bytes >= 56 * $M,
	.need_bytes == .own_bytes, .line]")" '[true,true,true,true,null]'
ok "JSON" test "$(wm-analyze --json child.1.wm | jq '.run.ask |
	.lower_bound and .child_bytes >= 67108864')" = true
is "whether it fits is not known" "$(wm-analyze -q --json --imbalance \
	--node-memory 64G child.1.wm | jq '.imbalance.nodes[0].fits')" null
WM_RUN_ID=2 ./child.wm 0
has_no "one that is not" "at least|started a process" wm-analyze child.2.wm

done_testing
