/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether what was left behind goes on coming (passes/trend.h), as people see
 * call paths: by functions and lines.
 *
 * A compiler makes several calls of one in the source where it inlines a
 * function or unrolls a loop.  Their call paths are one here, rank by rank.
 * Where lines are not known, calls of one function in another may be one in the
 * source or several: where they grow together and not each alone, it is not
 * known.
 */
#ifndef WM_ANALYZE_TRENDS_H
#define WM_ANALYZE_TRENDS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/passes/trend.h"

/* The question is about memory of ranks that ended, or that those held whose
 * traces ended before they did. */
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
