/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of static memory by variable.  Variables do not move, so no replay
 * is needed: the epochs of the trace are read once more, only for static
 * memory. */
#pragma once

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/pages/page_use.h"
#include "analyze/access/variables.h"

struct wm_page_statics {
	struct wm_variables names;
	struct wm_page_use use; /* keys: indexes in .names */
};

/* Returns how much higher the executable of @t lies than it was linked. */
uint64_t wm_page_statics_bias(const struct wm_trace *t);
/* Makes the list for the chosen rank.  Returns WM_NOT_FOUND if the variables
 * of its executable are unknown (variables.h), or if no static memory was
 * watched. */
enum wm_status wm_page_statics_make(struct wm_page_statics *s,
				    const struct wm_analysis *a,
				    struct wm_err *err);
void wm_page_statics_release(struct wm_page_statics *s);
