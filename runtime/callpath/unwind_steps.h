/* SPDX-License-Identifier: Apache-2.0 */
/* Finds rows and steps of return addresses.  A part of unwind_walk.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/callpath/unwind_row.h"
#include "runtime/callpath/unwind_state.h"

/* In bytes, in a table of 16-byte entries. */
static inline uint64_t row_offset(uint64_t ip)
{
	return ((uint32_t)ip * 0x9E3779B1u) >> 12 & ((1u << ROWS_BITS) - 1)
							    << 4;
}

_Static_assert(sizeof(struct simple) == 16 && sizeof(struct wm_row) == 16,
	       "row_offset() counts in entries of 16 bytes");

/* A row has a first place and a second one beside it, to which it is moved when
 * another row takes the first: two rows that are used in turn do not replace
 * each other.  To compute a row takes thousands of instructions, and 1 KiB of
 * stack, so on the program's stack an unknown row ends the walk. */
static __attribute__((noinline)) const struct wm_row *
find_row_beside(struct wm_walk *w, uint64_t ip)
{
	static const struct wm_row unknown = { .kind = WM_ROW_UNKNOWN };
	uint64_t offset = row_offset(ip);
	struct wm_row *first = (void *)((char *)w->rows + offset);
	struct wm_row *beside = (void *)((char *)w->rows +
					 (offset ^ sizeof(*first)));

	if (wm_likely(beside->ip == ip))
		return beside;
	if (!w->aside)
		return &unknown;
	if (first->ip)
		*beside = *first;
	wm_row_find(ip, first);
	return first;
}

static inline const struct wm_row *find_row(struct wm_walk *w, uint64_t ip)
{
	const struct wm_row *r = (void *)((char *)w->rows + row_offset(ip));

	return wm_likely(r->ip == ip) ? r : find_row_beside(w, ip);
}

static inline bool more_room(struct wm_walk *w, size_t room)
{
	return w->aside && wm_walk_make_room(w, room);
}

static __attribute__((noinline)) uint64_t learn_step(struct wm_walk *w,
						     uint64_t ip)
{
	const struct wm_row *r = find_row(w, ip);
	struct simple *e = (void *)((char *)w->simple + row_offset(ip));

	if (r->kind != WM_ROW_SP || r->cfa <= 0 || (r->cfa & 7))
		return 0;
	e->step = (uint64_t)r->cfa;
	e->ip = ip;
	return e->step;
}

/* Returns the distance to the next return address, or 0 if the row is no simple
 * step. */
static inline uint64_t find_step(struct wm_walk *w, uint64_t ip)
{
	const struct simple *e = (void *)((char *)w->simple + row_offset(ip));

	return wm_likely(e->ip == ip) ? e->step : learn_step(w, ip);
}
