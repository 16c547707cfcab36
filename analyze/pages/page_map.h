/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages by address, and the owners of the bytes on each page.
 *
 * Neighbouring pages with the same properties are one stretch, so that a large
 * block needs three stretches: its first page, the pages within, its last page.
 * A stretch has one part for each owner of bytes on its pages.
 *
 * Stretches are in order, in leaves of some dozens.  A place is valid until a
 * change that is not made through it.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/trace/read_page_sets.h"

/* The bytes that one owner has on each page of a stretch. */
struct wm_page_part {
	uint32_t owner;
	uint32_t epoch; /* of most */
	uint32_t now; /* alive */
	uint32_t most; /* alive at one time in that epoch */
	uint32_t touched, written; /* of the bytes alive, ever */
	/* as counted for its owner: bytes accessed in an epoch like the last
	 * one; whether the part was among the accessed parts, and among the
	 * written parts */
	uint32_t counted;
	bool in, in_written;
};

/* Numbers of epochs are 1 higher here; 0 is none. */
struct wm_page_stretch {
	uint64_t first, end; /* pages */
	bool in, in_written; /* accessed, and written, in the last epoch */
	/* if not, the last epoch in which they were accessed, and written */
	uint32_t accessed, written;
	bool shared; /* counted as such */
	uint8_t other; /* counted without parts: enum wm_page_other + 1 */
	uint32_t parts, cap;
	struct wm_page_part *part; /* NULL: without parts, or with only: */
	struct wm_page_part one;
};

#define WM_PAGE_LEAF 64

struct wm_page_leaf {
	unsigned count; /* never 0 */
	struct wm_page_stretch stretch[WM_PAGE_LEAF];
};

struct wm_page_map {
	struct wm_page_leaf **leaf;
	size_t leaves, cap;
	size_t count; /* stretches */
};

struct wm_page_place {
	size_t leaf;
	unsigned at;
};

void wm_page_map_release(struct wm_page_map *m);
/* Returns the place of the first stretch that ends behind @page. */
struct wm_page_place wm_page_map_find(const struct wm_page_map *m,
				      uint64_t page);
/* The same if the stretch is known not to be before @p. */
struct wm_page_place wm_page_map_seek(const struct wm_page_map *m,
				      struct wm_page_place p, uint64_t page);
/* Returns NULL behind the last stretch. */
struct wm_page_stretch *wm_page_map_at(const struct wm_page_map *m,
				       struct wm_page_place p);
struct wm_page_place wm_page_map_next(const struct wm_page_map *m,
				      struct wm_page_place p);
/*
 * Returns the next stretch with pages of @left, or NULL.  Stores in *@pages the
 * number of these pages, and moves the start of @left behind them.  @p must be
 * the place of the stretch or an earlier place; ranges must ascend.
 */
const struct wm_page_stretch *wm_page_map_take(const struct wm_page_map *m,
					       struct wm_page_place *p,
					       struct wm_page_range *left,
					       uint64_t *pages);
/* Sets @p to a stretch that begins at @page and does not end behind @end.  If
 * there is none, makes one.  Returns false without memory. */
bool wm_page_map_bring(struct wm_page_map *m, struct wm_page_place *p,
		       uint64_t page, uint64_t end);
/* Removes the stretch at @p, which becomes the place of the next stretch. */
void wm_page_map_remove(struct wm_page_map *m, struct wm_page_place *p);
/* Joins the stretch at @p to the stretch before it, if both have the same
 * properties in epoch @epoch; then @p is the place of the joined stretch. */
void wm_page_map_join(struct wm_page_map *m, struct wm_page_place *p,
		      uint32_t epoch);

static inline struct wm_page_part *wm_page_parts(struct wm_page_stretch *s)
{
	return s->part ? s->part : &s->one;
}

/* When epoch @now begins, the most bytes are the bytes that are alive. */
static inline void wm_page_part_begin(struct wm_page_part *p, uint32_t now)
{
	if (p->epoch == now)
		return;
	p->epoch = now;
	p->most = p->now;
}

/* Returns the part of @owner, perhaps a new one; NULL without memory. */
struct wm_page_part *wm_page_part_of(struct wm_page_stretch *s, uint32_t owner);
/* Removes part number @i; the last part takes its number. */
void wm_page_part_remove(struct wm_page_stretch *s, uint32_t i);
