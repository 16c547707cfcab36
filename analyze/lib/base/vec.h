/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Growing arrays.
 *
 * The array, its length and its capacity are the caller's; the memory is
 * released with free().  Any thread, each array by one at a time.
 */
#ifndef WM_ANALYZE_VEC_H
#define WM_ANALYZE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Make room for @need elements of @size bytes in @array, which has room for
 * *@cap.  Returns the array, perhaps moved, or NULL when memory is short (the
 * old array is untouched then).
 */
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

/*
 * The same for @array, a pointer of any type, which moves: returns it, or NULL
 * when memory is short.
 */
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

/*
 * Room for element number @count of @array, which is a pointer of any type and
 * has room for @cap.  That element, all zero, for the caller to count; NULL
 * when memory is short.
 */
#define WM_MORE(array, cap, count)                                             \
	((__typeof__(array))wm_more(&(array), &(cap), count, sizeof(*(array))))

static inline void *wm_more(void *array, size_t *cap, size_t count, size_t size)
{
	void *p = wm_room(array, cap, count + 1, size);

	return p ? memset((char *)p + count * size, 0, size) : NULL;
}

#endif
