/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The request for the analysis of a job: its traces, the passes over each, the
 * ranks whose call paths stay.
 *
 * Plain data, to be copied and changed; borrows the texts that it points to.
 */
#ifndef WM_ANALYZE_REQUEST_H
#define WM_ANALYZE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/replay/pass.h"
#include "analyze/passes/wish.h"

/* Whom lists are about: the rank with the highest or the lowest peak, the sum
 * of all, the one with a number, or the one with the highest working set or most
 * loads and stores. */
enum wm_rank_choice {
	WM_RANK_MAX,
	WM_RANK_MIN,
	WM_RANK_ALL,
	WM_RANK_NUMBER,
	WM_RANK_WORKING_SET, /* needs the pass working_set, or pages */
	WM_RANK_ACCESSES, /* needs the pass accesses */
};

struct wm_namesakes;

#define WM_FOLDS 16

struct wm_request {
	char **runs; /* see wm_run_find() */
	size_t run_count;
	struct wm_wish wish;
	bool at_time; /* lists are about wish.moment, not about the peak */
	enum wm_rank_choice choice;
	uint64_t rank; /* with WM_RANK_NUMBER */
	unsigned retains; /* beside the chosen rank, WM_RETAINS(...) */
	/* see wm_rules_init(); behind those of the user is room for two */
	const char *fold[WM_FOLDS + 2];
	size_t fold_count;
	unsigned threads; /* 0: as many as processors */
	bool quiet; /* no progress on stderr */
	bool several; /* one of the runs of a report about several */
	struct wm_namesakes *namesakes; /* that runs share; NULL: none */
};

/* "3", "max", "min", "all": sets choice and rank.  -1: @text is nothing of
 * that. */
int wm_request_rank(struct wm_request *q, const char *text);
/*
 * "peak", "end", "50%", "1.5s" and the like, else the name of a snapshot or a
 * phase, perhaps with "snapshot:" or "phase:" before it: sets at_time and
 * wish.moment.  -1: @text is empty, too long, or a part beyond 100 %.
 */
int wm_request_moment(struct wm_request *q, const char *text);
/* For messages: what wm_request_moment() knows. */
#define WM_MOMENT_WAYS                                                         \
	"peak, end, a part of the time like 50%%, a time like 1.5s or 250ms, " \
	"or the name of a snapshot or phase"

#endif
