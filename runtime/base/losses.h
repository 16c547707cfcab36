/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that are not recorded, and why: counted, never hidden.
 *
 * Any thread, any time; nothing happens without a trace.
 */
#ifndef WM_RUNTIME_LOSSES_H
#define WM_RUNTIME_LOSSES_H

#include <stdint.h>

#include "runtime/hooks.h"

/* Count @n lost events, also in the crash buffer, and keep the first @reason;
 * NULL: another call says it. */
void wm_drop(uint64_t n, const char *reason) wm_hidden;

#endif
