/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wishes for a trace: the list of passes, and the options of single passes.
 * Plain data, which is sent to other processes unchanged, except for @listener.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/lib/base/cache_shape.h"
#include "analyze/lib/replay/pass.h"

/* Pass listener: callbacks while one trace is read. */
struct wm_listener {
	void *context; /* first argument of all */
	/* reading begins, also again after damage was found */
	enum wm_status (*begin)(void *context, const struct wm_trace *t,
				struct wm_err *err);
	enum wm_status (*take)(void *context, const struct wm_changes *c,
			       struct wm_err *err);
	enum wm_status (*accesses)(void *context, /* may be NULL */
				   const struct wm_access_batch *b,
				   struct wm_err *err);
};

/* The moment that lists are about. */
enum wm_moment_way {
	WM_MOMENT_PEAK, /* no pass moment: that of the rank */
	WM_MOMENT_SECONDS, /* of the clock of the job */
	WM_MOMENT_PART, /* of the time from the process's start to its end */
	WM_MOMENT_END, /* of the trace */
	WM_MOMENT_NAMED, /* a snapshot, or the highest moment of a phase */
};
#define WM_MOMENT_SNAPSHOT 1u
#define WM_MOMENT_PHASE 2u
#define WM_MOMENT_TEXT 256
struct wm_moment_wish {
	enum wm_moment_way way;
	double value; /* seconds; PART: 0 to 1 */
	double doubt; /* SECONDS: half of the last digit that was given */
	unsigned what; /* NAMED: WM_MOMENT_SNAPSHOT, the first, or PHASE */
	char text[WM_MOMENT_TEXT]; /* as given */
	char name[WM_MOMENT_TEXT]; /* NAMED */
};

struct wm_wish {
	unsigned needs; /* passes, WM_NEEDS(...) */
	double begin; /* of the process, on the clock of the job */
	struct wm_moment_wish moment; /* pass moment */
	/* pass pages: seconds between checkpoints; 0: none */
	double checkpoint;
	bool chart; /* pass pages: address x time, for a picture */
	uint64_t max_blocks; /* alive at one time; 0: see wm_live_bound() */
	struct wm_cache_shape caches; /* pass cache */
	uint32_t line; /* passes reuse, sharing: bytes of a line */
	const struct wm_listener *listener; /* pass listener; borrowed */
};
