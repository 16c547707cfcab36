/* SPDX-License-Identifier: Apache-2.0 */
/* The regions of one trace that the program has named and not ended
 * (wmtrace(3), docs/trace-format.md 5.11).  A zeroed struct is empty.  One
 * thread at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/replay/pass.h"

/* The most regions at one time; further regions are left out. */
#define WM_REGIONS 4096

struct wm_region {
	struct wm_span span; /* not empty */
	uint32_t name;
	uint64_t since; /* ticks */
	uint64_t number; /* of the mark REGION, from 0 */
	uint64_t reach; /* highest end of the regions up to this one */
};

struct wm_regions {
	struct wm_region *region; /* by address; each has its own start */
	size_t count, cap;
	uint64_t begun; /* marks REGION, also of regions left out */
};

void wm_regions_release(struct wm_regions *r);
/* Takes a mark REGION or REGION_END; other marks have no effect.  Stores in
 * *@gone the region that this mark ends, or a region with an empty span. */
enum wm_status wm_regions_take(struct wm_regions *r, const struct wm_mark *m,
			       struct wm_region *gone, struct wm_err *err);
/* Returns the region around @addr that begins at the highest address, or NULL.
 * The pointer is valid until the next mark. */
const struct wm_region *wm_regions_find(const struct wm_regions *r,
					uint64_t addr);
/* Also stores in *@lo and *@end the range of addresses with the same result. */
const struct wm_region *wm_regions_around(const struct wm_regions *r,
					  uint64_t addr, uint64_t *lo,
					  uint64_t *end);
