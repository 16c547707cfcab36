/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages by address, and whose bytes lie on each.
 *
 * Neighbours of which the same is true are one stretch, so that a large block
 * needs three: its first page, those within, its last page.  A stretch has one
 * part for each owner of bytes on its pages.
 *
 * Stretches lie in order in leaves of some dozens; a place is good until the
 * next change that is not made through it.  One thread at a time.
 */
#ifndef WM_ANALYZE_PAGE_MAP_H
#define WM_ANALYZE_PAGE_MAP_H

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
	uint32_t touched, written; /* of those that are alive, ever */
	/* as its owner has counted it: bytes accessed in an epoch like the last
	 * one; whether it is among what was accessed, and written */
	uint32_t counted;
	bool in, in_written;
};

/* Numbers of epochs are 1 more here; 0: in none. */
struct wm_page_stretch {
	uint64_t first, end; /* pages */
	bool in, in_written; /* accessed, and written, in the last epoch */
	/* else the last one in which they were */
	uint32_t accessed, written;
	bool shared; /* counted as such */
	uint8_t other; /* without parts, but counted: whose, and 1 more */
	uint32_t parts, cap;
	struct wm_page_part *part; /* NULL: without parts, or one in here: */
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
/* The first stretch that ends behind @page. */
struct wm_page_place wm_page_map_find(const struct wm_page_map *m,
				      uint64_t page);
/* The same where it is known not to be before @p. */
struct wm_page_place wm_page_map_seek(const struct wm_page_map *m,
				      struct wm_page_place p, uint64_t page);
/* NULL behind the last one. */
struct wm_page_stretch *wm_page_map_at(const struct wm_page_map *m,
				       struct wm_page_place p);
struct wm_page_place wm_page_map_next(const struct wm_page_map *m,
				      struct wm_page_place p);
/*
 * The next stretch with pages of @left, which then begins behind it, and how
 * many; NULL: none.  @p: where it is or before; so for ranges that ascend.
 */
const struct wm_page_stretch *wm_page_map_take(const struct wm_page_map *m,
					       struct wm_page_place *p,
					       struct wm_page_range *left,
					       uint64_t *pages);
/* Bring @p to a stretch that begins at @page and does not end behind @end; where
 * there is none, it is made.  false: no memory. */
bool wm_page_map_bring(struct wm_page_map *m, struct wm_page_place *p,
		       uint64_t page, uint64_t end);
/* Take the stretch at @p away: @p is then the place of what followed it. */
void wm_page_map_remove(struct wm_page_map *m, struct wm_page_place *p);
/* Join the stretch at @p to the one before it, if the same is true of both in
 * epoch @epoch; then @p is the place of both. */
void wm_page_map_join(struct wm_page_map *m, struct wm_page_place *p,
		      uint32_t epoch);

static inline struct wm_page_part *wm_page_parts(struct wm_page_stretch *s)
{
	return s->part ? s->part : &s->one;
}

/* In epoch @now there was no more of it than now. */
static inline void wm_page_part_begin(struct wm_page_part *p, uint32_t now)
{
	if (p->epoch == now)
		return;
	p->epoch = now;
	p->most = p->now;
}

/* The part of @owner, made when it is new; NULL: no memory. */
struct wm_page_part *wm_page_part_of(struct wm_page_stretch *s, uint32_t owner);
/* Part number @i is gone; the last one takes its number. */
void wm_page_part_remove(struct wm_page_stretch *s, uint32_t i);

#endif
