/* SPDX-License-Identifier: Apache-2.0 */
/* The best content of a fast memory of a given size: the sites whose bytes are
 * accessed for most of the time, as long as there is room.  The list owns its
 * rows; sites belong to the list that it was made from. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/answers/pages/page_sites.h"

struct wm_tier_site {
	const struct wm_page_site *site;
	uint64_t bytes; /* bytes in fast memory: all, but for the last site */
	/* sum over these bytes of the time in ns in which each was accessed */
	double byte_time;
};

struct wm_page_tier {
	struct wm_tier_site *site; /* most byte_time first */
	size_t count;
	uint64_t bytes; /* of all of them */
	double byte_time;
};

enum wm_status wm_page_tier_make(struct wm_page_tier *t,
				 const struct wm_page_sites *l, uint64_t size,
				 struct wm_err *err);
void wm_page_tier_release(struct wm_page_tier *t);
