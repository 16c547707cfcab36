/* SPDX-License-Identifier: Apache-2.0 */
/* The form of WM_RANKS: numbers, ranges and ranges with a step, with commas
 * between them: "0,7,100-199,0-4095:64".  Pure functions on caller-owned
 * text. */
#ifndef WM_RANK_LIST_H
#define WM_RANK_LIST_H

#include <stddef.h>
#include <stdint.h>

#define WM_RANK_LIST_TOP (UINT64_C(1) << 30) /* no number is above it */
#define WM_RANK_LIST_MAX 4096 /* bytes of a list, with its final zero */

struct wm_rank_range {
	uint64_t first, last, step; /* step is at least 1 */
};

static inline const char *wm_rank_list_number(const char *s, uint64_t *n)
{
	const char *p = s;

	for (*n = 0; *p >= '0' && *p <= '9'; p++) {
		*n = *n * 10 + (uint64_t)(*p - '0');
		if (*n > WM_RANK_LIST_TOP)
			return NULL;
	}
	return p == s ? NULL : p;
}

/* Stores the range at @s in @r.  Returns the beginning of the next range, or
 * the final zero after the last range, or NULL if the list is malformed. */
static inline const char *wm_rank_list_next(const char *s,
					    struct wm_rank_range *r)
{
	s = wm_rank_list_number(s, &r->first);
	if (!s)
		return NULL;
	r->last = r->first;
	r->step = 1;
	if (*s == '-') {
		s = wm_rank_list_number(s + 1, &r->last);
		if (s && *s == ':')
			s = wm_rank_list_number(s + 1, &r->step);
		if (!s || r->last < r->first || !r->step)
			return NULL;
	}
	if (*s == ',')
		return s[1] ? s + 1 : NULL;
	return *s ? NULL : s;
}

/* Returns 1 if the list is well formed and not empty, and stores its lowest
 * rank in *@lowest. */
static inline int wm_rank_list_check(const char *s, uint64_t *lowest)
{
	struct wm_rank_range r;

	*lowest = UINT64_MAX;
	do {
		s = wm_rank_list_next(s, &r);
		if (s && r.first < *lowest)
			*lowest = r.first;
	} while (s && *s);
	return s != NULL;
}

/* Returns 1 if @rank is in the well-formed list @s. */
static inline int wm_rank_list_has(const char *s, uint64_t rank)
{
	struct wm_rank_range r;

	while (s && *s) {
		s = wm_rank_list_next(s, &r);
		if (s && rank >= r.first && rank <= r.last &&
		    (rank - r.first) % r.step == 0)
			return 1;
	}
	return 0;
}

#endif
