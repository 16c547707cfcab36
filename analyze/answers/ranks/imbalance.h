/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How memory is spread over ranks, nodes and time: the common basis of text,
 * JSON, CSV and the picture of --imbalance.
 *
 * It is made from an analysis with the passes heap, timeline and node, and with
 * the uses of the worst rank, of the best rank and of the sum.  It borrows from
 * the analysis and must be released first.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/need/job_need.h"
#include "analyze/answers/heap/profile.h"

#define WM_PERCENTILES 5
extern const unsigned wm_percentile[WM_PERCENTILES];

/* A site whose bytes at the peak of a rank differ from the mean of ranks. */
struct wm_site_difference {
	const char *name, *file; /* of the site; .file NULL: unknown */
	uint32_t line; /* 0: unknown */
	const char *path; /* the call path of the site that differs most */
	/* the difference of .path, times the number of ranks */
	uint64_t most;
	uint64_t bytes, mean;
	int64_t difference; /* bytes - mean */
};

/* The mean is taken over the ranks of the phase in which the rank has its peak,
 * each at its highest moment in that phase.  Without phases it is taken over
 * all ranks at their own peaks, which may be at quite different moments. */
struct wm_site_differences {
	struct wm_site_difference *site; /* largest difference first */
	size_t count;
	const char *phase; /* NULL: no phase, ranks are at their own peaks */
	uint64_t ranks; /* ranks over which the mean is taken */
	uint64_t mean; /* of all bytes of these ranks */
	struct wm_profile profile; /* owns the names */
};

struct wm_node_row {
	const struct wm_node_peak *node_peak;
	const char *host; /* "?" when unknown */
	double seconds; /* of the peak, on the clock of the job */
	uint64_t sum_of_peaks;
	uint64_t static_bytes;
	size_t unknown_static; /* ranks without a census */
	uint64_t low, high; /* peak and static memory, shared memory once */
	uint64_t shared; /* resident shared memory */
	/*
	 * Sums over the ranks of the node, each at its own highest; 0: unknown
	 * for some rank. .allocator: memory that the C library's allocator had
	 * from the system, plus mappings, static memory and the like.
	 * .resident: resident sets without the tool's part.  Shared memory
	 * counts once.
	 */
	uint64_t allocator, resident;
	struct wm_node_need need;
	/* sum over the ranks of the most bytes that each accessed in one epoch;
	 * 0: pages of some rank were not watched, or its reads are unknown */
	uint64_t working_set;
	bool lower_bound; /* ranks or events may be missing */
};

/* Bytes of ranks over time. */
struct wm_heatmap {
	double bin; /* seconds */
	size_t bins, rows;
	/* row by row; WM_NO_CELL: no rank ran then */
	uint64_t *cell;
	uint64_t high;
};
#define WM_NO_CELL UINT64_MAX
#define WM_HEATMAP_BINS 128 /* columns of the map of --imbalance */

/* The most that each rank accessed in one epoch, as far as it is known. */
struct wm_working_sets {
	size_t ranks; /* ranks for which it is known */
	size_t max, min; /* indexes of ranks */
	uint64_t high, low;
	double mean;
};

struct wm_imbalance {
	struct wm_working_sets sets;
	uint64_t percentile[WM_PERCENTILES];
	struct wm_site_differences worst, best;
	struct wm_site_differences chosen; /* wm_imbalance_choose() */
	struct wm_node_row *node; /* as in the analysis, without empty nodes */
	size_t nodes;
	size_t top; /* index of the node with the highest total */
	struct wm_heatmap map; /* one row for each rank */
	uint64_t node_memory; /* --node-memory; 0: not given */
	struct wm_job_need needs;
};

/* @node_memory: bytes of a node; 0: not given. */
enum wm_status wm_imbalance_make(struct wm_imbalance *m,
				 const struct wm_analysis *a,
				 uint64_t node_memory, struct wm_err *err);
/* Adds the reasons for the rank of --rank, in .chosen. */
enum wm_status wm_imbalance_choose(struct wm_imbalance *m,
				   const struct wm_analysis *a,
				   struct wm_err *err);
void wm_imbalance_release(struct wm_imbalance *m);
/* Finds a rank's bytes at the peak of its node, or returns false. */
bool wm_rank_at_node_peak(const struct wm_analysis *a, const struct wm_rank *r,
			  uint64_t *bytes);

/* heatmap.c: fills @h with the timelines of the ranks, as rows of @bins columns
 * over one time axis.  The caller frees @h->cell. */
enum wm_status wm_heatmap_fill(struct wm_heatmap *h,
			       const struct wm_analysis *a, size_t bins,
			       struct wm_err *err);
/* Returns the most bytes of rows [@from, @to) in a bin, or WM_NO_CELL. */
uint64_t wm_heatmap_most(const struct wm_heatmap *h, size_t from, size_t to,
			 size_t bin);
enum wm_node_fit {
	WM_NODE_FIT_UNKNOWN,
	WM_NODE_TOO_SMALL, /* the need is more than --node-memory */
	/* the need with the margin is known and no more than --node-memory */
	WM_NODE_FITS,
};
enum wm_node_fit wm_node_fits(const struct wm_imbalance *m,
			      const struct wm_node_row *n);
