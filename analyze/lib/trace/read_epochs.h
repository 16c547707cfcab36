/* SPDX-License-Identifier: Apache-2.0 */
/* Page accesses, epoch by epoch (blocks PAGES: docs/trace-format.md, 6.10).
 * reader.c notes only the places of the blocks; their epochs are read here.
 * Memory grows with the ranges of pages in one epoch.  One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/read_page_sets.h"
#include "analyze/lib/trace/page_touches.h"
#include "analyze/lib/trace/reader.h"

struct wm_epoch {
	uint64_t number; /* from 0; some may be missing */
	uint64_t end; /* ns since the start of the process */
	uint64_t ticks; /* `end` as a stamp of events */
	uint64_t cpu; /* CPU time in ns since the process began */
	uint64_t cpu_step;
	uint64_t accessed, written, resident, covered; /* pages */
	uint64_t scan; /* ns that the scan took */
	bool written_alone; /* reads are unknown: accessed equals written */
	bool hooked; /* from the program's hooks, not from the kernel */
};

/* Returns an epoch's weight in means and medians: CPU time, but not 0. */
static inline uint64_t wm_epoch_weight(const struct wm_epoch *e)
{
	return e->cpu_step ? e->cpu_step : 1;
}

/* Watched pages; kind: WMT_COVERED_*, or a later version's. */
struct wm_covered {
	struct wm_page_range range;
	uint64_t kind;
};

/* Memory that is not watched; what: WMT_NOT_COVERED_*, or a later version's. */
struct wm_not_covered {
	uint64_t what, bytes;
};

struct wm_epochs {
	const struct wm_trace *t;
	struct wm_source src;
	size_t block;
	uint64_t left;
	struct wm_stream columns;
	struct wm_column numbers; /* EPOCHS */
	struct wm_page_column accessed_column, written_column;
	struct wm_page_set before, places;
	bool first; /* the next epoch is the first of its block */

	/* the current epoch */
	struct wm_epoch epoch;
	struct wm_page_set accessed, written;
	/* lists of its block */
	struct wm_covered *covered;
	size_t covered_count, covered_cap;
	struct wm_not_covered *not_covered;
	size_t not_covered_count, not_covered_cap;
	/* the threads that touched its pages, where known */
	struct wm_page_touches touches;
};

/* For reader.c: notes a block PAGES with head @h.  Returns
 * WM_BAD_INPUT if the block cannot follow the blocks before it. */
enum wm_status wm_epochs_note(struct wm_trace *t, const struct wm_head *h,
			      const struct wm_page_block *where,
			      struct wm_err *err);

void wm_epochs_open(struct wm_epochs *e, const struct wm_trace *t);
/* Reads the next epoch, or returns WM_END.  Returns WM_BAD_INPUT if the epoch's
 * block is damaged, which ends the readable part of the file. */
enum wm_status wm_epochs_next(struct wm_epochs *e, struct wm_err *err);
void wm_epochs_release(struct wm_epochs *e);
