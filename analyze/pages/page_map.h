/* SPDX-License-Identifier: Apache-2.0 */
/* Pages by address, and the owners of the bytes on each page.  Neighbouring
 * pages with the same properties are one stretch, so a large block has three
 * stretches: its first page, the pages between, its last page.  A stretch has a
 * part for each owner of bytes on its pages.  Stretches are in order, in
 * leaves.  A place is valid until a change that is not made through it.  One
 * thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/trace/read_page_sets.h"

/* The bytes of one owner on each page of a stretch. */
struct wm_page_part {
	uint32_t owner;
	uint32_t epoch; /* of .most */
	uint32_t now; /* alive */
	uint32_t most; /* alive at one time in .epoch */
	uint32_t touched, written; /* of the bytes alive, ever */
	/* as counted for the owner: bytes accessed in an epoch like the last
	 * one; whether the part was accessed, and written */
	uint32_t counted;
	bool in, in_written;
};

/* Epochs are numbered from 1 here; 0: none. */
struct wm_page_stretch {
	uint64_t first, end; /* pages */
	bool in, in_written; /* in the last epoch: accessed, written */
	/* otherwise, the last epoch with an access, and with a write */
	uint32_t accessed, written;
	bool shared; /* counted as shared */
	uint8_t other; /* counted without parts: enum wm_page_other + 1 */
	uint32_t parts, cap;
	struct wm_page_part *part; /* NULL: no parts, or only .one */
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
/* Returns the place of the first stretch that ends after @page. */
struct wm_page_place wm_page_map_find(const struct wm_page_map *m,
				      uint64_t page);
/* Likewise for a stretch that is not before @p. */
struct wm_page_place wm_page_map_seek(const struct wm_page_map *m,
				      struct wm_page_place p, uint64_t page);
/* Returns NULL after the last stretch. */
struct wm_page_stretch *wm_page_map_at(const struct wm_page_map *m,
				       struct wm_page_place p);
struct wm_page_place wm_page_map_next(const struct wm_page_map *m,
				      struct wm_page_place p);
/* Returns the next stretch with pages of @left, or NULL.  Stores the number of
 * these pages in *@pages, and moves the start of @left after them.  @p is the
 * place of that stretch or an earlier place; ranges must ascend. */
const struct wm_page_stretch *wm_page_map_take(const struct wm_page_map *m,
					       struct wm_page_place *p,
					       struct wm_page_range *left,
					       uint64_t *pages);
/* Finds or makes a stretch that begins at @page and ends at @end or before; @p
 * becomes its place.  Returns false without memory. */
bool wm_page_map_bring(struct wm_page_map *m, struct wm_page_place *p,
		       uint64_t page, uint64_t end);
/* @p becomes the place of the next stretch. */
void wm_page_map_remove(struct wm_page_map *m, struct wm_page_place *p);
/* Joins the stretch at @p to the one before it if both have the same properties
 * in @epoch; then @p is the place of the joined stretch. */
void wm_page_map_join(struct wm_page_map *m, struct wm_page_place *p,
		      uint32_t epoch);

static inline struct wm_page_part *wm_page_parts(struct wm_page_stretch *s)
{
	return s->part ? s->part : &s->one;
}

static inline void wm_page_part_begin(struct wm_page_part *p, uint32_t now)
{
	if (p->epoch == now)
		return;
	p->epoch = now;
	p->most = p->now;
}

/* Finds or adds the part of @owner; returns NULL without memory. */
struct wm_page_part *wm_page_part_of(struct wm_page_stretch *s, uint32_t owner);
/* The last part takes the number @i. */
void wm_page_part_remove(struct wm_page_stretch *s, uint32_t i);
