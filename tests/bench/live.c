/* live [BLOCKS [ROUNDS]]: in each round allocates BLOCKS blocks of 16 to 112
 * bytes and frees them in random order.  Default: 5,000,000 blocks, 2
 * rounds. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>

static void **blocks;
static uint64_t count;

static __attribute__((noinline)) void *make(uint64_t i)
{
	uint64_t *p = malloc(16 + i * 2654435761u % 97);

	if (!p)
		abort();
	*p = i;
	return p;
}

/* Every number below 2^@bits once, in an order that looks random. */
static uint64_t shuffled(uint64_t i, unsigned bits)
{
	uint64_t mask = ((uint64_t)1 << bits) - 1;

	for (int k = 0; k < 3; k++) {
		i = (i * 0x9E3779B97F4A7C15u + 0x1234567) & mask;
		i ^= i >> (bits / 2);
	}
	return i;
}

static void one_round(unsigned bits)
{
	for (uint64_t i = 0; i < count; i++)
		blocks[i] = make(i);
	for (uint64_t i = 0; i < (uint64_t)1 << bits; i++) {
		uint64_t k = shuffled(i, bits);

		if (k < count)
			free(blocks[k]);
	}
}

int main(int argc, char **argv)
{
	unsigned bits = 1, rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 2;

	count = argc > 1 ? strtoull(argv[1], NULL, 0) : 5000000;
	while ((uint64_t)1 << bits < count)
		bits++;
	blocks = malloc(count * sizeof(*blocks));
	if (!blocks)
		return 1;
	for (unsigned r = 0; r < rounds; r++)
		one_round(bits);
	free(blocks);
	return 0;
}
