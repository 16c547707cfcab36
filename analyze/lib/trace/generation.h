/* SPDX-License-Identifier: Apache-2.0 */
/* One generation of a trace's dictionary: maps the numbers of call paths in the
 * trace to their numbers in wm_trace.paths.  Numbers ascend.  Where blocks are
 * lost, numbers far behind a gap begin a new part of the table, so that memory
 * grows with the contents of the file, not with the numbers in it.  One thread
 * at a time, but any number of threads may call wm_generation_find(). */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct wm_generation_part {
	uint64_t first;
	uint32_t *path; /* WM_NO_PATH: lost with a block */
	size_t count, cap;
};

struct wm_generation {
	uint64_t id;
	struct wm_generation_part near;
	struct wm_generation_part *far;
	size_t far_count, far_cap;
};

/* Returns the number behind the last one. */
uint64_t wm_generation_end(const struct wm_generation *g);
/* Adds @count > 0 numbers from @first on, which is not below
 * wm_generation_end().  Returns the place of the path of number @first, or NULL
 * without memory. */
uint32_t *wm_generation_add(struct wm_generation *g, uint64_t first,
			    size_t count);
uint32_t wm_generation_find(const struct wm_generation *g, uint64_t n);
void wm_generation_release(struct wm_generation *g);
