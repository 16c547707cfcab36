/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the epochs of the chosen rank from its trace once more.  It reads only
 * epochs that the analysis has counted (passes working_set or pages), so these
 * passes have reported all damage.  Owns the trace and its epochs.  One thread
 * at a time. */
#pragma once

#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/lib/trace/read_epochs.h"
#include "analyze/lib/trace/reader.h"

struct wm_page_epochs {
	struct wm_trace t;
	struct wm_epochs e;
	uint64_t left; /* epochs that are still to be read */
};

/* The caller releases @x only after WM_OK. */
enum wm_status wm_page_epochs_open(struct wm_page_epochs *x,
				   const struct wm_analysis *a,
				   struct wm_err *err);
enum wm_status wm_page_epochs_next(struct wm_page_epochs *x,
				   struct wm_err *err);
void wm_page_epochs_release(struct wm_page_epochs *x);
