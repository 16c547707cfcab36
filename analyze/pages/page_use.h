/* SPDX-License-Identifier: Apache-2.0 */
/* The users of memory: combines owners of bytes (call paths, variables) with
 * the pages that a process accesses, epoch by epoch.  Input: blocks that are
 * allocated and freed, and the pages accessed in each epoch.  Output: struct
 * wm_page_owner.  A page counts for each owner that had bytes on it alive at
 * some time in the epoch, as any of these bytes may have been touched.  Only
 * stretches that changed since the last epoch are counted again.  One thread at
 * a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/pages/page_map.h"
#include "analyze/lib/trace/read_epochs.h"

/* Kinds of pages without owners, by the memory that covers the page. */
enum wm_page_other {
	WM_PAGE_OTHER, /* unknown */
	WM_PAGE_OTHER_BREAK, /* the allocator's own */
	WM_PAGE_OTHER_MAPPING,
	WM_PAGE_OTHER_STATIC,
	WM_PAGE_OTHER_TLS,
	WM_PAGE_OTHER_STACK,
	WM_PAGE_OTHERS, /* owners that exist from the start */
};

/* Bytes, unless noted; epochs as in wm_page_stretch. */
struct wm_page_owner {
	uint32_t key; /* of the caller */
	uint8_t kind; /* of the caller */
	uint64_t most; /* alive at one time */
	uint64_t watched; /* of .most, in covered memory */
	uint64_t touched, written; /* alive at one time */
	/* alive at one time and never touched; freed ones: never in their
	 * life */
	uint64_t untouched;
	uint64_t last_epoch; /* accessed in the last epoch */
	uint64_t median_epoch; /* accessed, median by time */
	uint32_t first, last, last_write; /* epochs with an access */
	uint64_t page_epochs, written_page_epochs;
	double byte_time; /* on accessed pages, by weight of epochs */
	uint64_t shared_page_epochs; /* with other owners on the page */
	/* at the end: alive; never touched.  With blocks freed in the last
	 * quarter of the time: touched, but not in the second half; accessed in
	 * the second half, but not written in it */
	uint64_t end, end_untouched, cold, read_only;
	uint32_t cold_since, read_only_since; /* last epoch with an access */
	uint64_t alive, touched_now, written_now;
	/* in an epoch like the last one */
	uint64_t accessed, pages, written_pages, shared_pages;
	uint64_t touched_high, written_high; /* freed within this epoch */
	uint64_t counted; /* of .watched */
	bool active; /* has pages, or had them in this epoch */
	/* set by the caller: all bytes are watched */
	bool anywhere;
	/* freed blocks (page_past.h) */
	struct wm_page_past {
		uint32_t since, died; /* epochs */
		uint32_t accessed, written; /* in its life; 0: never */
		uint64_t bytes;
	} * past;
	size_t pasts, past_cap, past_limit;
	struct wm_page_share {
		uint64_t bytes, weight;
	} * in_epoch; /* accessed, in epochs with an access */
	size_t epochs, epoch_cap;
};

/* Touched bytes of a block that moves, from its start. */
struct wm_touched_run {
	uint64_t from, to;
	bool written;
};

struct wm_page_use {
	struct wm_page_map map;
	struct wm_page_owner *owner;
	size_t owners, owner_cap;
	uint32_t *active; /* owners */
	size_t actives, active_cap;
	/* of the epoch before: accessed and written; changed by blocks in this
	 * epoch; to be counted again in this epoch, and in the next one */
	struct wm_page_set accessed, written, changed, work, later;
	struct wm_page_death *death; /* in this epoch */
	size_t deaths, death_cap;
	struct wm_touched_run *run; /* of a block that moves */
	size_t runs, run_cap;
	unsigned shift; /* of a page */
	uint32_t now; /* current epoch, from 1 */
	const struct wm_covered *covered;
	size_t covered_count, covered_at;
	uint64_t shared_pages; /* in an epoch like the last one */
	size_t swept; /* stretches left by the last sweep */
	uint64_t *weight; /* sum before each epoch, and of all */
	size_t weight_cap;
	uint64_t page_epochs, shared_page_epochs;
	uint64_t touched_pages, written_pages; /* ever */
};

/* Pages have 1 << @shift bytes. */
enum wm_status wm_page_use_init(struct wm_page_use *u, unsigned shift,
				struct wm_err *err);
void wm_page_use_release(struct wm_page_use *u);
/* Returns the number of a new owner, or UINT32_MAX without memory. */
uint32_t wm_page_use_owner(struct wm_page_use *u, uint8_t kind, uint32_t key);
/* Adds a block.  @since is the current epoch or, if the block replaces another
 * one in place, the epoch in which that one was added. */
enum wm_status wm_page_use_gain(struct wm_page_use *u, uint32_t owner,
				uint64_t addr, uint64_t bytes, uint32_t since,
				struct wm_err *err);
/* Removes a block added in epoch @since.  @dies: its bytes do not live on in
 * another block. */
enum wm_status wm_page_use_lose(struct wm_page_use *u, uint32_t owner,
				uint64_t addr, uint64_t bytes, uint32_t since,
				bool dies, struct wm_err *err);
/* Replaces @old, added in epoch @since, by @block when realloc moves bytes. */
struct wm_page_owned {
	uint32_t owner;
	uint64_t addr, bytes;
};
enum wm_status wm_page_use_move(struct wm_page_use *u,
				const struct wm_page_owned *old, uint32_t since,
				const struct wm_page_owned *block,
				struct wm_err *err);
/* Sets the ranges covered from now on; they are in order and borrowed. */
void wm_page_use_cover(struct wm_page_use *u, const struct wm_covered *covered,
		       size_t count);
/* Ends the epoch; @weight is not 0. */
enum wm_status wm_page_use_epoch(struct wm_page_use *u,
				 const struct wm_page_set *accessed,
				 const struct wm_page_set *written,
				 uint64_t weight, struct wm_err *err);
/* Returns the number of pages written in @epoch or later. */
uint64_t wm_page_use_written_since(const struct wm_page_use *u, uint32_t epoch);
/* Lets @owner count at the end of the epoch; returns NULL without memory.  Only
 * for page_use.c and page_epochs.c. */
struct wm_page_owner *wm_page_use_active(struct wm_page_use *u, uint32_t owner);
enum wm_status wm_page_use_finish(struct wm_page_use *u, struct wm_err *err);
