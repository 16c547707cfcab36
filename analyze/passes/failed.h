/* SPDX-License-Identifier: Apache-2.0 */
/* Failed requests for memory by call path, with the paths that held most memory
 * at the largest request of each path.  Belongs to the pass heap.  A struct
 * wm_failures owns what it points to; a struct of zeros is empty. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/passes/annotations.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/paths.h"
#include "analyze/lib/trace/reader.h"

/* The number of paths in .held of each path that failed. */
#define WM_FAILED_HELD 16
/* The number of paths that failed for which details are kept. */
#define WM_FAILED_SITES 256

struct wm_failed {
	uint32_t path; /* in .paths; after retained.c in wm_analysis.paths */
	uint32_t held_count;
	uint64_t count; /* requests that failed */
	/* of the largest request, and of the first if several are equal: */
	uint64_t bytes;
	uint64_t ticks;
	double seconds; /* on the clock of the job */
	/* bytes alive at that time, as a peak counts them; the part in shared
	 * memory; the part in other mappings, which may be shared */
	uint64_t live_bytes, shared_bytes, mapped_bytes;
	/* the part that the request was to replace */
	uint64_t old_bytes;
	/* the paths that held .live_bytes, most bytes first */
	struct wm_holding held[WM_FAILED_HELD];
};

struct wm_failures {
	struct wm_failed *site;
	size_t count, cap;
	uint64_t left_out; /* requests of other call paths */
	/* call paths examined for .held, over all requests */
	uint64_t looks;
	struct wm_paths paths;
};

struct wm_failed_alive {
	uint64_t all, shared, mapped;
};

/* Adds the request of @m, which failed while @live was alive.  If *@largest is
 * not NULL, the caller fills its .held with wm_failed_hold() for all @paths
 * paths. */
enum wm_status wm_failures_add(struct wm_failures *f, const struct wm_mark *m,
			       struct wm_failed_alive live, size_t paths,
			       struct wm_failed **largest, struct wm_err *err);
void wm_failed_hold(struct wm_failed *s, uint32_t path, uint64_t bytes,
		    uint64_t blocks);
/* Moves @f to @to and copies its call paths to @to->paths. */
enum wm_status wm_failures_finish(struct wm_failures *f,
				  const struct wm_trace *t,
				  struct wm_failures *to, struct wm_err *err);
/* Moves the call paths of @f to @paths and renumbers the paths in @f. */
enum wm_status wm_failures_move(struct wm_failures *f, struct wm_paths *paths,
				struct wm_err *err);
void wm_failures_wire(struct wm_wire *w, struct wm_failures *f);
void wm_failures_release(struct wm_failures *f);
