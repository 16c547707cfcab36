/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dictionary of call paths gives each distinct path a number.
 *
 * A known path is looked up without a lock.  The dictionary is bounded: when it
 * is full, the writer writes the pending paths and resets it, and a new
 * generation of numbers begins.  Number 0 of each generation is the empty path,
 * which represents paths that could not be kept.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/callpath/modules.h"

struct wmw_head;

/* The highest and the lowest limit of the dictionary, tables included. */
#define WM_PATHDB_MAX ((size_t)28 << 20)
#define WM_PATHDB_MIN ((size_t)256 << 10)

#define WM_PATHDB_FULL UINT32_MAX
#define WM_PATHDB_NONE (UINT32_MAX - 1) /* no memory for a dictionary */
#define WM_PATHDB_SEND (UINT32_MAX - 2) /* the crash buffer is full */

struct wm_path {
	struct wm_path *next; /* in order of numbers */
	uint32_t number, depth;
	uint32_t node; /* frame_tree.h: its innermost frame; 0: none */
	uint32_t shared; /* outer frames that the path before it has, too */
};

/* Returns the number of frames that no path before @p has.  Paths before @p
 * have @before frames in all; nodes are numbered from 1 on, in the order of
 * paths. */
static inline uint32_t wm_path_own(const struct wm_path *p, uint32_t before)
{
	return p->node > before ? p->node - before : 0;
}

/*
 * A path is recognized by its hash, which is made from the depth and the
 * weighted sum of the return addresses.  Two given paths have the same hash
 * with a probability of 2^-64 times the lowest power of two in the difference
 * of their addresses: for 100,000 paths with odd differences, 10^-9 in all.
 * WM_UNWIND=check compares the frames, too.
 */
struct wm_path_entry {
	_Atomic uint64_t hash; /* 0: free, even: dropped; stored after value */
	_Atomic uint64_t value; /* generation, number: 32 bits each */
};

/* A larger table may replace this one, which stays readable. */
struct wm_path_table {
	uint32_t bits;
	struct wm_path_entry entry[];
};
extern _Atomic(struct wm_path_table *) wm_path_table wm_hidden;

/* Returns the number of a known path and stores its generation, or returns
 * WM_PATHDB_FULL.  Any thread may call this; it takes no lock. */
static inline uint32_t wm_pathdb_find(uint64_t hash, uint32_t *generation)
{
	const struct wm_path_table *t =
		atomic_load_explicit(&wm_path_table, memory_order_acquire);
	const struct wm_path_entry *e;
	uint32_t at, mask;
	uint64_t h, value;

	if (wm_unlikely(!t))
		return WM_PATHDB_FULL;
	mask = (1u << t->bits) - 1;
	hash |= 1;
	at = (uint32_t)(hash >> (-t->bits & 63)); /* the upper bits */
	for (;; at = (at + 1) & mask) {
		e = &t->entry[at];
		h = atomic_load_explicit(&e->hash, memory_order_acquire);
		if (wm_likely(h == hash))
			break;
		if (!h)
			return WM_PATHDB_FULL;
	}
	value = atomic_load_explicit(&e->value, memory_order_acquire);
	/* The table may have been emptied and filled again meanwhile. */
	if (wm_unlikely(atomic_load_explicit(&e->hash, memory_order_relaxed) !=
			hash))
		return WM_PATHDB_FULL;
	*generation = (uint32_t)(value >> 32);
	return (uint32_t)value;
}

/*
 * Returns the path's number and stores its generation; a new path is added.
 * Returns WM_PATHDB_FULL if a new generation has to begin first, WM_PATHDB_NONE
 * without memory, and WM_PATHDB_SEND if the writer has to write paths first, so
 * that the new path outlives the process.  With @without it may be lost with
 * the process.  Any thread may call this.
 */
uint32_t wm_pathdb_number(const uint64_t *frames, size_t depth, uint64_t hash,
			  bool without, uint32_t *generation) wm_hidden;

/* For WM_UNWIND=check: returns false if path @number is known with other
 * frames. */
bool wm_pathdb_agrees(uint32_t number, uint32_t generation,
		      const uint64_t *frames, size_t depth) wm_hidden;

bool wm_pathdb_leads(const struct wm_path *first, const struct wm_path *last,
		     const struct wm_code_range *ranges,
		     size_t count) wm_hidden;
/* Drops all paths through @ranges, where another library may be mapped. */
void wm_pathdb_drop(const struct wm_code_range *ranges, size_t count) wm_hidden;

/* Returns the first unsent path, or NULL, and the newest path.  The caller
 * holds the writer lock. */
const struct wm_path *wm_pathdb_unsent(const struct wm_path **last) wm_hidden;
/* Marks all paths up to and including @last as sent. */
void wm_pathdb_sent(const struct wm_path *last) wm_hidden;
/* The caller holds the writer lock. */
uint32_t wm_pathdb_frames_sent(void) wm_hidden;
uint32_t wm_pathdb_generation(void) wm_hidden;
/* Makes @w the crash buffer: each new path is entered in it before an event can
 * refer to the path.  Returns false if too many paths are unsent. */
bool wm_pathdb_publish(struct wmw_head *w) wm_hidden;
void wm_pathdb_forget(void) wm_hidden;
/* Begins a new generation.  Returns false, and changes nothing, if paths were
 * added after @last.  The caller holds the writer lock. */
bool wm_pathdb_reset(const struct wm_path *last) wm_hidden;
