/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks whose size and kind tell the call path: way number i asks for FIRST + i
 * bytes, by malloc, calloc or realloc, as it comes.  A way is a string of steps;
 * each step says which function is called next, and from which place in the one
 * before.  Many ways are another one with a step changed, or cut short, or gone
 * on with.
 *
 * Frames have more room in them now and then, so that return addresses of one
 * way lie elsewhere, and those of different ways in one place.  At times few
 * ways come in turn, at times many, at times one alone.
 *
 * ways SEED EVENTS FILE: FILE gets "size steps" for each way, a line each.
 */
#include <alloca.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAYS 1500
#define STEPS 110
#define FIRST 32
#define LIVE 64

struct way {
	unsigned steps;
	unsigned char step[STEPS + 1];
};
static struct way way[WAYS];
static size_t ways;
static volatile int sink;

struct walker {
	uint64_t random;
	uint64_t layout; /* two bits for each step: room in its frame */
	void *live[LIVE];
	unsigned at;
};

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

/* At the end of the way: the block. */
static __attribute__((noinline)) void ask(struct walker *w, size_t i)
{
	void **to = &w->live[w->at++ % LIVE];

	free(*to);
	switch (next_random(&w->random) % 3) {
	case 0:
		*to = malloc(FIRST + i);
		break;
	case 1:
		*to = calloc(1, FIRST + i);
		break;
	default:
		*to = realloc(NULL, FIRST + i);
	}
	sink = 0;
}

typedef void function(struct walker *w, size_t i, unsigned done);
static function *const functions[4];

/* Each is a place of its own: compilers do not take different ones for one. */
#define CALL(n)                                                                \
	case n:                                                                \
		functions[s >> 2](w, i, done);                                 \
		__asm__ volatile("nop # place " #n);                           \
		break
#define GO_ON                                                                  \
	do {                                                                   \
		unsigned s;                                                    \
                                                                               \
		if (done == way[i].steps) {                                    \
			ask(w, i);                                             \
			sink = 1;                                              \
			return;                                                \
		}                                                              \
		s = way[i].step[done++];                                       \
		switch (s & 3) {                                               \
			CALL(0);                                               \
			CALL(1);                                               \
			CALL(2);                                               \
			CALL(3);                                               \
		}                                                              \
	} while (0)

static __attribute__((noinline)) void small(struct walker *w, size_t i,
					    unsigned done)
{
	GO_ON;
	sink = 2;
}

static __attribute__((noinline)) void large(struct walker *w, size_t i,
					    unsigned done)
{
	volatile char room[144];

	room[0] = (char)i;
	GO_ON;
	sink = room[0];
}

/* By the frame pointer, if only for what lies in between. */
static __attribute__((noinline)) void any(struct walker *w, size_t i,
					  unsigned done)
{
	volatile char *room = alloca(16 +
				     16 * (w->layout >> 2 * (done % 32) & 3));

	room[0] = (char)i;
	GO_ON;
	sink = room[0];
}

static __attribute__((noinline)) void saved(struct walker *w, size_t i,
					    unsigned done)
{
	uint64_t a = i * 3, b = i * 5, c = i * 7, d = i * 11, e = i * 13;

	__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));
	GO_ON;
	__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));
	sink = (int)(a + b + c + d + e);
}

static function *const functions[4] = { small, large, any, saved };

static int is_new(const struct way *x)
{
	size_t i;

	for (i = 0; i < ways; i++)
		if (way[i].steps == x->steps &&
		    memcmp(way[i].step, x->step, x->steps) == 0)
			return 0;
	return 1;
}

/* Neighbours are often the same but for a step, whose frame is often as large. */
static void make_ways(uint64_t *random)
{
	while (ways < WAYS) {
		struct way x = { 0 };
		unsigned i, how = ways ? next_random(random) % 16 : 0;

		if (how == 0) {
			x.steps = next_random(random) % (STEPS / 2);
			for (i = 0; i < x.steps; i++)
				x.step[i] = next_random(random) % 16;
		} else {
			size_t back = next_random(random) %
				      (how < 12 ? 8 : WAYS);

			x = way[ways - 1 - back % ways];
			if (how < 10 && x.steps)
				x.step[next_random(random) % x.steps] ^=
					1 + next_random(random) %
						    (how & 1 ? 3 : 15);
			else if (how < 12 && x.steps)
				x.step[--x.steps] = 0;
			else if (how < 14 && x.steps < STEPS)
				x.step[x.steps++] = next_random(random) % 16;
			else if (x.steps > 2)
				x.steps = next_random(random) % x.steps;
		}
		if (is_new(&x))
			way[ways++] = x;
	}
}

static size_t events;

static void *walk(void *arg)
{
	struct walker *w = arg;
	size_t from = 0, few = 1, n, k, i = 0;

	for (n = 0; n < events;) {
		size_t stay = next_random(&w->random) % 400;

		switch (next_random(&w->random) % 4) {
		case 0:
			few = 1;
			break;
		case 1:
			few = 2 + next_random(&w->random) % 4;
			break;
		case 2:
			few = 2 + next_random(&w->random) % 90;
			break;
		default:
			few = WAYS;
		}
		from = next_random(&w->random) % WAYS;
		for (k = 0; k < stay && n < events; k++, n++) {
			i = (from + next_random(&w->random) % few) % WAYS;
			if (next_random(&w->random) % 128 == 0)
				w->layout = next_random(&w->random);
			functions[i & 3](w, i, 0);
			sink = 3;
		}
	}
	for (k = 0; k < LIVE; k++)
		free(w->live[k]);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct walker first, second;
	uint64_t random = 88172645463325252u;
	pthread_t thread;
	FILE *out;
	size_t i;

	if (argc < 4 || !(out = fopen(argv[3], "w")))
		return 2;
	random += (uint64_t)atoi(argv[1]) << 20;
	events = (size_t)atol(argv[2]) / 2;
	make_ways(&random);
	for (i = 0; i < ways; i++)
		fprintf(out, "%zu %u\n", FIRST + i, way[i].steps);
	first.random = next_random(&random);
	second.random = next_random(&random);
	walk(&first);
	if (pthread_create(&thread, NULL, walk, &second))
		return 1;
	pthread_join(thread, NULL);
	return fclose(out) != 0;
}
