/* SPDX-License-Identifier: Apache-2.0 */
/* Growing arrays of the caller, who frees them.  One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes space for @need elements of @size bytes in @array, which has space for
 * *@cap elements.  Returns the array, which may have moved, or NULL without
 * memory; the old array is then unchanged. */
static inline void *wm_grow(void *array, size_t *cap, size_t need, size_t size)
{
	size_t n = *cap ? *cap : 16;
	void *p;

	if (need <= *cap)
		return array;
	while (n < need) {
		if (n > SIZE_MAX / 2 / size)
			return NULL;
		n += n / 2;
	}
	p = realloc(array, n * size);
	if (p)
		*cap = n;
	return p;
}

/* Like wm_grow(), for an @array of any type, which is updated. */
#define WM_ROOM(array, cap, need)                                              \
	((__typeof__(array))wm_room(&(array), &(cap), need, sizeof(*(array))))

static inline void *wm_room(void *array, size_t *cap, size_t need, size_t size)
{
	void *p;

	memcpy(&p, array, sizeof(p));
	p = wm_grow(p, cap, need, size);
	if (p)
		memcpy(array, &p, sizeof(p));
	return p;
}

/* Like WM_ROOM(); elements beyond the old @cap are all zero. */
#define WM_ZEROED(array, cap, need)                                            \
	((__typeof__(array))wm_zeroed(&(array), &(cap), need, sizeof(*(array))))

static inline void *wm_zeroed(void *array, size_t *cap, size_t need,
			      size_t size)
{
	size_t old = *cap;
	void *p = wm_room(array, cap, need, size);

	if (p && *cap > old)
		memset((char *)p + old * size, 0, (*cap - old) * size);
	return p;
}

/* Appends a value to @array.  Returns false without memory. */
#define WM_APPEND(array, cap, count, ...)                                      \
	(WM_ROOM(array, cap, (count) + 1) &&                                   \
	 ((array)[(count)++] = (__VA_ARGS__), true))

/* Returns element number @count of @array, or NULL without memory.  The element
 * is all zero, and @count does not include it yet. */
#define WM_MORE(array, cap, count)                                             \
	((__typeof__(array))wm_more(&(array), &(cap), count, sizeof(*(array))))

static inline void *wm_more(void *array, size_t *cap, size_t count, size_t size)
{
	void *p = wm_room(array, cap, count + 1, size);

	return p ? memset((char *)p + count * size, 0, size) : NULL;
}
