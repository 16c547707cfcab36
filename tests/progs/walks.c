/* walks: allocates and frees from many stacks and depths, to confuse an
 * unwinder that remembers the last one: deep and shallow calls in turn, 10,000
 * calls deep, coroutines whose stacks lie side by side, stacks that are given
 * back and taken again, threads on the stacks of dead ones, handlers on other
 * stacks, callbacks of libc.  Nothing of it remains. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define COROUTINES 16
#define STACK 8192

static unsigned seed = 7;

static unsigned rnd(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static __attribute__((noinline)) void touch(void)
{
	void *volatile p = malloc(rnd(200) + 1);

	free(p);
}

static int down(int depth, int touches);

static __attribute__((noinline)) int left(int depth, int touches)
{
	return down(depth, touches) + 1;
}

static __attribute__((noinline)) int right(int depth, int touches)
{
	volatile char room[64];

	room[rnd(64)] = 1;
	return down(depth, touches) + room[0];
}

static __attribute__((noinline)) int varying(int depth, int touches)
{
	volatile char *room = alloca(rnd(300) + 1);

	room[0] = 1;
	return down(depth, touches) + room[0];
}

static __attribute__((noinline)) int down(int depth, int touches)
{
	int n = 0;

	if (touches && rnd((unsigned)touches) == 0)
		touch();
	if (depth)
		switch (rnd(3)) {
		case 0:
			n = left(depth - 1, touches);
			break;
		case 1:
			n = right(depth - 1, touches);
			break;
		default:
			n = varying(depth - 1, touches);
		}
	if (!depth || (touches && rnd((unsigned)touches) == 0))
		touch();
	return n + 1;
}

static void deep_and_shallow(void)
{
	for (int i = 0; i < 300; i++) {
		down(200, 0);
		touch();
		down(3, 1);
	}
	down(10000, 50);
	down(10, 1);
	down(10000, 50);
}

/* ---- coroutines ---- */

static ucontext_t outside, inside[COROUTINES];
static int turn;
static char *stacks;

static void coroutine(void)
{
	for (;;) {
		touch();
		down((int)rnd(6), 2);
		swapcontext(&inside[turn], &outside);
	}
}

static void prepare(int i)
{
	getcontext(&inside[i]);
	inside[i].uc_stack.ss_sp = stacks + i * STACK;
	inside[i].uc_stack.ss_size = STACK;
	inside[i].uc_link = &outside;
	makecontext(&inside[i], coroutine, 0);
}

static void resume(int i)
{
	turn = i;
	swapcontext(&outside, &inside[i]);
}

static void coroutines(void)
{
	stacks = mmap(NULL, COROUTINES * STACK, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < COROUTINES; i++)
		prepare(i);
	for (int i = 0; i < 5000; i++) {
		int c = (int)rnd(COROUTINES);

		/* what a stale walk would read is gone, or is another's */
		if (rnd(20) == 0) {
			munmap(stacks + c * STACK, STACK);
			resume((c + COROUTINES - 1) % COROUTINES);
			resume((c + 1) % COROUTINES);
			mmap(stacks + c * STACK, STACK, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
			if (rnd(2))
				memset(stacks + c * STACK, 0x5a, STACK);
			prepare(c);
		}
		resume(c);
		if (rnd(3) == 0)
			touch();
	}
	munmap(stacks, COROUTINES * STACK);
}

/* ---- threads ---- */

static void *thread(void *arg)
{
	volatile char room[512];

	room[0] = 1;
	for (int i = 0; i < 5; i++)
		down((int)rnd(12) + room[0], 2);
	return arg;
}

static void threads(void)
{
	for (int i = 0; i < 300; i++) {
		pthread_t t;

		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, NULL);
		touch();
	}
}

/* ---- handlers ---- */

static sigjmp_buf back;
static char alternate[1 << 16];

static void handler(int sig)
{
	down((int)rnd(8), 2);
	if (sig == SIGUSR2)
		siglongjmp(back, 1);
}

static void handlers(void)
{
	stack_t ss = { .ss_sp = alternate, .ss_size = sizeof(alternate) };
	struct sigaction sa = { .sa_handler = handler };

	sigaltstack(&ss, NULL);
	for (int i = 0; i < 2000; i++) {
		sa.sa_flags = rnd(2) ? SA_ONSTACK : 0;
		sigaction(SIGUSR1, &sa, NULL);
		sigaction(SIGUSR2, &sa, NULL);
		if (sigsetjmp(back, 1) == 0) {
			down((int)rnd(9), 3);
			raise(rnd(2) ? SIGUSR1 : SIGUSR2);
		}
		touch();
	}
}

/* ---- callbacks ---- */

static int compare(const void *a, const void *b)
{
	touch();
	return *(const int *)a - *(const int *)b;
}

static void visit(const void *node, VISIT which, int depth)
{
	(void)node;
	if (which == leaf || depth == 1)
		touch();
}

static void at_exit(void)
{
	down(5, 2);
}

static void callbacks(void)
{
	int n[64];
	void *root = NULL;

	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 64; i++)
			n[i] = (int)rnd(1000);
		qsort(n, 64, sizeof(n[0]), compare);
		bsearch(&n[round], n, 64, sizeof(n[0]), compare);
		for (int i = 0; i < 64; i++)
			tsearch(&n[i], &root, compare);
		twalk(root, visit);
		for (int i = 0; i < 64; i++)
			tdelete(&n[i], &root, compare);
	}
}

int main(void)
{
	atexit(at_exit);
	deep_and_shallow();
	coroutines();
	threads();
	handlers();
	callbacks();
	return 0;
}
