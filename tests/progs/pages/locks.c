/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locks NAME: memory that is locked, in the way of that name, and what the
 * kernel says of it.  Without a name: the names.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "say.h"

#define MIB (1ul << 20)

static long locked(void)
{
	return status_kib("VmLck:");
}

static char *map_at(void *hint, size_t bytes)
{
	char *p = mmap(hint, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(p, 5, bytes);
	return p;
}

static char *map(size_t bytes)
{
	return map_at(NULL, bytes);
}

/* Time for epochs. */
static long busy(char *p, size_t bytes)
{
	long bad = 0;

	for (int i = 0; i < 60; i++)
		for (size_t k = 0; k < bytes; k += 512)
			bad += p[k] != 5;
	return bad;
}

static void fork_once(char *p, size_t bytes)
{
	long before = locked();
	int status = -1, pid = fork();

	if (pid == 0)
		_exit(locked() != 0 || busy(p, bytes) != 0);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		say("fork", -1);
	say("child", status);
	say("KiB locked more than before", locked() - before);
}

static void part(void)
{
	char *p = map(16 * MIB);

	say("mlock", mlock(p + MIB + 100, 4 * MIB));
	say("KiB locked", locked());
	say("bad", busy(p, 16 * MIB));
	say("KiB locked", locked());
	fork_once(p, 16 * MIB);
	say("munlock", munlock(p + 2 * MIB, MIB));
	say("bad", busy(p, 16 * MIB));
	say("KiB locked", locked());
}

static void beside_a_thread(void)
{
	char *p = map(8 * MIB), *q = map(8 * MIB);
	pthread_t t;

	say("mlock", mlock(p + MIB, 4 * MIB));
	say("mlock2", mlock2(q + MIB, 2 * MIB, MLOCK_ONFAULT));
	pthread_create(&t, NULL, stay, NULL);
	fork_once(p, 8 * MIB);
	say("bad", busy(q, 8 * MIB));
	say("resident", madvise(p + MIB, 4096, MADV_DONTNEED));
	say("resident", madvise(q + MIB, 4096, MADV_DONTNEED));
}

static void remapped(void)
{
	char *p = map(8 * MIB), *wall = map(MIB);

	(void)wall;
	say("mlock", mlock(p, 8 * MIB));
	p = mremap(p, 8 * MIB, 12 * MIB, MREMAP_MAYMOVE);
	say("KiB locked", locked());
	memset(p + 8 * MIB, 5, 4 * MIB);
	say("bad", busy(p, 12 * MIB));
	say("munmap", munmap(p + 10 * MIB, 2 * MIB));
	say("KiB locked", locked());
}

static void refused(void)
{
	char *p = map(8 * MIB);
	struct rlimit r = { 0, 0 };

	munmap(p + 4 * MIB, MIB);
	say("across a hole", mlock(p, 8 * MIB));
	say("bad", busy(p, 4 * MIB));
	munlock(p, 4 * MIB);
	munlock(p + 5 * MIB, 3 * MIB);
	setrlimit(RLIMIT_MEMLOCK, &r);
	if (geteuid() && mlock(p, MIB) == 0)
		say("above the limit", 0);
	say("KiB locked", locked());
}

static void all_of_it(void)
{
	char *p = map(8 * MIB), *q;
	long before;

	say("mlockall", mlockall(MCL_CURRENT));
	before = locked();
	fork_once(p, 8 * MIB);
	say("KiB more", locked() - before);
	say("munlockall", munlockall());
	say("KiB locked", locked());
	say("mlockall", mlockall(MCL_FUTURE));
	say("with wrong flags", mlockall(1 << 10));
	q = map(8 * MIB);
	/* the runtime may map something, too */
	say("8 MiB are locked", locked() >= 8192);
	say("bad", busy(q, 8 * MIB));
	say("by the system call", syscall(SYS_munlockall));
	say("KiB locked", locked());
}

/* The last thing: the trace says how much is locked at the end.  A call that
 * the kernel refuses leaves locked memory locked.  The hole is where the kernel
 * puts no mapping of the runtime: a hole that is filled is locked with what
 * follows. */
static void at_end(void)
{
	char *hole = map_at((void *)(1ul << 45), 9 * MIB), *p = hole + MIB;
	long bad = 0;

	munmap(hole, 4096);
	syscall(SYS_mlock, p, 4 * MIB);
	say("from a hole on", mlock(hole, 5 * MIB));
	while (clock() < CLOCKS_PER_SEC / 4)
		bad += busy(p, 8 * MIB);
	say("bad", bad);
}

static const struct {
	const char *name;
	void (*f)(void);
} all[] = {
	{ "part", part },	  { "beside_a_thread", beside_a_thread },
	{ "remapped", remapped }, { "refused", refused },
	{ "all_of_it", all_of_it }, { "at_end", at_end },
};

int main(int argc, char **argv)
{
	const struct rlimit r = { RLIM_INFINITY, RLIM_INFINITY };

	setrlimit(RLIMIT_MEMLOCK, &r);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (argc < 2)
			puts(all[i].name);
		else if (!strcmp(argv[1], all[i].name))
			all[i].f();
	return 0;
}
