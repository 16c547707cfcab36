/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: may the blocks of a trace have numbers that outlast the trace's
 * own blocks (OPS_KNOWN), so that a reader needs no address?
 *
 * Only where numbers say all that addresses do: one thread, no allocation on
 * top of a live block, every realloc whole and none of them failed, and no
 * names for what lies at an address.  All events have to be seen, in order.
 *
 * One thread at a time; the caller owns the struct.
 */
#ifndef WM_ANALYZE_REPACK_KNOWN_H
#define WM_ANALYZE_REPACK_KNOWN_H

#include <stdbool.h>

#include "analyze/base/error.h"
#include "analyze/trace/decode.h"
#include "analyze/trace/live.h"

struct wm_known_look {
	bool good; /* so far they may */
	uint64_t most; /* blocks alive at one time */
	bool in_realloc; /* the event before is REALLOC_OUT */
	struct wm_live live;
};

/* @max_blocks: as in wm_live_bound(). */
enum wm_status wm_known_look_init(struct wm_known_look *l,
				  const struct wm_trace *t, uint64_t max_blocks,
				  struct wm_err *err);
enum wm_status wm_known_look_at(struct wm_known_look *l,
				const struct wm_slice *s, struct wm_err *err);
void wm_known_look_release(struct wm_known_look *l);

#endif
