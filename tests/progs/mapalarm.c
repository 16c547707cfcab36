/* mmap and munmap of 4000 ranges beside 200,000 malloc and free, while a signal
 * handler maps and unmaps two pages; then a vfork child maps and unmaps one, a
 * fork child opens a place and moves the break, and a child is spawned.
 * Nothing of it remains; the status is 0 when all went well. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define RW (PROT_READ | PROT_WRITE)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

extern char **environ;

static void on_alarm(int sig)
{
	void *p = mmap(NULL, 8192, RW, ANON, -1, 0);

	(void)sig;
	if (p != MAP_FAILED)
		munmap(p, 8192);
}

static void churn(void)
{
	for (size_t i = 0; i < 200000; i++) {
		void *volatile p = malloc(i % 3000);
		size_t n = 4096 * (1 + i % 7);

		if (i % 50 == 0)
			munmap(mmap(NULL, n, RW, ANON, -1, 0), n);
		free(p);
	}
}

static int ended(pid_t child, int wanted)
{
	int status;

	return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == wanted;
}

static void in_fork(void)
{
	char *p = mmap(NULL, 1 << 20, PROT_NONE, ANON, -1, 0);

	if (mprotect(p, 4096, RW))
		exit(1);
	p[0] = 1;
	munmap(p, 1 << 20);
	free(malloc(1 << 20));
	exit(sbrk(4096) == (void *)-1 ? 1 : 4);
}

int main(void)
{
	struct itimerval every = { { 0, 500 }, { 0, 500 } }, never = { 0 };
	char *argv[] = { "true", NULL };
	pid_t child;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &every, NULL);
	churn();
	setitimer(ITIMER_REAL, &never, NULL);
	child = vfork();
	if (child == 0) {
		munmap(mmap(NULL, 4096, RW, ANON, -1, 0), 4096);
		_exit(3);
	}
	if (!ended(child, 3))
		return 1;
	child = fork();
	if (child == 0)
		in_fork();
	if (!ended(child, 4) ||
	    posix_spawnp(&child, "true", NULL, NULL, argv, environ) ||
	    !ended(child, 0))
		return 2;
	return 0;
}
