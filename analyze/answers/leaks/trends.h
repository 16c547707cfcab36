/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether memory that was left behind grows (passes/trend.h), by call paths as
 * people see them: by functions and lines.
 *
 * A compiler makes several calls of one in the source where it inlines a
 * function or unrolls a loop.  Their call paths are one here, rank by rank.
 * Where lines are not known, calls of one function in another may be one in the
 * source or several: if they grow together but not each by itself, it is
 * unknown.
 */
#ifndef WM_ANALYZE_TRENDS_H
#define WM_ANALYZE_TRENDS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/passes/trend.h"

/* Memory of ranks that ended, or memory that ranks held whose traces ended
 * before they did. */
enum wm_left { WM_LEFT_AT_END, WM_LEFT_HELD };

/*
 * @trend gets an enum wm_trend for each path of @a; those without @lifetime, of
 * which there are @lifetimes, and those that left nothing in @use have 0.
 * @lifetime is of all ranks, or of the one that is chosen.
 */
enum wm_status wm_trends_find(uint8_t *trend, const struct wm_analysis *a,
			      const struct wm_use *use,
			      const struct wm_lifetime *lifetime,
			      size_t lifetimes, enum wm_left what,
			      struct wm_err *err);

#endif
