/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long to sleep until the process has used so much CPU time.
 *
 * Nothing tells when CPU time has passed, but it passes no faster than CPUs
 * run: sleep for as long as they need at least, and look again.  For the
 * service thread alone.
 */
#ifndef WM_RUNTIME_PACE_H
#define WM_RUNTIME_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/hooks.h"

struct wm_pace {
	uint64_t mono, cpu; /* ns, when it was looked last */
	bool parallel; /* more than one CPU was seen at work */
};

/* @cpu: ns of CPU time now. */
void wm_pace_begin(struct wm_pace *p, uint64_t cpu) wm_hidden;
/* ns until it can be @next, which is more. */
uint64_t wm_pace_sleep(struct wm_pace *p, uint64_t cpu,
		       uint64_t next) wm_hidden;

#endif
