/* SPDX-License-Identifier: Apache-2.0 */
/* The live blocks: a hash table from address to size and call path, with open
 * addressing and linear probing without tombstones.  It is at most half full,
 * or three quarters full when it is large.  A block takes sixteen bytes; blocks
 * of 4 GiB and more have their size in a second table.  The hot functions are
 * inline.  One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_live_slot {
	uint64_t addr; /* 0: empty */
	uint32_t path;
	uint32_t size; /* WM_LIVE_BIG: the size is in the table `big` */
};

#define WM_LIVE_BIG UINT32_MAX
#define WM_LIVE_HASH 0x9e3779b97f4a7c15u

struct wm_live {
	struct wm_live_slot *slot;
	uint64_t *alloc_time; /* ticks, of each slot; NULL: not wanted */
	size_t mask; /* slots - 1 */
	size_t count, limit;
	unsigned shift;
	struct wm_live *big; /* path and size are high and low half of a size */
};

/* Returns the number of blocks that may be alive at one time in a file of
 * @bytes bytes: @asked, the user's bound, unless it is 0.  A small file must
 * not need much memory (docs/trace-format.md, 6.9). */
uint64_t wm_live_bound(uint64_t bytes, uint64_t asked);
/* Likewise, but never below the default, for other bounds of this kind. */
uint64_t wm_live_plenty(uint64_t bytes, uint64_t asked);

/* These functions return -1 without memory. */
int wm_live_init(struct wm_live *l);
/* Gives blocks allocation times from now on.  The table must be empty. */
int wm_live_want_alloc_times(struct wm_live *l);
void wm_live_release(struct wm_live *l);
/* Makes room for @n more blocks, which wm_live_put() needs. */
int wm_live_reserve(struct wm_live *l, size_t n);

int wm_live_big_put(struct wm_live *l, uint64_t addr, uint64_t size);
uint64_t wm_live_big_take(struct wm_live *l, uint64_t addr);
/* Returns the size of the block in slot @s. */
uint64_t wm_live_size(const struct wm_live *l, const struct wm_live_slot *s);

static inline size_t wm_live_home(const struct wm_live *l, uint64_t addr)
{
	return (size_t)((addr * WM_LIVE_HASH) >> l->shift);
}

/* Returns the slot of @addr, or the empty slot where @addr belongs. */
static inline struct wm_live_slot *wm_live_find(const struct wm_live *l,
						uint64_t addr)
{
	size_t i = wm_live_home(l, addr);

	while (l->slot[i].addr && l->slot[i].addr != addr)
		i = (i + 1) & l->mask;
	return &l->slot[i];
}

/* Fills the empty slot @s from wm_live_find().  Returns -1 without memory. */
static inline int wm_live_put(struct wm_live *l, struct wm_live_slot *s,
			      uint64_t addr, uint64_t size, uint32_t path)
{
	s->addr = addr;
	s->path = path;
	l->count++;
	if (__builtin_expect(size >= WM_LIVE_BIG, 0)) {
		s->size = WM_LIVE_BIG;
		return wm_live_big_put(l, addr, size);
	}
	s->size = (uint32_t)size;
	return 0;
}

/* Returns 0 without allocation times. */
static inline uint64_t wm_live_alloc_time(const struct wm_live *l,
					  const struct wm_live_slot *s)
{
	return l->alloc_time ? l->alloc_time[s - l->slot] : 0;
}

static inline void wm_live_set_alloc_time(struct wm_live *l,
					  const struct wm_live_slot *s,
					  uint64_t time)
{
	if (l->alloc_time)
		l->alloc_time[s - l->slot] = time;
}

/* Likewise, for a slot that is erased or refilled next. */
static inline uint64_t wm_live_take_size(struct wm_live *l,
					 const struct wm_live_slot *s)
{
	if (__builtin_expect(s->size == WM_LIVE_BIG, 0))
		return wm_live_big_take(l, s->addr);
	return s->size;
}

/* Empties the occupied slot @s; slots behind it move up. */
static inline void wm_live_erase(struct wm_live *l, struct wm_live_slot *s)
{
	size_t hole = (size_t)(s - l->slot), i = hole;

	for (;;) {
		size_t home;

		i = (i + 1) & l->mask;
		if (!l->slot[i].addr)
			break;
		home = wm_live_home(l, l->slot[i].addr);
		if (((i - home) & l->mask) >= ((i - hole) & l->mask)) {
			l->slot[hole] = l->slot[i];
			if (l->alloc_time)
				l->alloc_time[hole] = l->alloc_time[i];
			hole = i;
		}
	}
	l->slot[hole].addr = 0;
	l->count--;
}
