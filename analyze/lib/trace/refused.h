/* SPDX-License-Identifier: Apache-2.0 */
/* Releases that were refused after their records were in a block.  A later
 * block names each such release (field REFUSED), and readers treat it as an
 * UNMAP of no bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/head.h"

struct wm_slice;
struct wm_trace;

struct wm_refused {
	uint32_t thread;
	uint64_t event; /* number in the thread, from 0 */
};

/* Notes the refused release that @h names, if any. */
enum wm_status wm_refused_note(struct wm_trace *t, const struct wm_head *h,
			       struct wm_err *err);
/* Sorts after the last block; must precede wm_refused_among(). */
void wm_refused_sort(struct wm_trace *t);
/* Returns the number of refused releases among the @events events of @thread
 * from number @event on, and stores the first of them in *@first. */
size_t wm_refused_among(const struct wm_trace *t, uint32_t thread,
			uint64_t event, uint64_t events,
			const struct wm_refused **first);
/* Makes event @i, if it is a release, an empty UNMAP; returns its old kind. */
uint8_t wm_refused_apply(struct wm_slice *s, unsigned i);
