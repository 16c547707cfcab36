/* SPDX-License-Identifier: Apache-2.0 */
/* The results of the passes cache, reuse and sharing for one rank.  Lists by
 * cell have the cell numbers of pass accesses.  The struct owns its lists. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/access/cache.h"
#include "analyze/access/reuse.h"
#include "analyze/access/sharing.h"
#include "analyze/lib/base/cache_shape.h"
#include "analyze/lib/base/wire.h"

struct wm_simulated {
	struct wm_cache_shape caches;
	struct wm_cache_counts *cache; /* by cell; NULL: not asked for */
	size_t cache_cells;
	uint32_t line; /* bytes of a line for reuse and sharing */
	struct wm_reuse_counts *reuse; /* by cell; NULL: not asked for */
	size_t reuse_cells;
	uint64_t reuse_left_out; /* touches beyond the bound of memory */
	struct wm_sharing_row *sharing; /* unordered */
	size_t sharing_rows;
	uint64_t sharing_left_out; /* accesses beyond the bound of memory */
};

void wm_simulated_wire(struct wm_wire *w, struct wm_simulated *s);
void wm_simulated_release(struct wm_simulated *s);
