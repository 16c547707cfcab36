/* SPDX-License-Identifier: Apache-2.0 */
/* The facts about the pages of one process after its trace has been read.  Owns
 * its arrays and text.  Numbers count pages, or bytes if their name says so. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/pages/page_chart.h"
#include "analyze/pages/page_use.h"

/* Over all epochs; without epochs, pages were not watched. */
struct wm_page_totals {
	uint64_t epochs, missing; /* lost with blocks */
	uint64_t written_alone; /* epochs with unknown reads */
	uint64_t page_bytes;
	uint64_t interval_ns; /* of CPU time; 0: a budget */
	uint64_t accessed_most;
	/* pages * ns, weighted by CPU time, and the sum of ns */
	double accessed_time, written_time, time;
	/* of the longest and of the last epoch; end of the longest */
	uint64_t longest_ns, last_ns, longest_end_ns;
	uint64_t resident_most;
	uint64_t covered; /* in the last epoch */
	uint64_t touched, written; /* ever */
	uint64_t page_epochs, shared_page_epochs;
	uint64_t cpu_ns, scan_ns;
	/* cost of watching up to some epoch, and the CPU time then */
	struct wm_watch_cost watch;
	uint64_t watch_cpu_ns;
};

/* Stores the most bytes of one epoch; returns false if reads are unknown. */
static inline bool wm_working_set(const struct wm_page_totals *t,
				  uint64_t *bytes)
{
	*bytes = t->accessed_most * t->page_bytes;
	return t->epochs && !t->written_alone;
}

/* Returns the mean pages of an epoch from @time, one of the sums above. */
uint64_t wm_page_totals_mean(const struct wm_page_totals *t, double time);
/* Returns the estimated CPU time of all watching, in ns, or 0 if unknown.
 * Costs measured with and without watching were from *@least to *@most, with
 * bounds for page faults and for slower code after them.  Both may be NULL. */
uint64_t wm_page_totals_cost(const struct wm_page_totals *t, uint64_t *least,
			     uint64_t *most);
/* Called before the first epoch. */
void wm_page_totals_begin(struct wm_page_totals *t, const struct wm_trace *of);
/* @end_ns is the end of @e on the clock of the job. */
void wm_page_totals_add(struct wm_page_totals *t, const struct wm_epoch *e,
			uint64_t end_ns);

struct wm_page_epoch {
	uint64_t end_ns; /* on the clock of the job */
	uint64_t cpu_ns; /* of the process, since its start */
	uint64_t weight; /* wm_epoch_weight() */
	uint64_t accessed, written, resident, covered;
	uint64_t allocated_bytes; /* alive at its end */
};

/* Pages written between two checkpoints, in the epochs that end there. */
struct wm_page_interval {
	uint64_t from_ns, to_ns; /* on the clock of the job */
	uint64_t epochs;
	uint64_t written; /* each page once */
};

/* A block of a page or more, at its place at some time. */
struct wm_block_at {
	uint64_t addr, bytes;
	uint32_t path;
};

/* Only for the rank of the report. */
struct wm_pages {
	struct wm_page_epoch *epoch;
	size_t epochs, epoch_cap;
	/* kind: enum wm_family, key: call path; not for the first
	 * WM_PAGE_OTHERS */
	struct wm_page_owner *owner;
	size_t owners;
	struct wm_page_interval *interval; /* if asked for */
	size_t intervals, interval_cap;
	struct wm_page_chart chart; /* if asked for */
	struct wm_not_covered *not_covered; /* at the end */
	size_t not_covered_count;
	char *end; /* why epochs end before the process, or NULL */
	/* pass blocks: each block once, and the number of blocks left out */
	struct wm_block_at *block;
	size_t blocks;
	uint64_t blocks_left_out;
};

void wm_pages_wire(struct wm_wire *w, struct wm_pages *p);
void wm_pages_release(struct wm_pages *p);
