/* SPDX-License-Identifier: Apache-2.0 */
/*
 * altstack BYTES [WHAT]: a signal handler on an alternate stack of BYTES, below
 * which nothing may be touched.  It allocates 100 bytes, frees them and ends
 * the process with _exit(7); WHAT "end": it only ends the process; "disarm":
 * the same as without, on a stack that is disarmed while it is in use.
 * Before that a block of 10 bytes comes and goes.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31)
#endif
#define ROOM 65536

static void *volatile block;
static int allocates = 1;

static void handler(int sig)
{
	(void)sig;
	if (allocates) {
		block = malloc(100);
		free(block);
	}
	_exit(7);
}

int main(int argc, char **argv)
{
	char *p = mmap(NULL, 2 * ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	const char *what = argc > 2 ? argv[2] : "";
	size_t size = argc > 1 ? (size_t)atol(argv[1]) : 0;
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	stack_t st = { .ss_sp = p + ROOM, .ss_size = size };

	if (p == MAP_FAILED || size > ROOM ||
	    mprotect(p + ROOM, ROOM, PROT_READ | PROT_WRITE))
		return 1;
	allocates = strcmp(what, "end") != 0;
	if (strcmp(what, "disarm") == 0)
		st.ss_flags = (int)SS_AUTODISARM;
	block = malloc(10);
	free(block);
	if (sigaltstack(&st, NULL) || sigaction(SIGUSR1, &sa, NULL))
		return 1;
	raise(SIGUSR1);
	return 2;
}
