/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary search.
 *
 * WM_FIRST(i, n, is) is the least i below n for which the expression @is of i
 * holds, or n where there is none.  Where it holds, it holds for all that come
 * behind.
 */
#ifndef WM_SEARCH_H
#define WM_SEARCH_H

#include <stddef.h>

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
