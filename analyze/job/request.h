/* SPDX-License-Identifier: Apache-2.0 */
/* The request for the analysis of a job: its traces, the passes over each
 * trace, and the ranks that keep their call paths.  Plain data, which may be
 * copied and changed; borrows the texts that it points to. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/replay/pass.h"
#include "analyze/passes/wish.h"

/* The subject of lists; MAX and MIN are about peaks. */
enum wm_rank_choice {
	WM_RANK_MAX,
	WM_RANK_MIN,
	WM_RANK_ALL,
	WM_RANK_NUMBER,
	WM_RANK_WORKING_SET, /* needs pass working_set or pages */
	WM_RANK_ACCESSES, /* needs pass accesses */
};

struct wm_namesakes;

#define WM_FOLDS 16

struct wm_request {
	char **runs;
	size_t run_count;
	struct wm_wish wish;
	bool at_time; /* lists are about wish.moment, not about the peak */
	enum wm_rank_choice choice;
	uint64_t rank;
	unsigned retains; /* WM_RETAINS(...), beside the chosen rank */
	/* see wm_rules_init(); the user cannot fill the last two elements */
	const char *fold[WM_FOLDS + 2];
	size_t fold_count;
	uint64_t threads; /* 0: as many as processors */
	bool quiet; /* no progress on stderr */
	bool several;
	struct wm_namesakes *namesakes; /* names that runs share, or NULL */
};

/* Sets choice and rank by "3", "max", "min" or "all"; -1: other texts. */
int wm_request_rank(struct wm_request *q, const char *text);
/* Sets at_time and wish.moment from @text: "peak", "end", "50%", "1.5s" and the
 * like, or the name of a snapshot or a phase, perhaps with "snapshot:" or
 * "phase:" before it.  Returns -1 if @text is empty, too long, or a share
 * beyond 100 %. */
int wm_request_moment(struct wm_request *q, const char *text);
/* The forms that wm_request_moment() takes, for messages. */
#define WM_MOMENT_WAYS                                                         \
	"peak, end, a part of the time like 50%%, a time like 1.5s or 250ms, " \
	"or the name of a snapshot or phase"
