/* SPDX-License-Identifier: Apache-2.0 */
/* Divides memory that was never freed among the program, libraries and
 * runtimes, and separates memory that ranks held when they were killed.  A
 * struct wm_leak_parts owns what it points to, except the analysis, which must
 * outlive it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/sum.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/answers/leaks/handles.h"
#include "analyze/answers/opts.h"

/* Ranks that ended have three parts: memory of the program, memory of libraries
 * whose owner is unknown, and memory of runtimes.  Ranks that went on when
 * their traces ended, or were killed, have two: memory of the program and
 * memory of runtimes. */
enum {
	WM_LEAK_OWN,
	WM_LEAK_UNKNOWN,
	WM_LEAK_RUNTIME,
	WM_LEAK_HELD,
	WM_LEAK_HELD_RUNTIME,
	WM_LEAK_PARTS
};

struct wm_leak_parts {
	const struct wm_analysis *a; /* of the chosen rank, or of all */
	struct wm_analysis view;
	struct wm_functions part[WM_LEAK_PARTS];
	uint8_t *group; /* by path: enum wm_group + 1 */
	struct wm_handles handles; /* the program's */
	/* like handles.trend, for memory that was held */
	uint8_t *held_trend;
	struct wm_share_sum sum; /* of all ranks; without ranks: of one */
};

/* With @fold, the memory of forwarders is charged to their callers. */
enum wm_status wm_leak_parts_make(struct wm_leak_parts *l,
				  const struct wm_analysis *a,
				  const struct wm_opts *o, bool fold,
				  struct wm_err *err);
void wm_leak_parts_release(struct wm_leak_parts *l);
/* Returns the sums of parts @first to @last.  Blocks that only stand for
 * handles do not count. */
struct wm_leak_sum {
	uint64_t bytes, blocks;
};
struct wm_leak_sum wm_leak_parts_sum(const struct wm_leak_parts *l,
				     size_t first, size_t last);
/* Returns the times at which the memory of @f in @part was allocated. */
struct wm_lifetime wm_leak_part_lifetime(const struct wm_leak_parts *l,
					 const struct wm_function *f,
					 size_t part);
