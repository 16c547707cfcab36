/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One generation of a trace's dictionary: from the numbers that the trace uses
 * for call paths to those in wm_trace.paths.
 *
 * Numbers come in ascending order.  Where blocks are lost, some are missing:
 * what is far behind them becomes a part of its own, so that memory grows with
 * what the file has, and not with what it says is lost.  One thread at a time;
 * wm_generation_find() any.
 */
#ifndef WM_ANALYZE_GENERATION_H
#define WM_ANALYZE_GENERATION_H

#include <stddef.h>
#include <stdint.h>

/* Numbers from @first on. */
struct wm_generation_part {
	uint64_t first;
	uint32_t *path; /* WM_NO_PATH: lost with a block */
	size_t count, cap;
};

struct wm_generation {
	uint64_t id;
	struct wm_generation_part near; /* from 0 on */
	struct wm_generation_part *far; /* ascending */
	size_t far_count, far_cap;
};

/* The number behind the last one that it has. */
uint64_t wm_generation_end(const struct wm_generation *g);
/*
 * Add the numbers from @first on, which is not below wm_generation_end(); the
 * result takes @count > 0 of them.  NULL: no memory.
 */
uint32_t *wm_generation_add(struct wm_generation *g, uint64_t first,
			    size_t count);
/* The path of number @n, or WM_NO_PATH. */
uint32_t wm_generation_find(const struct wm_generation *g, uint64_t n);
void wm_generation_release(struct wm_generation *g);

#endif
