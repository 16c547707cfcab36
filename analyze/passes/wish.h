/* SPDX-License-Identifier: Apache-2.0 */
/* The passes that a trace is read for, and their options.  Plain data, which is
 * sent to other processes unchanged, except for @listener. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/lib/base/cache_shape.h"
#include "analyze/lib/replay/pass.h"

/* Pass listener: callbacks while one trace is read. */
struct wm_listener {
	void *context; /* first argument of all callbacks */
	/* called again if reading begins anew after damage */
	enum wm_status (*begin)(void *context, const struct wm_trace *t,
				struct wm_err *err);
	enum wm_status (*take)(void *context, const struct wm_changes *c,
			       struct wm_err *err);
	enum wm_status (*accesses)(void *context, /* may be NULL */
				   const struct wm_access_batch *b,
				   struct wm_err *err);
};

enum wm_moment_way {
	WM_MOMENT_PEAK, /* the peak of the rank, without pass moment */
	WM_MOMENT_SECONDS, /* on the clock of the job */
	WM_MOMENT_PART, /* share of the time from process start to end */
	WM_MOMENT_END, /* the end of the trace */
	WM_MOMENT_NAMED, /* a snapshot, or the highest moment of a phase */
};
#define WM_MOMENT_SNAPSHOT 1u
#define WM_MOMENT_PHASE 2u
#define WM_MOMENT_TEXT 256
struct wm_moment_wish {
	enum wm_moment_way way;
	double value; /* seconds; PART: 0 to 1 */
	double doubt; /* SECONDS: half a unit of the last digit given */
	unsigned what; /* NAMED: WM_MOMENT_SNAPSHOT (the first), or PHASE */
	char text[WM_MOMENT_TEXT]; /* as the user gave it */
	char name[WM_MOMENT_TEXT]; /* NAMED */
};

struct wm_wish {
	unsigned needs; /* passes, WM_NEEDS(...) */
	double begin; /* start of the process, on the clock of the job */
	struct wm_moment_wish moment; /* pass moment */
	/* pass pages: seconds between checkpoints; 0: none */
	double checkpoint;
	bool chart; /* pass pages: address x time, for a picture */
	uint64_t max_blocks; /* alive at one time; 0: wm_live_bound() */
	struct wm_cache_shape caches; /* pass cache */
	uint32_t line; /* passes reuse, sharing: bytes of a cache line */
	const struct wm_listener *listener; /* pass listener; borrowed */
};
