/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers: from a floating-point one, and the least or most of two. */
#ifndef WM_ANALYZE_WHOLE_H
#define WM_ANALYZE_WHOLE_H

#include <stdint.h>

/* The whole part of @v; 0 if it is negative or no number, UINT64_MAX if it is
 * beyond that.  A cast of such a number may give anything. */
static inline uint64_t wm_whole(double v)
{
	if (!(v > 0))
		return 0;
	return v < 0x1p64 ? (uint64_t)v : UINT64_MAX;
}

/* The nearest, likewise. */
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

/* *@to becomes @v where that is more. */
static inline void wm_raise(uint64_t *to, uint64_t v)
{
	if (*to < v)
		*to = v;
}

/* Likewise, where it is less. */
static inline void wm_lower(uint64_t *to, uint64_t v)
{
	if (*to > v)
		*to = v;
}

/* By how much @a is more than @b. */
static inline uint64_t wm_above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif
