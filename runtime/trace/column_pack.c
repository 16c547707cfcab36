/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/column_pack.h"

#include <string.h>
#include <time.h>

#include "wm/trace_format.h"
#include "wm/varint.h"

#include "runtime/base/clock.h"
#include "runtime/base/state.h"
#include "runtime/trace/access_lists.h"
#include "runtime/trace/plane.h"
#include "runtime/trace/cpu_budget.h"
#include "runtime/trace/xz.h"

#define LEAST 1024 /* bytes; the table of frequencies takes 100 to 300 */

static struct learned {
	struct wm_packing packing;
	uint16_t part; /* packed size in parts of 1,024; 0: unknown */
} learned[WMT_COL_LIMIT];

/* Returns NULL if there is no memory. */
static uint8_t *pack(const uint8_t *p, size_t n, size_t *size)
{
	struct wm_plane_room *room;
	uint8_t *start, *to;

	room = wm_xz_scratch(sizeof(*room) + 2 * n + 2 + WM_VARINT_MAX +
			     WM_PLANE_MOST(n));
	if (!room)
		return NULL;
	room->words = (uint8_t *)(room + 1);
	start = room->words + 2 * n + 2;
	to = wm_varint_put(start, n);
	*size = (size_t)(wm_plane_put(to, p, n, room) - start);
	return start;
}

static void learn(struct learned *l, size_t size, size_t n)
{
	l->part = size < n ? (uint16_t)(size * 1024 / n + 1) : 1024;
}

bool wm_column_pack(unsigned column, struct wm_buf *b)
{
	struct learned *l = &learned[column];
	const uint8_t *packed;
	uint64_t since;
	size_t size;

	if (b->len < LEAST || wm_options.compress >= 0 ||
	    !wm_budget_affords(wm_xz_budget(), &l->packing, b->len) ||
	    wm_packing_skips(&l->packing))
		return false;
	since = wm_clock_ns(CLOCK_MONOTONIC);
	packed = pack(b->p, b->len, &size);
	if (!packed)
		return false;
	wm_budget_spend(wm_xz_budget(), &l->packing, b->len, b->len, size,
			since);
	learn(l, size, b->len);
	if (size >= b->len)
		return false;
	memcpy(b->p, packed, size);
	b->len = size;
	return true;
}

size_t wm_column_packed(unsigned column, const struct wm_buf *b)
{
	struct learned *l = &learned[column];
	size_t size;

	if (b->len < LEAST)
		return b->len;
	if (!l->part) {
		if (!pack(b->p, b->len, &size))
			return b->len;
		learn(l, size, b->len);
	}
	return b->len * l->part / 1024;
}

/* Loads have a budget of their own: one part in 8 of the elapsed time. */
static struct wm_budget loads_budget = { WM_BUDGET_START, 0, 8 };
static struct wm_packing loads_packing;

#define LOADS_LEAST 4096 /* bytes; fewer take little time even by LZMA2 */

const uint8_t *wm_column_pack_loads(const uint8_t *p, size_t n, size_t *size)
{
	const uint8_t *lists;
	uint64_t since;
	void *room;

	if (n < LOADS_LEAST)
		return NULL;
	wm_budget_fill(&loads_budget);
	if (wm_options.compress < 0 &&
	    !wm_budget_affords(&loads_budget, &loads_packing, n))
		return NULL;
	room = wm_xz_scratch(wm_access_lists_room(n));
	if (!room || wm_packing_skips(&loads_packing))
		return NULL;
	since = wm_clock_ns(CLOCK_MONOTONIC);
	lists = wm_access_lists_make(p, n, room, size);
	wm_budget_spend(&loads_budget, &loads_packing, n, n, lists ? *size : n,
			since);
	return lists;
}
