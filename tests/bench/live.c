/* live [BLOCKS [PAIRS]]: allocates BLOCKS blocks of 16 to 112 bytes; then, so
 * often, frees one taken at random and allocates another in its place; frees
 * all in the end: BLOCKS + PAIRS allocations.  With 0 pairs all are freed in
 * an order that looks random, and all that is done twice.  Default: 5,000,000
 * blocks and as many pairs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>

static __attribute__((noinline)) void *make(uint64_t i)
{
	uint64_t *p = malloc(16 + i * 2654435761u % 97);

	if (!p)
		abort();
	*p = i;
	return p;
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Every number below 2^@bits once. */
static uint64_t shuffled(uint64_t i, unsigned bits)
{
	uint64_t mask = ((uint64_t)1 << bits) - 1;

	for (int k = 0; k < 3; k++) {
		i = (i * 0x9E3779B97F4A7C15u + 0x1234567) & mask;
		i ^= i >> (bits / 2);
	}
	return i;
}

static void free_at_random(void **blocks, uint64_t count)
{
	unsigned bits = 1;

	while ((uint64_t)1 << bits < count)
		bits++;
	for (uint64_t i = 0; i < (uint64_t)1 << bits; i++) {
		uint64_t k = shuffled(i, bits);

		if (k < count)
			free(blocks[k]);
	}
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : 5000000;
	uint64_t pairs = argc > 2 ? strtoull(argv[2], NULL, 0) : count;
	uint64_t seed = 88172645463325252u;
	void **blocks = malloc(count * sizeof(*blocks));

	if (!blocks)
		return 1;
	for (int round = 0; pairs == 0 && round < 2; round++) {
		for (uint64_t i = 0; i < count; i++)
			blocks[i] = make(i);
		free_at_random(blocks, count);
	}
	for (uint64_t i = 0; pairs && i < count; i++)
		blocks[i] = make(i);
	for (uint64_t i = 0; i < pairs; i++) {
		uint64_t r = next_random(&seed);
		void **p = &blocks[(r >> 32) * count >> 32];

		free(*p);
		*p = make(r);
	}
	for (uint64_t i = 0; pairs && i < count; i++)
		free(blocks[i]);
	free(blocks);
	return 0;
}
