/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds whether memory that was left behind grows (passes/trend.h), for call
 * paths as people see them: by functions and lines.
 *
 * Where a compiler inlines a function or unrolls a loop, one call in the source
 * becomes several.  Their call paths are joined here, rank by rank.  If lines
 * are unknown, calls of one function in another may be one call in the source
 * or several.  If such calls grow together, but none grows by itself, the trend
 * is unknown.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/passes/trend.h"

/* HELD: ranks went on when their traces ended. */
enum wm_left { WM_LEFT_AT_END, WM_LEFT_HELD };

/* Stores an enum wm_trend in @trend for each path of @a, or 0 if the path has
 * none of the @lifetimes lifetimes or left nothing in @use.  @lifetime is that
 * of all ranks, or of the chosen rank. */
enum wm_status wm_trends_find(uint8_t *trend, const struct wm_analysis *a,
			      const struct wm_use *use,
			      const struct wm_lifetime *lifetime,
			      size_t lifetimes, enum wm_left what,
			      struct wm_err *err);
