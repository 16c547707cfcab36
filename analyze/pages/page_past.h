/* SPDX-License-Identifier: Apache-2.0 */
/* Freed blocks: their memory is reported as untouched or cold like that of
 * blocks alive at the end.  Only for page_use.c and page_epochs.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/pages/page_use.h"

/* Bytes of a block freed in this epoch: @bytes on each page of [@first, @end).
 * @touched: they were touched before they moved there. */
struct wm_page_death {
	uint64_t first, end;
	uint32_t owner, since, bytes;
	bool touched;
};
bool wm_page_past_note(struct wm_page_use *u, const struct wm_page_death *d);
/* Called at the end of the epoch, before it is counted in stretches. */
bool wm_page_past_epoch(struct wm_page_use *u,
			const struct wm_page_set *accessed,
			const struct wm_page_set *written);
/* Adds the results to the owners' counts after the last epoch.  @half is the
 * last epoch of the first half of the time. */
bool wm_page_past_finish(struct wm_page_use *u, uint32_t half);
/* Counts @bytes of @o as cold if the last access, in epoch @accessed, was in
 * the first half of the time, or else as read only if the last write was. */
void wm_page_add_cold(struct wm_page_owner *o, uint64_t bytes,
		      uint32_t accessed, uint32_t written, uint32_t half);
/* Return the last completed epoch in which @s was accessed, or written. */
static inline uint32_t wm_page_last_access(const struct wm_page_use *u,
					   const struct wm_page_stretch *s)
{
	return s->in ? u->now - 1 : s->accessed;
}

static inline uint32_t wm_page_last_write(const struct wm_page_use *u,
					  const struct wm_page_stretch *s)
{
	return s->in_written ? u->now - 1 : s->written;
}
