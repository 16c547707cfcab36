/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Releases that were refused after a block had their records: later blocks name
 * them (field REFUSED), and readers take them for UNMAPs of no bytes.
 *
 * In: heads of blocks, slices.  Out: the slices, as if the refusal had come in
 * time.
 */
#ifndef WM_ANALYZE_REFUSED_H
#define WM_ANALYZE_REFUSED_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/head.h"

struct wm_slice;
struct wm_trace;

struct wm_refused {
	uint32_t thread;
	uint64_t event; /* its number in the thread, from 0 */
};

/* Keeps the one that @h names, if it does. */
enum wm_status wm_refused_note(struct wm_trace *t, const struct wm_head *h,
			       struct wm_err *err);
/* After the last block, before wm_refused_among(). */
void wm_refused_sort(struct wm_trace *t);
/* How many are among the @events of @thread from number @event on; *@first: the
 * first one. */
size_t wm_refused_among(const struct wm_trace *t, uint32_t thread,
			uint64_t event, uint64_t events,
			const struct wm_refused **first);
/* Event @i of @s, if it is a release, becomes an UNMAP of no bytes: returns what
 * it was.  Else returns its kind and changes nothing. */
uint8_t wm_refused_apply(struct wm_slice *s, unsigned i);

#endif
