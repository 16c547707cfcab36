/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dictionary of call paths: each distinct one gets a number.
 *
 * Looking up a known path takes no lock.  The dictionary is bounded; when it is
 * full the writer writes the pending paths and resets it, and a new generation
 * of numbers begins.  Number 0 of every generation is the empty path, which
 * represents a path that could not be kept.
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
	uint32_t shared; /* outer frames in common with the path with the
			  * number before */
};

/* Returns the number of frames that @p has and no path before it has.  Paths
 * before @p have @before frames in all.  The nodes of a tree are numbered from
 * 1 on, in the order of its paths. */
static inline uint32_t wm_path_own(const struct wm_path *p, uint32_t before)
{
	return p->node > before ? p->node - before : 0;
}

/*
 * A path is recognized by its hash (wm_path_mix()), which is made from the
 * depth and from the sum of the return addresses, each multiplied by a fixed
 * 64-bit number of its place.  The probability that two given paths have the
 * same hash is 2^-64 times the lowest power of two in the difference of their
 * addresses: for 100,000 paths, with 10^10 pairs whose differences are odd,
 * 10^-9 in all.  WM_UNWIND=check compares the frames, too.
 */
struct wm_path_entry {
	_Atomic uint64_t hash; /* 0: free, even: dropped; released after
				* value */
	_Atomic uint64_t value; /* generation, number: 32 bits each */
};

/* A table grows with the paths; the smaller table before it stays readable. */
struct wm_path_table {
	uint32_t bits;
	struct wm_path_entry entry[];
};
extern _Atomic(struct wm_path_table *) wm_path_table wm_hidden;

/* Returns the number of a known path in *@generation, or WM_PATHDB_FULL if the
 * path is not known or this is uncertain.  Any thread may call this; it takes
 * no lock. */
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
	at = (uint32_t)(hash >> (-t->bits & 63)); /* the upper ones */
	for (;; at = (at + 1) & mask) {
		e = &t->entry[at];
		h = atomic_load_explicit(&e->hash, memory_order_acquire);
		if (wm_likely(h == hash))
			break;
		if (!h)
			return WM_PATHDB_FULL;
	}
	value = atomic_load_explicit(&e->value, memory_order_acquire);
	/* the table may have been emptied and filled again meanwhile */
	if (wm_unlikely(atomic_load_explicit(&e->hash, memory_order_relaxed) !=
			hash))
		return WM_PATHDB_FULL;
	*generation = (uint32_t)(value >> 32);
	return (uint32_t)value;
}

/*
 * Returns the number of the path in *@generation, and adds a new path.  Returns
 * WM_PATHDB_FULL if a new generation has to begin first, and WM_PATHDB_NONE if
 * there is no memory.  Returns WM_PATHDB_SEND if the writer has to write paths
 * first, so that the new path outlives the process; @without allows that the
 * path is lost with the process.  Any thread may call this.
 */
uint32_t wm_pathdb_number(const uint64_t *frames, size_t depth, uint64_t hash,
			  bool without, uint32_t *generation) wm_hidden;

/* For WM_UNWIND=check: returns false if path @number of @generation is still
 * known and has other frames. */
bool wm_pathdb_agrees(uint32_t number, uint32_t generation,
		      const uint64_t *frames, size_t depth) wm_hidden;

/* Returns whether a path from @first to @last leads through one of @ranges. */
bool wm_pathdb_leads(const struct wm_path *first, const struct wm_path *last,
		     const struct wm_code_range *ranges,
		     size_t count) wm_hidden;
/* Drops all paths through these @ranges, where another library may be mapped:
 * the same addresses will be other paths, with new numbers. */
void wm_pathdb_drop(const struct wm_code_range *ranges, size_t count) wm_hidden;

/* Returns the first unsent path, or NULL, and stores the newest path in *@last.
 * The caller holds the writer lock. */
const struct wm_path *wm_pathdb_unsent(const struct wm_path **last) wm_hidden;
/* Marks all paths up to and including @last as sent. */
void wm_pathdb_sent(const struct wm_path *last) wm_hidden;
/* Returns the number of frames of all sent paths.  Under the writer lock. */
uint32_t wm_pathdb_frames_sent(void) wm_hidden;
uint32_t wm_pathdb_generation(void) wm_hidden;
/* Makes @w the crash buffer: from now on a new path is entered in it before an
 * event can refer to the path.  Returns false if too many paths are unsent. */
bool wm_pathdb_publish(struct wmw_head *w) wm_hidden;
/* Called in a traced child: begins with an empty dictionary. */
void wm_pathdb_forget(void) wm_hidden;
/* Forgets everything and begins a new generation.  Returns false, and changes
 * nothing, if paths were added after @last.  The caller holds the writer lock. */
bool wm_pathdb_reset(const struct wm_path *last) wm_hidden;
