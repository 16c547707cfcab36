/* jump [N]: allocates from changing depths while a timer's handler leaves
 * whatever it interrupts by longjmp, N times (default 2,000); the program has
 * an allocator of its own (jump_alloc.c), which may be left anywhere. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static sigjmp_buf back;
static unsigned seed = 7;

static unsigned rnd(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static int down(int depth);

static __attribute__((noinline)) int left(int depth)
{
	return down(depth) + 1;
}

static __attribute__((noinline)) int right(int depth)
{
	return down(depth) + 2;
}

static __attribute__((noinline)) int down(int depth)
{
	void *volatile p;
	int n = 0;

	if (depth)
		n = rnd(2) ? left(depth - 1) : right(depth - 1);
	p = malloc(24);
	free(p);
	return n + 1;
}

static void handler(int sig)
{
	struct itimerval t = { { 0, 0 }, { 0, 30 + rnd(60) } };

	setitimer(ITIMER_REAL, &t, NULL);
	siglongjmp(back, sig);
}

int main(int argc, char **argv)
{
	volatile int left_to_do = argc > 1 ? atoi(argv[1]) : 2000;
	struct itimerval t = { { 0, 0 }, { 0, 50 } }, never = { 0 };

	signal(SIGALRM, handler);
	if (sigsetjmp(back, 1))
		left_to_do--;
	else
		setitimer(ITIMER_REAL, &t, NULL);
	while (left_to_do > 0)
		down((int)rnd(12));
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_IGN);
	for (int i = 0; i < 1000; i++)
		down((int)rnd(12));
	return 0;
}
