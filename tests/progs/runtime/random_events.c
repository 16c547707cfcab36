/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_events SEED EVENTS FILE: allocates and frees at random, so long that
 * there are EVENTS; how much is alive, how much passes and what is freed
 * changes every 5,000.  FILE gets a line for each: MALLOC or CALLOC, address
 * and size, or FREE and address.  Linked with random_heap.c.  Used by t3055.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LIVE (1u << 18)

uint64_t next_random(void);
extern uint64_t seed;
extern unsigned reuse, in_row;

struct event {
	const char *kind;
	void *p;
	long size; /* -1: none */
};
static struct event *event; /* static room: no event of its own */
static struct event room[1000000];
static void *volatile live[LIVE];
static unsigned n_live;

static unsigned percent(void)
{
	return (unsigned)(next_random() % 100);
}

#define FROM(n)                                                                \
	static __attribute__((noinline)) void *from_##n(size_t size)           \
	{                                                                      \
		void *p = malloc(size);                                        \
                                                                               \
		__asm__ volatile("");                                          \
		return p;                                                      \
	}
FROM(0)
FROM(1)
FROM(2)
FROM(3)
static void *(*const from[])(size_t) = { from_0, from_1, from_2, from_3 };

static void *make(void)
{
	size_t size = percent() < 75 ? 16 * (next_random() % 8) :
				       next_random() % 2001;
	int zeroed = percent() < 2;
	void *p = zeroed ? calloc(1, size) : from[next_random() % 4](size);

	*event++ = (struct event){ zeroed ? "CALLOC" : "MALLOC", p,
				   (long)size };
	return p;
}

static void end(void *p)
{
	free(p);
	*event++ = (struct event){ "FREE", p, -1 };
}

int main(int argc, char **argv)
{
	unsigned most = 1, passes = 0, newest = 0, i;
	const struct event *stop;
	FILE *f;

	if (argc < 4 || strtoul(argv[2], NULL, 0) + 2 > 1000000)
		return 2;
	seed = strtoul(argv[1], NULL, 0) * 2654435761u + 1;
	event = room;
	stop = room + strtoul(argv[2], NULL, 0);
	while (event < stop) {
		if ((event - room) % 5000 < 2) {
			reuse = percent();
			in_row = percent();
			passes = percent();
			newest = percent();
			most = 1u << next_random() % 18;
		}
		if (n_live < most) {
			void *p = make();

			if (percent() < passes)
				end(p);
			else
				live[n_live++] = p;
			continue;
		}
		i = percent() < newest ? n_live - 1 :
					 (unsigned)(next_random() % n_live);
		end(live[i]);
		live[i] = live[--n_live];
	}
	f = fopen(argv[3], "w");
	for (const struct event *e = room; f && e < event; e++)
		if (e->size < 0)
			fprintf(f, "%s %p\n", e->kind, e->p);
		else
			fprintf(f, "%s %p %ld\n", e->kind, e->p, e->size);
	return !f || fclose(f);
}
