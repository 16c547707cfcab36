/* A signal handler leaves malloc by siglongjmp, ROUNDS times, and the program
 * goes on deeper than that malloc was, in functions with plain frames, with one
 * that is aligned, and with one whose size is not known; each has malloc, calloc
 * and free of both, 3 in a round.  The signal comes from the allocator, which
 * leave_deeper_alloc.c has. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

void raise_in_malloc(int sig);

static sigjmp_buf back;
static void *volatile kept;

static void leave(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static __attribute__((noinline)) void use(void)
{
	void *volatile a = malloc(100), *volatile b = calloc(10, 10);

	free(b);
	free(a);
}

static __attribute__((noinline)) void plain(void)
{
	volatile char room[300];

	room[0] = 0;
	use();
	room[1] = 0;
}

static __attribute__((noinline)) void sized(int n)
{
	volatile char room[n];

	room[0] = 0;
	use();
	room[1] = 0;
}

static __attribute__((noinline)) void aligned(int n)
{
	_Alignas(64) volatile char room[256];

	room[0] = 0;
	sized(n);
	room[1] = 0;
}

static __attribute__((noinline)) void left(int sig)
{
	raise_in_malloc(sig);
	kept = malloc(50);
	abort();
}

int main(int argc, char **argv)
{
	volatile int rounds = argc > 1 ? atoi(argv[1]) : 0;

	signal(SIGUSR1, leave);
	while (rounds-- > 0) {
		if (!sigsetjmp(back, 1))
			left(SIGUSR1);
		plain();
		if (!sigsetjmp(back, 1))
			left(SIGUSR1);
		aligned(200 + rounds);
		if (!sigsetjmp(back, 1))
			left(SIGUSR1);
		sized(200 + rounds);
	}
	return 0;
}
