/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/sharing_judge.h"

#include <stdlib.h>

#include "analyze/lib/base/whole.h"
#include "wm/search.h"

static uint64_t accesses_of(const struct wm_sharing_use *u)
{
	return u->loads > u->stores ? u->loads : u->stores;
}

static bool are_partners(const struct wm_sharing_use *u,
			 const struct wm_sharing_use *v, bool overlaps)
{
	return v->thread != u->thread && (u->stores || v->stores) &&
	       ((u->touched & v->touched) != 0) == overlaps;
}

static bool has_partner(const struct wm_sharing_line_use *use,
			const struct wm_sharing_use *u, bool overlaps)
{
	for (size_t i = 0; i < use->count; i++)
		if (are_partners(u, &use->use[i], overlaps))
			return true;
	return false;
}

static int by_accesses(const void *a, const void *b)
{
	const struct wm_sharing_use *x = *(
		const struct wm_sharing_use *const *)a;
	const struct wm_sharing_use *y = *(
		const struct wm_sharing_use *const *)b;

	return WM_KEYS(WM_ORDER(accesses_of(y), accesses_of(x)),
		       WM_ORDER(x->thread, y->thread),
		       WM_ORDER(x->cell, y->cell),
		       WM_ORDER(x->touched, y->touched));
}

static int by_thread(const void *a, const void *b)
{
	const struct wm_sharing_use *x = *(
		const struct wm_sharing_use *const *)a;
	const struct wm_sharing_use *y = *(
		const struct wm_sharing_use *const *)b;

	return WM_ORDER(x->thread, y->thread);
}

/* Returns how often the line may have moved to @u: for a load after a store of
 * another thread, or for a store after any access of another thread. */
static uint64_t moves_of(const struct wm_sharing_use **list, size_t n,
			 const struct wm_sharing_use *u, bool overlaps)
{
	uint64_t accesses = 0, stores = 0, loaded, stored;

	for (size_t i = 0; i < n; i++) {
		if (!are_partners(u, list[i], overlaps))
			continue;
		accesses += accesses_of(list[i]);
		stores += list[i]->stores;
	}
	loaded = wm_least(u->loads, stores);
	stored = wm_least(u->stores, accesses);
	return loaded > stored ? loaded : stored;
}

/* @list is ordered by thread. */
static void sum_up(const struct wm_sharing_use **list, size_t n, bool overlaps,
		   struct wm_sharing_judged *j)
{
	for (size_t i = 0; i < n; i++) {
		j->threads += !i || list[i]->thread != list[i - 1]->thread;
		j->accesses += accesses_of(list[i]);
		j->moves += moves_of(list, n, list[i], overlaps);
	}
	/* the first access is not a move */
	j->moves = wm_least(j->moves, j->accesses - 1);
}

static void put_parts(const struct wm_sharing_use **list, size_t n,
		      struct wm_sharing_judged *j)
{
	for (size_t i = 0; i < n && i < WM_SHARING_PARTS; i++) {
		uint64_t bits = list[i]->touched;

		j->part[j->parts++] = (struct wm_sharing_part){
			.thread = list[i]->thread,
			.cell = list[i]->cell,
			.from = (uint16_t)__builtin_ctzll(bits),
			.to = (uint16_t)(63 - __builtin_clzll(bits)),
			.loads = list[i]->loads,
			.stores = list[i]->stores,
		};
	}
	j->parts_left_out = (uint32_t)(n - j->parts);
}

/* Finds the cell of the use with most stores, and the cell of its partner with
 * most accesses.  @list is ordered by accesses. */
static void find_pair(const struct wm_sharing_use **list, size_t n,
		      bool overlaps, uint32_t *a, uint32_t *b)
{
	const struct wm_sharing_use *most = list[0];
	size_t i = 0;

	for (size_t k = 1; k < n; k++)
		if (list[k]->stores > most->stores)
			most = list[k];
	while (i < n && !are_partners(most, list[i], overlaps))
		i++;
	*a = most->cell;
	*b = i < n ? list[i]->cell : *a;
}

void wm_sharing_judge(const struct wm_sharing_line_use *use, bool overlaps,
		      struct wm_sharing_judged *j)
{
	const struct wm_sharing_use *list[WM_SHARING_USES];
	size_t n = 0;
	uint32_t a, b;

	*j = (struct wm_sharing_judged){ 0 };
	for (size_t i = 0; i < use->count; i++)
		if (has_partner(use, &use->use[i], overlaps))
			list[n++] = &use->use[i];
	if (n < 2)
		return;
	WM_SORT(list, n, by_thread);
	sum_up(list, n, overlaps, j);
	WM_SORT(list, n, by_accesses);
	put_parts(list, n, j);
	find_pair(list, n, overlaps, &a, &b);
	j->cell[0] = a < b ? a : b;
	j->cell[1] = a < b ? b : a;
}
