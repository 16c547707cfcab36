/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: may the blocks of a trace have numbers that outlast the trace's
 * own blocks (OPS_KNOWN), so that a reader needs no address?
 *
 * Only where numbers say all that addresses do: one thread, no allocation on
 * top of a live block, every realloc whole and none of them failed, and no
 * names for what lies at an address.
 */
#ifndef WM_ANALYZE_REPACK_KNOWN_H
#define WM_ANALYZE_REPACK_KNOWN_H

#include "analyze/base/error.h"
#include "analyze/repack/repack_plan.h"

/* *@yes: they may.  Reads every event; @max_blocks as in wm_live_bound(). */
enum wm_status wm_plan_may_number(const struct wm_plan *p, uint64_t max_blocks,
				  int *yes, struct wm_err *err);

#endif
