/* churn [PAIRS [malloc|realloc]]: at depth 13 (_start is the first), from 200
 * call paths taken at random: frees one of 256 blocks and allocates another in
 * its place, of 16 to 1,040 bytes.  With "realloc" it changes the block by
 * realloc instead.  All are freed at the end: PAIRS + 256 allocations (with
 * "realloc" 256 and PAIRS reallocs).  Default: 40,000,000 pairs.
 * With -DFRAMES, functions on one level have frames of different sizes; with
 * -DPATHS=N, N <= 200, there are so many call paths.  With -DSHARED there is
 * shared memory, and a block of 2 MiB; with -DREST=MS it sleeps so long after each
 * 10,000 pairs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LIVE 256
#ifndef PATHS
#define PATHS 200
#endif
#define SIZES 64

static void *live[LIVE];
static uint16_t sizes[SIZES];
static uint64_t paths[PATHS];
static uint64_t seed = 88172645463325252u;
static int reallocs;
#ifdef SHARED
static void *volatile shared, *volatile large;
#endif

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static __attribute__((noinline)) void leaf(uint64_t r)
{
	void **p = &live[r % LIVE];
	size_t size = sizes[(r >> 8) % SIZES];

	if (reallocs) {
		*p = realloc(*p, size);
	} else {
		free(*p);
		*p = malloc(size);
	}
	if (!*p)
		abort();
	*(uint64_t *)*p = r;
}

/* Room on the stack, so that frames differ. */
#ifdef FRAMES
#define PAD(n)                                                                 \
	volatile char pad[16 * ((n)&3) + 1];                                   \
	(void)(pad[0] = 0)
#else
#define PAD(n) (void)0
#endif

/*
 * One function per level.  The code behind each call differs, or the compiler
 * would make one call of them.
 */
#define CALL(next, n)                                                          \
	do {                                                                   \
		next(path >> 3, r);                                            \
		__asm__ volatile("#" #n);                                      \
	} while (0)
#define LEVEL(name, next, n)                                                   \
	static __attribute__((noinline)) void name(uint64_t path, uint64_t r)  \
	{                                                                      \
		PAD(n);                                                        \
		switch (path & 7) {                                            \
		case 0:                                                        \
			CALL(next##_a, 0);                                     \
			break;                                                 \
		case 1:                                                        \
			CALL(next##_b, 1);                                     \
			break;                                                 \
		case 2:                                                        \
			CALL(next##_a, 2);                                     \
			break;                                                 \
		case 3:                                                        \
			CALL(next##_b, 3);                                     \
			break;                                                 \
		default:                                                       \
			CALL(next##_a, 4);                                     \
			break;                                                 \
		}                                                              \
	}
#define LEVELS(name, next, n)                                                  \
	LEVEL(name##_a, next, n) LEVEL(name##_b, next, n + 1)

static inline __attribute__((always_inline)) void leaf_a(uint64_t path,
							 uint64_t r)
{
	(void)path;
	leaf(r);
}
#define leaf_b leaf_a

/* _start, two of libc, main, eight levels and the leaf are 13. */
LEVELS(level8, leaf, 3)
LEVELS(level7, level8, 0)
LEVELS(level6, level7, 2)
LEVELS(level5, level6, 1)
LEVELS(level4, level5, 2)
LEVELS(level3, level4, 0)
LEVELS(level2, level3, 1)
LEVEL(level1, level2, 2)

/* 200 = 2 * 5 * 2 * 5 * 2 ways, on levels 2, 4, 5, 7 and 8. */
static void make_paths(void)
{
	for (uint64_t i = 0; i < PATHS; i++)
		paths[i] = i % 2 << 3 | i / 2 % 5 << 9 | i / 10 % 2 << 12 |
			   i / 20 % 5 << 18 | i / 100 << 21;
}

int main(int argc, char **argv)
{
	uint64_t pairs = argc > 1 ? strtoull(argv[1], NULL, 0) : 40000000;

	reallocs = argc > 2 && strcmp(argv[2], "realloc") == 0;
#ifdef SHARED
	large = malloc(2 << 20);
	shared = mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	memset(shared, 1, 2 << 20);
#endif
	make_paths();
	/* small sizes are frequent, large ones are not */
	for (unsigned i = 0; i < SIZES; i++)
		sizes[i] = (uint16_t)(16 + (uint64_t)i * i * i * 1024 /
						   (63 * 63 * 63));
	for (unsigned i = 0; i < LIVE; i++)
		live[i] = malloc(sizes[i % SIZES]);
	for (uint64_t i = 0; i < pairs; i++) {
		uint64_t r = next_random();

		level1(paths[(r >> 32) % PATHS], r);
#ifdef REST
		if (i % 10000 == 9999)
			usleep(REST * 1000);
#endif
	}
	for (unsigned i = 0; i < LIVE; i++)
		free(live[i]);
	return 0;
}
