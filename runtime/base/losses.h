/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that are not recorded, and why: counted, never hidden.
 *
 * Any thread, any time, even before libc has relocated itself.  Without a trace
 * the counts have no effect.
 */
#ifndef WM_RUNTIME_LOSSES_H
#define WM_RUNTIME_LOSSES_H

#include <stdint.h>

#include "wm/window_format.h"

#include "runtime/base/attributes.h"

/* Count @n lost events, also in the crash buffer, and keep the first @reason;
 * NULL: another call has the reason. */
void wm_drop(uint64_t n, const char *reason) wm_hidden;
/* The first reason, "" if there is none yet; it lives as long as the
 * process. */
const char *wm_drop_reason(void) wm_hidden;
/* Bring the crash buffer's count and reason up to ours, for the reader of a
 * killed process. */
void wm_drop_tell(struct wmw_head *w) wm_hidden;
/* wm_state exists now: adds the events that were lost before. */
void wm_drop_early(void) wm_hidden;

#endif
