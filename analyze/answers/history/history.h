/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runs below a directory in the order in which they started: their peaks,
 * and the run since which peaks are higher.
 *
 * Runs of the same program with the same arguments and the same number of ranks
 * are a series.  Runs are read one after the other, and only numbers of each
 * are kept; if growth between two runs is reported, both are read once more.
 * Owns all that it points to.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/request.h"
#include "analyze/answers/compare/compare.h"
#include "analyze/answers/gates/gate.h"

#define WM_NO_RUN SIZE_MAX

struct wm_history_run {
	char *path; /* as it is opened */
	char *shown; /* the same, safe to show */
	/* the reason why the run cannot be read, or only in part; NULL: read
	 * whole */
	char *reason;
	bool read; /* the following fields are known */
	char *program, *id;
	char *command; /* only the arguments; NULL: not known */
	char build[13]; /* of the build-id; "": unknown */
	uint64_t start_ns; /* since 1970; 0: unknown */
	char started[32]; /* "2026-11-23T14:35:00Z"; "": unknown */
	uint64_t ranks, peak_rank;
	uint64_t peak; /* requested bytes of the rank with the highest peak */
	uint64_t total; /* sum of the peaks of all ranks */
	uint64_t resident; /* sum over all ranks; 0: unknown for some rank */
	size_t series;
	size_t before; /* the run before it in its series, or WM_NO_RUN */
	size_t since; /* the run since which peaks are higher, or WM_NO_RUN */
	size_t lowest; /* if .since is a run: the lowest run before it */
};

/* A step after which peaks stay higher, and the functions that grew. */
struct wm_history_step {
	size_t run; /* the run since which peaks are higher */
	size_t from; /* the run that .run is compared with */
	struct wm_differences functions; /* the greatest growth first */
};

struct wm_history_series {
	size_t first, last; /* runs */
	size_t runs;
	struct wm_history_step step; /* .run WM_NO_RUN: it did not grow */
};

struct wm_history {
	struct wm_history_run *run; /* by start; unread ones last */
	size_t count, cap;
	size_t reads; /* runs that were read */
	struct wm_history_series *series; /* by their first run */
	size_t series_count, series_cap;
	double threshold; /* percent */
	bool partial;
};

/*
 * Reads all run directories among @q->runs and below them.  @threshold is the
 * percentage that counts as growth.  Returns WM_NOT_FOUND if there are no runs
 * or none can be read.  The caller releases @h, even after an error.
 */
enum wm_status wm_history_read(struct wm_history *h, const struct wm_request *q,
			       double threshold, struct wm_err *err);
void wm_history_release(struct wm_history *h);
/* Compares the newest run of each series with the run before it, and stores in
 * @v for each gate the series that is furthest beyond the gate's limit. */
enum wm_status wm_history_judge(const struct wm_history *h,
				struct wm_findings *v, const struct wm_gates *g,
				struct wm_err *err);
/* history_find.c: fills .path and .shown of all runs below @dir. */
enum wm_status wm_history_find(struct wm_history *h, const char *dir,
			       struct wm_err *err);
