/* SPDX-License-Identifier: Apache-2.0 */
/* The usable bytes of the heap, which are counted with WM_MAX_BYTES (even after
 * the trace has reached its cap) or WM_SUMMARY.  There is no state for each
 * block: the allocator is asked for the size of a block. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"
#include "runtime/trace/curve.h"

void wm_usage_put_usable(struct wm_buf *head) wm_hidden;

/* With WM_SUMMARY: the end of the curve's present bin in ticks.  A caller that
 * changes the totals at this time or later first calls wm_usage_next_bin() with
 * a pointer to the time, in wm_aside(), so that no handler may leave the call
 * by longjmp.  0: no bin has begun; UINT64_MAX: there is no curve. */
extern _Atomic uint64_t wm_usage_until wm_hidden;
void wm_usage_next_bin(void *ticks) wm_hidden;

struct wm_heap_now {
	uint64_t peak, live;
	struct wm_curve curve;
};
/* Stores the usage; false: block sizes are unknown.  In wm_aside(). */
bool wm_usage_now(struct wm_heap_now *u) wm_hidden;

/* Called by any thread, only if totals are kept (WM_SLOW_USABLE). */
void wm_usage_alloc(unsigned kind, const void *p) wm_hidden;
void wm_usage_release(unsigned kind, const void *p) wm_hidden;
