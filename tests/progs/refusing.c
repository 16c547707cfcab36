/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps 1 MiB, 2 MiB behind it, and 4 MiB elsewhere, attaches shared memory of
 * 64 KiB and shrinks the 4 MiB to 3.  Then munmap() of the first two, mmap() without
 * access over the second, mremap() of the third and shmdt() are refused: all is
 * there.  At last 4 MiB are mapped.  With "end" the process ends within a fifth
 * call, munmap() of all 4 MiB; with "kill" it is killed before.
 *
 * With -DLIBRARY: those functions below the tracer's; before they refuse or
 * shrink, they allocate and free 1,000 blocks of 11 bytes.  For t2000.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MIB (1ul << 20)

#ifdef LIBRARY
int refuses, hooks, ends; /* the next call; within it */

/* Whether the call is refused. */
static int is_refused(void)
{
	int r = refuses;

	if (!refuses && !hooks)
		return 0;
	refuses = hooks = 0;
	for (int i = 0; i < 1000; i++) {
		void *volatile block = malloc(11);

		free(block);
	}
	if (ends)
		exit(0);
	if (r)
		errno = EINVAL;
	return r;
}

int munmap(void *p, size_t n)
{
	return is_refused() ? -1 : (int)syscall(SYS_munmap, p, n);
}

void *mmap(void *p, size_t n, int prot, int flags, int fd, off_t at)
{
	return is_refused() ?
		       MAP_FAILED :
		       (void *)syscall(SYS_mmap, p, n, prot, flags, fd, at);
}

void *mremap(void *p, size_t old, size_t n, int flags, ...)
{
	return is_refused() ? MAP_FAILED :
			      (void *)syscall(SYS_mremap, p, old, n, flags);
}

int shmdt(const void *p)
{
	return is_refused() ? -1 : (int)syscall(SYS_shmdt, p);
}
#else
extern int refuses, hooks, ends;

#define FAILS(failure, call) (refuses = 1, (call) == (failure))

static char *map(char *where, size_t n)
{
	return mmap(where, n, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | (where ? MAP_FIXED : 0), -1,
		    0);
}

int main(int argc, char **argv)
{
	char *first = map(NULL, 3 * MIB);
	char *second = map(first + MIB, 2 * MIB);
	char *third = map(NULL, 4 * MIB), *last;
	int id = shmget(IPC_PRIVATE, 65536, IPC_CREAT | 0600);
	void *shared = shmat(id, NULL, 0);
	int all = 0;

	shmctl(id, IPC_RMID, NULL);
	hooks = 1;
	third = mremap(third, 4 * MIB, 3 * MIB, MREMAP_MAYMOVE);
	all += FAILS(-1, munmap(first, 3 * MIB));
	all += FAILS(MAP_FAILED,
		     mmap(second, MIB, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	all += FAILS(MAP_FAILED,
		     mremap(third, 3 * MIB, 5 * MIB, MREMAP_MAYMOVE));
	all += FAILS(-1, shmdt(shared));
	last = map(NULL, 4 * MIB);
	memset(first, 1, 3 * MIB);
	memset(third, 1, 3 * MIB);
	memset(shared, 1, 65536);
	if (all != 4)
		return 1;
	if (argc > 1 && !strcmp(argv[1], "kill"))
		kill(getpid(), SIGKILL);
	ends = argc > 1 && !strcmp(argv[1], "end");
	if (ends)
		(void)FAILS(-1, munmap(last, 4 * MIB));
	return 0;
}
#endif
