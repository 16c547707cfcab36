/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether memory that was left behind grows (passes/trend.h), by call paths as
 * people see them: by functions and lines.
 *
 * A compiler may turn one call in the source into several, where it inlines a
 * function or unrolls a loop.  The call paths of these calls are joined into
 * one here, rank by rank.  If lines are not known, calls of one function in
 * another may be one call in the source or several.  If such calls grow
 * together, but none grows by itself, the trend is unknown.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/passes/trend.h"

/* Memory of ranks that ended, or memory that ranks held when their traces ended
 * before the ranks did. */
enum wm_left { WM_LEFT_AT_END, WM_LEFT_HELD };

/*
 * Stores in @trend an enum wm_trend for each path of @a.  A path gets 0 if it
 * has none of the @lifetimes lifetimes, or left nothing in @use.  @lifetime is
 * that of all ranks, or of the chosen rank.
 */
enum wm_status wm_trends_find(uint8_t *trend, const struct wm_analysis *a,
			      const struct wm_use *use,
			      const struct wm_lifetime *lifetime,
			      size_t lifetimes, enum wm_left what,
			      struct wm_err *err);
