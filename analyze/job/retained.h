/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the ranks whose call paths are retained while ranks are read, as a
 * run may have thousands of ranks: only those that the report asks for, and the
 * sum of all ranks, if it asks for the sum.  In the end all of them refer to
 * one table of paths, wm_analysis.paths.  Used only by wm_analysis_read(),
 * which delivers ranks in order, one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/request.h"
#include "analyze/job/sum.h"
#include "analyze/passes/annotations.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/trace/paths.h"

/* X(name): the user's rank (--rank), ranks by peak and by place, the sum. */
#define WM_RETAINED_LIST(X)                                                    \
	X(chosen)                                                              \
	X(max)                                                                 \
	X(min)                                                                 \
	X(first)                                                               \
	X(spread_1)                                                            \
	X(spread_2)                                                            \
	X(spread_3)                                                            \
	X(spread_4)                                                            \
	X(spread_5)                                                            \
	X(spread_6)                                                            \
	X(all)

#define WM_RETAINED_X(name) WM_RETAINED_##name,
enum wm_retained_id { WM_RETAINED_LIST(WM_RETAINED_X) WM_RETAINED_COUNT };
#undef WM_RETAINED_X

/* A set of retained ranks has these bits. */
#define WM_RETAINS(name) (1u << WM_RETAINED_##name)

/* The spread ranks; in a job of WM_SPREAD ranks these are all ranks. */
#define WM_SPREAD (WM_RETAINED_all - WM_RETAINED_spread_1)
#define WM_RETAINS_SPREAD (WM_RETAINS(all) - WM_RETAINS(spread_1))

/* Each rank of a job of at most WM_EACH_RANKS ranks, or WM_EACH_RANKS ranks
 * that are spread over a larger job.  wm_analysis.each has their call paths and
 * phases. */
#define WM_RETAINS_EACH (1u << WM_RETAINED_COUNT)
#define WM_EACH_RANKS 64

#define WM_ALL_RANKS SIZE_MAX

/* A rank with its own .use; the analysis may own its other data. */
struct wm_each {
	size_t rank;
	const struct wm_annotations *annotations;
	const struct wm_lifetime *lifetime; /* NULL: not asked for */
	uint32_t *number; /* its paths in wm_analysis.paths; owned */
	size_t count;
};

struct wm_retained {
	size_t rank; /* index of wm_analysis.ranks, or WM_ALL_RANKS */
	struct wm_use *use; /* one for each path; NULL: not retained */
	/* wm_rank.series with paths of the analysis as keys; empty for the
	 * chosen rank and for a rank that is also retained under
	 * another name */
	struct wm_series series;
};

struct wm_analysis;

/* Returns whether WM_RETAINS_EACH includes rank @rank in a job of @ranks. */
bool wm_retainer_samples(uint64_t rank, uint64_t ranks);

struct wm_retainer {
	unsigned wanted;
	enum wm_rank_choice choice;
	uint64_t number;
	size_t best[WM_RETAINED_COUNT]; /* index of ranks; SIZE_MAX: none yet */
	struct wm_sum sum;
};

enum wm_status wm_retainer_init(struct wm_retainer *k,
				const struct wm_request *q, struct wm_err *err);
void wm_retainer_release(struct wm_retainer *k);
/* Returns whether to retain @r as @id rather than @best, which may be NULL. */
bool wm_retainer_is_better(const struct wm_retainer *k, size_t id,
			   const struct wm_rank *r, const struct wm_rank *best);
/* Takes the last of a->ranks, and drops call paths that are not retained. */
enum wm_status wm_retainer_take(struct wm_retainer *k, struct wm_analysis *a,
				struct wm_err *err);
/* Called after the last rank: sorts a->ranks by rank, and fills a->paths,
 * retained, use and chosen.  Returns WM_NOT_FOUND if no rank has the chosen
 * number. */
enum wm_status wm_retainer_finish(struct wm_retainer *k, struct wm_analysis *a,
				  struct wm_err *err);

/* strays.c: fills wm_rank.strayed, and adds its call paths to a->paths. */
enum wm_status wm_strays_find(struct wm_analysis *a, struct wm_err *err);
