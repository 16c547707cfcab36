/* SPDX-License-Identifier: Apache-2.0 */
/* How long to sleep until the process has used a certain CPU time: at least as
 * long as its CPUs need.  Only for the service thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "runtime/base/clock.h"

struct wm_pace {
	uint64_t mono, cpu; /* ns at the last check */
	bool parallel; /* more than one CPU was seen at work */
};

static inline void wm_pace_begin(struct wm_pace *p, uint64_t cpu)
{
	p->mono = wm_clock_ns(CLOCK_MONOTONIC);
	p->cpu = cpu;
}

/* Returns the ns until CPU time can reach @next, which is greater than @cpu. */
static inline uint64_t wm_pace_sleep(struct wm_pace *p, uint64_t cpu,
				     uint64_t next)
{
	const uint64_t ms = 1000000;
	uint64_t mono = wm_clock_ns(CLOCK_MONOTONIC), left = next - cpu;
	uint64_t passed = mono - p->mono, used = cpu - p->cpu;

	if (passed > ms && used > passed + passed / 8)
		p->parallel = true;
	if (p->parallel && passed > 0) {
		uint64_t rate = used / passed + 1;

		left /= rate < 64 ? 2 * rate : 128;
	}
	p->mono = mono;
	p->cpu = cpu;
	return left < ms ? ms : left;
}
