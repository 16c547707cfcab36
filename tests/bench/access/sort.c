/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sort ROUNDS: 4 Mi random keys of 18 bits are counted, and put into their
 * places.  Two or three of eight accesses are random: in 1 MiB of counts, in
 * 16 MiB of keys.  The pointers are global: hooked code loads them again and
 * again.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KEYS (1 << 22)
#define VALUES (1 << 18)

static int *key, *place, *sorted;

static __attribute__((noinline)) void count_keys(void)
{
	for (long v = 0; v < VALUES; v++)
		place[v] = 0;
	for (long i = 0; i < KEYS; i++)
		place[key[i]]++;
	for (long v = 1; v < VALUES; v++)
		place[v] += place[v - 1];
}

static __attribute__((noinline)) void put_keys(void)
{
	for (long i = KEYS - 1; i >= 0; i--)
		sorted[--place[key[i]]] = key[i];
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	uint64_t r = 1;
	long wrong = 0;

	key = malloc(KEYS * sizeof(*key));
	sorted = malloc(KEYS * sizeof(*sorted));
	place = malloc(VALUES * sizeof(*place));
	if (!key || !sorted || !place)
		return 1;
	for (long i = 0; i < KEYS; i++) {
		r = r * 6364136223846793005u + 1442695040888963407u;
		key[i] = (int)(r >> 46);
	}
	while (rounds-- > 0) {
		count_keys();
		put_keys();
	}
	for (long i = 1; i < KEYS; i++)
		wrong += sorted[i - 1] > sorted[i];
	printf("%ld\n", wrong);
	return wrong != 0;
}
