/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/clock.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "input/plain.h"
#include "wm/trace_format.h"

#include "runtime/base/state.h"
#include "runtime/base/sys.h"

static const volatile uint64_t by_counter = WM_TICK_COUNTER;
static const volatile uint64_t by_kernel = WM_TICK_KERNEL;

int wm_clock_kind = WMT_CLOCK_MONOTONIC;
_Atomic(const volatile uint64_t *) wm_clock_tick = &by_kernel;

/* Returns the page [vvar], which has the kernel's data for the vDSO, or
 * NULL. */
static const uint64_t *find_page(void)
{
	static char text[4096 + 1];
	static const char name[] = "[vvar]";
	int fd = wm_sys_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	size_t have = 0;
	uint64_t at = 0;
	const char *p, *line;
	long n = 0;

	while (fd >= 0 && !at &&
	       (n = wm_sys_read(fd, text + have, sizeof(text) - 1 - have)) >
		       0) {
		have += (size_t)n;
		text[have] = 0;
		p = strstr(text, name);
		line = p ? p : text + have;
		while (line > text && line[-1] != '\n')
			line--;
		if (p && p[sizeof(name) - 1] == '\n')
			for (p = line; wm_plain_digit(*p) >= 0; p++)
				at = at << 4 | (uint64_t)wm_plain_digit(*p);
		/* The last line may be incomplete. */
		have -= (size_t)(line - text);
		if (have == sizeof(text) - 1)
			break;
		memmove(text, line, have);
	}
	if (fd >= 0)
		wm_sys_close(fd);
	return (const uint64_t *)(uintptr_t)at;
}

static void find_tick(void)
{
	const volatile uint64_t *page = find_page();
	struct timespec ts;

	/* Searches the page for the second and the nanosecond of the coarse
	 * clock, and searches again if that clock ticks meanwhile.  With
	 * another kernel, or in a time namespace, the page may lack them: then
	 * each event has its own stamp. */
	for (int tries = 0; page && tries < 3; tries++) {
		if (WM_SYS2(SYS_clock_gettime, CLOCK_MONOTONIC_COARSE, &ts))
			return;
		for (size_t i = 0; i + 1 < WM_PAGE_LEAST / sizeof(*page); i++) {
			if (page[i] == (uint64_t)ts.tv_sec &&
			    page[i + 1] == (uint64_t)ts.tv_nsec) {
				atomic_store(&wm_clock_tick, &page[i + 1]);
				return;
			}
		}
	}
}

void wm_clock_exact(void)
{
	atomic_store(&wm_clock_tick,
		     wm_clock_kind == WMT_CLOCK_TSC ? &by_counter : &by_kernel);
}

uint64_t wm_clock_stamp_again(struct wm_stamp *s, uint64_t tick)
{
	uint64_t now = wm_clock_ticks();

	s->taken++;
	if (tick != s->tick) {
		s->every = s->taken * s->every >= 16 * WM_STAMP_EVENTS ?
				   WM_STAMP_EVENTS :
				   1;
		s->taken = 0;
		s->tick = tick;
	}
	s->time = now;
	s->left = s->every - 1;
	return now;
}

void wm_clock_start(void)
{
	if (wm_counter_is_steady())
		wm_clock_kind = WMT_CLOCK_TSC;
	wm_clock_exact();
	if (wm_options.time_res_ns >= 1000)
		find_tick();
}

uint64_t wm_clock_ns(int clock)
{
	struct timespec ts = { 0, 0 };

	/* The vDSO may not be reachable before libc is initialised. */
	WM_SYS2(SYS_clock_gettime, clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uint64_t wm_clock_slow_ticks(void)
{
	return wm_clock_ns(CLOCK_MONOTONIC);
}

/* Uses integers: floating point would raise FE_INEXACT, for which the program
 * may have enabled a trap. */
unsigned wm_clock_shift(uint64_t ticks, uint64_t ns, uint64_t unit_ns)
{
	uint64_t unit;
	unsigned shift = 0;

	if (ns < 1000)
		return 0;
	/* Now unit_ns * ticks, at most 10^9 * 8 * 2^30, fits 64 bits. */
	while (ns >> 30) {
		ns >>= 1;
		ticks >>= 1;
	}
	unit = unit_ns * ticks / ns;
	while (shift < 40 && (2ull << shift) <= unit)
		shift++;
	return shift;
}
