/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/pace.h"

#include <time.h>

#include "runtime/base/clock.h"

#define MS UINT64_C(1000000)

void wm_pace_begin(struct wm_pace *p, uint64_t cpu)
{
	p->mono = wm_clock_ns(CLOCK_MONOTONIC);
	p->cpu = cpu;
}

uint64_t wm_pace_sleep(struct wm_pace *p, uint64_t cpu, uint64_t next)
{
	uint64_t mono = wm_clock_ns(CLOCK_MONOTONIC), left = next - cpu;
	uint64_t passed = mono - p->mono, used = cpu - p->cpu;

	if (passed > MS && used > passed + passed / 8)
		p->parallel = true;
	if (p->parallel && passed > 0) {
		uint64_t rate = used / passed + 1;

		left /= rate < 64 ? 2 * rate : 128;
	}
	p->mono = mono;
	p->cpu = cpu;
	return left < MS ? MS : left;
}
