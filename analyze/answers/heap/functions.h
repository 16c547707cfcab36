/* SPDX-License-Identifier: Apache-2.0 */
/* Live blocks grouped by the function of their allocation site.  The list owns
 * its rows; names belong to the symbols, paths to the analysis. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/symbols/symbols.h"

enum wm_moment { WM_AT_PEAK, WM_AT_END, WM_AT_SNAPSHOT };

struct wm_held {
	uint64_t bytes, blocks;
	uint32_t path;
	struct wm_frame site;
	/* forwarders between the path's own site and .site */
	uint32_t passed;
};

struct wm_function {
	const char *name, *file; /* .file NULL: unknown */
	uint32_t line; /* of the call that holds most; 0: unknown */
	uint64_t bytes, blocks;
	const struct wm_held *held; /* its call paths, most bytes first */
	size_t held_count;
	const struct wm_symbol *symbol; /* the function of that call */
	uint32_t module;
};

struct wm_functions {
	struct wm_function *function; /* most bytes first */
	size_t count;
	uint64_t bytes, blocks; /* of all functions */
	struct wm_held *held;
	size_t held_count;
	enum wm_moment moment;
};

/* Groups the blocks at the peak (or at the moment of --at) or at the end. */
enum wm_status wm_functions_make(struct wm_functions *f,
				 const struct wm_analysis *a,
				 enum wm_moment moment, struct wm_err *err);
/* Groups other uses of the same paths; a use counts if it has peak_blocks. */
enum wm_status wm_functions_of(struct wm_functions *f,
			       const struct wm_analysis *a,
			       const struct wm_use *use, struct wm_err *err);
enum wm_status wm_functions_snapshot(struct wm_functions *f,
				     const struct wm_analysis *a,
				     const struct wm_snapshot *s,
				     struct wm_err *err);
/* Groups the @count paths in @held by their .site. */
enum wm_status wm_functions_group(struct wm_functions *f,
				  const struct wm_analysis *a,
				  const struct wm_held *held, size_t count,
				  enum wm_moment moment, struct wm_err *err);
void wm_functions_release(struct wm_functions *f);
