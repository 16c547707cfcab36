#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What to ask the batch system for: memory that ranks of a node share.
. "$(dirname "$0")/../lib.sh" analyze-lib ask-lib

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
done_testing
