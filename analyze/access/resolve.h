/* SPDX-License-Identifier: Apache-2.0 */
/* Turns loads and stores into cells of a table: each address becomes the
 * variable there, each place in the program a spot.  The object that the thread
 * last accessed at the spot is tried first, then objects.h.  Memory grows with
 * the number of cells and spots, which are bounded (access_table.h), of spots
 * of live threads, and of live blocks.  One thread at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/access/access_table.h"
#include "analyze/access/local_names.h"
#include "analyze/access/objects.h"
#include "analyze/access/variables.h"
#include "analyze/lib/base/error.h"
#include "analyze/lib/base/index.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/replay/regions.h"
#include "analyze/lib/trace/reader.h"

struct wm_resolver {
	const struct wm_trace *t; /* borrowed */
	const struct wm_paths *paths; /* the trace's; uses .map */
	struct wm_access_table table;
	struct wm_objects objects; /* owners are numbers of variables */
	/* threads of the table, which may be moved away at the end */
	struct wm_resolver_thread *thread;
	size_t threads, thread_cap;
	size_t current; /* thread of the last batch */
	struct wm_index thread_index, spot_index, cell_index, pair_index;
	uint32_t *block[WM_FAMILIES]; /* variables, by call path; 0: none yet */
	struct wm_index called_index; /* variables with the program's name */
	uint32_t moved; /* name of the next block; 0: none */
	/* variable of the block allocated since the last batch; 0: none */
	uint32_t newborn;
	uint32_t stack; /* variable of the main thread's stack */
	struct wm_local_names locals;
	struct wm_index local_index; /* local variables */
	struct wm_regions regions;
	uint32_t region_marks; /* changes of regions */
	struct wm_index region_index; /* variables that are regions */
};

enum wm_status wm_resolver_init(struct wm_resolver *r, const struct wm_trace *t,
				struct wm_err *err);
void wm_resolver_release(struct wm_resolver *r);
enum wm_status wm_resolver_take(struct wm_resolver *r,
				const struct wm_changes *c, struct wm_err *err);
/* Fills @b->cell. */
enum wm_status wm_resolver_batch(struct wm_resolver *r,
				 struct wm_access_batch *b, struct wm_err *err);
