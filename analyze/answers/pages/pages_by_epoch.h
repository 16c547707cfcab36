/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The epochs of the chosen rank once more, from its trace: those that the
 * analysis has counted (passes working_set or pages), so that damage which ended
 * these ends nothing here unsaid.
 *
 * Owns the trace and its epochs.  One thread at a time.
 */
#ifndef WM_ANALYZE_PAGE_EPOCHS_H
#define WM_ANALYZE_PAGE_EPOCHS_H

#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/lib/trace/read_epochs.h"
#include "analyze/lib/trace/reader.h"

struct wm_page_epochs {
	struct wm_trace t;
	struct wm_epochs e; /* the epoch of now */
	uint64_t left; /* epochs that are yet to come */
};

/* Nothing is to be released unless WM_OK. */
enum wm_status wm_page_epochs_open(struct wm_page_epochs *x,
				   const struct wm_analysis *a,
				   struct wm_err *err);
/* The next one, or WM_END. */
enum wm_status wm_page_epochs_next(struct wm_page_epochs *x,
				   struct wm_err *err);
void wm_page_epochs_release(struct wm_page_epochs *x);

#endif
