/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the resident memory of a process that shares some is looked at.
 *
 * How much of it was private is known of each moment at which the runtime
 * looked.  Between two looks it was no more than at the later one, and what has
 * been released since (5.11 in docs/trace-format.md): so large blocks, mappings
 * and shared memory are looked at before they go, and the trace has the outcome
 * at this place among its events.
 */
#ifndef WM_RUNTIME_LOOKS_H
#define WM_RUNTIME_LOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

/* wm_rec_mark(), which stands above this. */
typedef void wm_looks_put(unsigned kind, const void *p, uint64_t extra);

/* A block of WM_MEMORY_LEAST bytes or more at @p has been recorded. */
void wm_looks_gain(unsigned kind, const void *p) wm_hidden;
/* While WM_SLOW_LOOKS: @p is about to be released, and has no record of it. */
void wm_looks_release(const void *p, wm_looks_put *put) wm_hidden;
/* So many bytes are about to go that may be shared; SIZE_MAX: not known. */
void wm_looks_goes(size_t bytes, wm_looks_put *put) wm_hidden;
/* Around a call by which so many bytes go without a release in the trace: true:
 * wm_looks_now() is due after it. */
bool wm_looks_fades(size_t bytes, wm_looks_put *put) wm_hidden;
void wm_looks_now(wm_looks_put *put) wm_hidden;

#endif
