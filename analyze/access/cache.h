/* SPDX-License-Identifier: Apache-2.0 */
/* Simulates caches for loads and stores: set-associative, least recently used,
 * stores allocate.  Each level except the last belongs to one thread; with
 * several levels, all threads share the last one, in the order of the accesses.
 * A level is searched for lines that all levels before it missed, and keeps
 * these lines even if another level evicts them.  Nothing is prefetched, and a
 * thread's stores take no lines from other threads' caches.  One thread at a
 * time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/cache_shape.h"
#include "analyze/lib/base/index.h"

/* For loads [0] and stores [1]; WMA_MODIFY is a load and then a store. */
struct wm_cache_counts {
	uint64_t lines[2]; /* accesses times lines */
	uint64_t misses[2][WM_CACHE_LEVELS];
};

struct wm_cache {
	uint64_t *tag; /* by set, latest first: line + 1; 0: empty */
	uint32_t sets, ways;
	uint32_t mask; /* of sets that are a power of two, or UINT32_MAX */
	uint32_t shift; /* from an address to its line */
};

struct wm_cache_thread {
	uint64_t number;
	uint64_t last; /* last line touched in the first level, + 1 */
	struct wm_cache own[WM_CACHE_LEVELS]; /* .tag NULL: not made yet */
};

struct wm_caches {
	struct wm_cache_shape shape;
	unsigned own_levels; /* levels that each thread has */
	struct wm_cache shared;
	struct wm_cache_thread *thread;
	size_t threads, thread_cap, current;
	uint64_t memory; /* bytes of the threads' caches */
	struct wm_index index; /* of thread[] */
	struct wm_cache_counts *cell;
	size_t cells;
};

enum wm_status wm_caches_init(struct wm_caches *c,
			      const struct wm_cache_shape *shape,
			      struct wm_err *err);
void wm_caches_release(struct wm_caches *c);
/* The next accesses are by thread @number. */
enum wm_status wm_caches_thread(struct wm_caches *c, uint64_t number,
				struct wm_err *err);
/* The current thread has no more accesses. */
void wm_caches_thread_ends(struct wm_caches *c);
/* Makes counts for cells below @cells. */
enum wm_status wm_caches_room(struct wm_caches *c, size_t cells,
			      struct wm_err *err);
/* @kind is WMA_READ, WMA_WRITE or WMA_MODIFY; @cell must have counts. */
void wm_caches_access(struct wm_caches *c, uint64_t addr, uint64_t bytes,
		      unsigned kind, uint32_t cell);
