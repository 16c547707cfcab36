/* repeats: recursions of one to seven functions, up to 600 calls deep, that go
 * up and down by chance, mostly by a few calls, and seldom by another call of
 * the same function: then one return address far out is another one, while all
 * further in stand where they stood.  In main(), in a thread, and in a coroutine
 * behind whose stack nothing can be read.  Blocks are freed at once.
 * repeats [STEPS]: so many for each recursion and place (default 1,500). */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#define DEEPEST 600
#define STACK (1 << 20)
#define PAGE 4096

static unsigned seed = 7;
static int target, then, steps, period, last;
static long count = 1500;
static ucontext_t outside, inside;

static unsigned rnd(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static __attribute__((noinline)) void touch(int depth)
{
	void *volatile p = malloc(16 + (size_t)depth);

	free(p);
}

static int somewhere(int depth)
{
	int to = rnd(20) ? depth + (int)rnd(9) - 4 : (int)rnd(DEEPEST);

	return to < 0 ? 0 : to < DEEPEST ? to : DEEPEST - 1;
}

/* Where to, from here; on the way there, without an allocation, out to a frame
 * from which other calls may lead in again. */
static __attribute__((noinline)) void turn(int depth)
{
	if (then >= 0) {
		target = then;
		then = -1;
		return;
	}
	touch(depth);
	target = somewhere(depth);
	if (rnd(2)) {
		then = target;
		target = (int)rnd((unsigned)(depth < then ? depth : then) + 1);
	}
	if (steps-- <= 0)
		target = then = -1;
}

static void (*const next[7])(int);

#define LEVEL(n, room_bytes)                                                   \
	static __attribute__((noinline)) void level##n(int depth)              \
	{                                                                      \
		volatile char room[room_bytes];                                \
		int to = (n) + 1 < period ? (n) + 1 : 0;                       \
                                                                               \
		room[0] = 1;                                                   \
		while (target >= depth) {                                      \
			if (target == depth)                                   \
				turn(depth);                                   \
			else if (rnd(100))                                     \
				next[to](depth + room[0]);                     \
			else                                                   \
				next[to](depth + 2 * room[0] - 1);             \
			last = depth;                                          \
		}                                                              \
	}

LEVEL(0, 8)
LEVEL(1, 24)
LEVEL(2, 8)
LEVEL(3, 40)
LEVEL(4, 72)
LEVEL(5, 24)

/* a frame of another size each time */
static __attribute__((noinline)) void level6(int depth)
{
	volatile char *room = alloca(rnd(100) ? 64 : 128);

	room[0] = 1;
	while (target >= depth) {
		if (target == depth)
			turn(depth);
		else
			next[0](depth + room[0]);
		last = depth;
	}
}

static void (*const next[7])(int) = { level0, level1, level2, level3,
				      level4, level5, level6 };

static void recurse(void)
{
	for (period = 1; period <= 7; period++) {
		steps = (int)count;
		target = 0;
		then = -1;
		next[0](0);
	}
}

static void *thread(void *arg)
{
	recurse();
	return arg;
}

static void coroutine(void)
{
	recurse();
	swapcontext(&inside, &outside);
}

/* On a stack that ends where nothing can be read. */
static void run_coroutine(void)
{
	char *stack = mmap(NULL, STACK + PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED)
		exit(2);
	mprotect(stack + STACK, PAGE, PROT_NONE);
	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = STACK;
	inside.uc_link = &outside;
	makecontext(&inside, coroutine, 0);
	swapcontext(&outside, &inside);
	munmap(stack, STACK + PAGE);
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1)
		count = atol(argv[1]);
	recurse();
	if (pthread_create(&t, NULL, thread, NULL))
		return 1;
	pthread_join(t, NULL);
	run_coroutine();
	recurse();
	printf("%d\n", last);
	return 0;
}
