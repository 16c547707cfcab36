/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic with whole numbers. */
#pragma once

#include <stdint.h>

/* Returns the whole part of @v: 0 if @v is negative or NaN, and UINT64_MAX if
 * @v is larger than that, where the result of a cast would be undefined. */
static inline uint64_t wm_whole(double v)
{
	if (!(v > 0))
		return 0;
	return v < 0x1p64 ? (uint64_t)v : UINT64_MAX;
}

/* Returns the nearest whole number to @v, with the same limits. */
static inline uint64_t wm_rounded(double v)
{
	return wm_whole(v + 0.5);
}

static inline uint64_t wm_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t wm_most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline void wm_raise(uint64_t *to, uint64_t v)
{
	if (*to < v)
		*to = v;
}

static inline void wm_lower(uint64_t *to, uint64_t v)
{
	if (*to > v)
		*to = v;
}

/* Returns a - b, or 0 if @b is larger. */
static inline uint64_t wm_above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}
