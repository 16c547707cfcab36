/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Order, and binary search in ordered arrays.
 *
 * WM_ORDER(a, b) is below, equal to or above 0 as @a is below, equal to or
 * above @b.  WM_KEYS(...) is the first of such values that is not 0, for
 * functions that qsort() calls; keys after it are not evaluated.  WM_SORT()
 * calls qsort() for the @n elements of @array, which may be NULL when there are
 * none.
 *
 * WM_FIRST(i, n, is) is the least i below n for which the expression @is of i
 * holds, or n if there is none.  @is must hold for all greater i, too.
 */
#ifndef WM_SEARCH_H
#define WM_SEARCH_H

#include <stddef.h>

#define WM_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

#define WM_KEYS(...)                                                           \
	({                                                                     \
		_Static_assert(sizeof((int[]){ __VA_ARGS__ }) <=               \
				       9 * sizeof(int),                        \
			       "nine keys at most");                           \
		WM_KEYS_OF(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0);            \
	})
#define WM_KEYS_OF(a, b, c, d, e, f, g, h, i, ...)                             \
	((a) ?: (b) ?: (c) ?: (d) ?: (e) ?: (f) ?: (g) ?: (h) ?: (i))

#define WM_SORT(array, n, by)                                                  \
	((n) ? qsort((array), (n), sizeof(*(array)), (by)) : (void)0)

#define WM_FIRST(i, n, is)                                                     \
	({                                                                     \
		size_t i, from_ = 0, to_ = (n);                                \
                                                                               \
		while (from_ < to_) {                                          \
			i = from_ + (to_ - from_) / 2;                         \
			if (is)                                                \
				to_ = i;                                       \
			else                                                   \
				from_ = i + 1;                                 \
		}                                                              \
		from_;                                                         \
	})

#endif
