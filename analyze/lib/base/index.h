/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table of numbers, each of which denotes an object of the caller.
 *
 * The table knows only numbers and hashes, so that it can grow by itself.  To
 * find the number of an object:
 *
 *	WM_INDEX_EACH(s, x, hash)
 *		if (is_it(s->number - 1))
 *			break;
 *
 * An empty slot ends the search, and is the place for a new number.  A zeroed
 * table is empty, and needs wm_index_room() first.  One thread at a time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct wm_index {
	struct wm_index_slot {
		uint32_t number; /* plus 1; 0: empty */
		uint32_t hash;
	} * slot;
	size_t size; /* a power of two, or 0 */
	size_t count;
};

#define WM_HASH_START 0xcbf29ce484222325u

/* Continues the FNV-1a hash @h with @n bytes. */
static inline uint64_t wm_hash_bytes(uint64_t h, const void *p, size_t n)
{
	const unsigned char *c = p;

	while (n--)
		h = (h ^ *c++) * 0x100000001b3u;
	return h;
}

/* Returns the hash of a key: a number, or a result of wm_hash_bytes(). */
static inline uint32_t wm_index_hash(uint64_t key)
{
	return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32);
}

/* Makes space for one more number; returns -1, unchanged, without memory. */
int wm_index_room(struct wm_index *x);
void wm_index_release(struct wm_index *x);

static inline struct wm_index_slot *wm_index_probe(const struct wm_index *x,
						   size_t at, uint32_t hash)
{
	for (;; at++) {
		struct wm_index_slot *s = &x->slot[at & (x->size - 1)];

		if (!s->number || s->hash == hash)
			return s;
	}
}

/* Returns the first slot with @hash, or the empty slot behind all of them. */
static inline struct wm_index_slot *wm_index_first(const struct wm_index *x,
						   uint32_t hash)
{
	return wm_index_probe(x, hash, hash);
}

static inline struct wm_index_slot *wm_index_next(const struct wm_index *x,
						  const struct wm_index_slot *s)
{
	return wm_index_probe(x, (size_t)(s - x->slot) + 1, s->hash);
}

/* Sets @s to each slot with @hash, and then to the empty slot behind them. */
#define WM_INDEX_EACH(s, x, hash)                                              \
	for ((s) = wm_index_first(x, hash); (s)->number;                       \
	     (s) = wm_index_next(x, s))

static inline void wm_index_put(struct wm_index *x, struct wm_index_slot *s,
				uint32_t hash, size_t number)
{
	s->hash = hash;
	s->number = (uint32_t)number + 1;
	x->count++;
}
