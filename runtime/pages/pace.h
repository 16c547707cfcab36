/* SPDX-License-Identifier: Apache-2.0 */
/* Determines how long to sleep until the process has used a certain CPU time.
 * The kernel does not wake a thread at such a time, but CPU time passes no
 * faster than CPUs run.  So the caller sleeps for as long as the CPUs need at
 * least, and then checks again.  Only for the service thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

struct wm_pace {
	uint64_t mono, cpu; /* ns at the last check */
	bool parallel; /* more than one CPU was seen at work */
};

void wm_pace_begin(struct wm_pace *p, uint64_t cpu) wm_hidden;
/* Returns the ns until CPU time can reach @next, which is greater than @cpu. */
uint64_t wm_pace_sleep(struct wm_pace *p, uint64_t cpu,
		       uint64_t next) wm_hidden;
