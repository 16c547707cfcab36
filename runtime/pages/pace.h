/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long to sleep until the process has used a certain CPU time.
 *
 * The kernel does not wake a thread for that, but CPU time passes no faster
 * than CPUs run: sleep for as long as they need at least, and check again.
 * Only for the service thread.
 */
#ifndef WM_RUNTIME_PACE_H
#define WM_RUNTIME_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

struct wm_pace {
	uint64_t mono, cpu; /* ns at the last check */
	bool parallel; /* more than one CPU was seen at work */
};

/* @cpu: ns of CPU time now. */
void wm_pace_begin(struct wm_pace *p, uint64_t cpu) wm_hidden;
/* ns until it can be @next, which is more. */
uint64_t wm_pace_sleep(struct wm_pace *p, uint64_t cpu,
		       uint64_t next) wm_hidden;

#endif
