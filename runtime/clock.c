/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/clock.h"

#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "wm/trace_format.h"

#include "runtime/sys.h"

int wm_clock_kind = WMT_CLOCK_MONOTONIC;

void wm_clock_start(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d;

	/* Intel SDM, CPUID leaf 80000007H: EDX bit 8, invariant TSC. */
	if (__get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8)))
		wm_clock_kind = WMT_CLOCK_TSC;
#endif
}

uint64_t wm_clock_ns(int clock)
{
	struct timespec ts = { 0, 0 };

	/* The system call: the vDSO may not be reachable before libc is up. */
	WM_SYS2(SYS_clock_gettime, clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uint64_t wm_clock_slow_ticks(void)
{
	return wm_clock_ns(CLOCK_MONOTONIC);
}
