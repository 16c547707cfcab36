/* SPDX-License-Identifier: Apache-2.0 */
/* The state that annotating.c collects and annotating_result.c evaluates. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/index.h"
#include "analyze/lib/replay/regions.h"
#include "analyze/passes/annotating.h"
#include "analyze/passes/rank.h"

/* Snapshots after this number have no lists. */
#define WM_MAX_LISTED 256

struct phase_state {
	uint64_t entered, first, ticks;
	uint64_t peak, peak_time, end;
	uint64_t allocations, releases;
	uint32_t index; /* in the result */
};

struct name_state {
	uint64_t given, live, blocks, high;
	bool variable;
	uint32_t index; /* in the result */
};

struct tag_state {
	uint32_t path, name;
	uint64_t live, blocks, saved, saved_blocks;
	uint64_t epoch; /* of saved */
};

struct stretch_state {
	uint64_t from, to;
	uint32_t name;
};

struct snapshot_state {
	uint64_t time, bytes, blocks;
	uint32_t name, phase; /* by number */
	bool phased;
	struct wm_holding *path, *named; /* named: by number */
	size_t path_count, path_cap, named_count, named_cap;
};

struct text_state {
	uint64_t time, bytes;
	uint32_t name, phase; /* by number */
	bool phased;
};

struct region_state {
	struct wm_span span;
	uint32_t name;
	uint64_t from, to; /* to: 0, until the end */
};

struct wm_annotating {
	/* names have the numbers 1 to .names; .names + 1 is the number of lost
	 * names; .names + 2 is for blocks that several variables point at */
	size_t names;
	struct phase_state *phase; /* by number; 0: outside of all phases */
	struct name_state *name; /* by number */
	struct tag_state *tag;
	size_t tag_count, tag_cap;
	struct wm_index tag_index;
	struct stretch_state *stretch;
	size_t stretch_count, stretch_cap;
	struct snapshot_state *snapshot;
	size_t snapshot_count, snapshot_cap;
	struct text_state *text;
	size_t text_count, text_cap;
	struct region_state *region;
	size_t region_count, region_cap;
	uint64_t regions_left_out;
	struct wm_regions regions; /* that have not ended */

	bool phased;
	uint64_t live; /* from the first phase on */
	uint32_t now, peak;
	uint64_t since; /* when the present phase began */
	uint64_t paused_since, paused, pauses;
	uint64_t start_ticks;
};

/* Called after the last phase was closed.  The result has no pauses. */
enum wm_status wm_annotating_result(struct wm_annotating *n,
				    const struct wm_trace *t, uint64_t epoch,
				    struct wm_rank *rank, struct wm_err *err);
