/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that appear random and are the same in each run (xorshift, 64 bits).
 * For one translation unit, as tap.h. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint64_t seed = 88172645463325252u;

static inline uint64_t rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static inline uint64_t below(uint64_t n)
{
	return rnd() % n;
}

/* The same of small numbers. */
static inline unsigned one_of(unsigned n)
{
	return (unsigned)below(n);
}

/* @n characters of @alphabet, without a 0 behind them. */
static inline void odd_text(char *to, size_t n, const char *alphabet)
{
	while (n--)
		*to++ = alphabet[below(strlen(alphabet))];
}
