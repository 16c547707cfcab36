/* SPDX-License-Identifier: Apache-2.0 */
/* Counts events that are not recorded, and keeps the reason.  Any thread may
 * call these functions at any time, even before libc has relocated itself. */
#pragma once

#include <stdint.h>

#include "wm/window_format.h"

#include "runtime/base/attributes.h"

/* Counts @n lost events, also in the crash buffer, and keeps the first @reason,
 * which may be NULL. */
void wm_drop(uint64_t n, const char *reason) wm_hidden;
/* Returns the first reason, or "" if there is none yet.  The string is valid as
 * long as the process. */
const char *wm_drop_reason(void) wm_hidden;
/* Updates the count and the reason in the crash buffer. */
void wm_drop_tell(struct wmw_head *w) wm_hidden;
/* Called when wm_state exists: adds the events that were lost before. */
void wm_drop_early(void) wm_hidden;
