/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time stamps: ticks of the time-stamp counter where it is invariant, else
 * nanoseconds of CLOCK_MONOTONIC.
 *
 * Any thread once wm_clock_start() has run.
 *
 * Reading the counter costs a third of an event.  While one thread alone
 * makes events, nobody compares its stamps with others', and WM_STAMP_EVENTS
 * events in a row may have the same one: a stamp is taken again after so
 * many, and whenever the kernel's clock has ticked (1 to 4 ms).  A thread
 * that makes few events a tick takes a stamp for each.
 */
#ifndef WM_RUNTIME_CLOCK_H
#define WM_RUNTIME_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/hooks.h"

extern int wm_clock_kind wm_hidden; /* WMT_CLOCK_* */

void wm_clock_start(void) wm_hidden;
uint64_t wm_clock_ns(int clock) wm_hidden; /* CLOCK_MONOTONIC or _REALTIME */
uint64_t wm_clock_slow_ticks(void) wm_hidden;
/* Ticks of @unit_ns, as a shift, when @ticks went by in @ns. */
unsigned wm_clock_shift(uint64_t ticks, uint64_t ns,
			uint64_t unit_ns) wm_hidden;

#if defined(__x86_64__)
static inline uint64_t wm_clock_counter(void)
{
	uint64_t lo, hi; /* their upper halves are zero */

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return hi << 32 | lo;
}
#else
#define wm_clock_counter() wm_clock_slow_ticks() /* nobody gets there */
#endif

static inline uint64_t wm_clock_ticks(void)
{
#if defined(__x86_64__)
	if (wm_likely(wm_clock_kind == 1 /* WMT_CLOCK_TSC */))
		return wm_clock_counter();
#endif
	return wm_clock_slow_ticks();
}

#define WM_STAMP_EVENTS 16

/* One thread's last stamp. */
struct wm_stamp {
	uint64_t time;
	uint64_t tick; /* *wm_clock_tick then */
	uint32_t left; /* events that may still have it */
	uint32_t every; /* as many at most */
	uint32_t taken; /* stamps in this tick */
};

/* A word that changes with each tick of the kernel's clock; or one of two that
 * never equal the tick of a stamp: each event has its own, which the counter
 * tells, or the kernel. */
extern _Atomic(const volatile uint64_t *) wm_clock_tick wm_hidden;
#define WM_TICK_COUNTER UINT64_MAX
#define WM_TICK_KERNEL (UINT64_MAX - 1)

/* There are several threads, or time matters: each event has its own. */
void wm_clock_exact(void) wm_hidden;
uint64_t wm_clock_stamp_again(struct wm_stamp *s, uint64_t tick) wm_hidden;

/* The stamp, if it need not be taken again, or by the counter alone.  Calls
 * nothing: who calls this needs no stack then. */
static inline bool wm_clock_stamp_ready(struct wm_stamp *s, uint64_t *time)
{
	uint64_t tick = *atomic_load_explicit(&wm_clock_tick,
					      memory_order_relaxed);

	if (wm_likely(tick == s->tick && s->left)) {
		s->left--;
		*time = s->time;
		return true;
	}
	if (tick != WM_TICK_COUNTER)
		return false;
	*time = wm_clock_counter();
	return true;
}

static inline uint64_t wm_clock_stamp(struct wm_stamp *s)
{
	/* Whoever sees what another thread has done sees its call of
	 * wm_clock_exact(), too: it came before. */
	uint64_t tick = *atomic_load_explicit(&wm_clock_tick,
					      memory_order_relaxed);

	if (wm_likely(tick == s->tick && s->left)) {
		s->left--;
		return s->time;
	}
	/* here, because with several threads that is each event */
	if (tick >= WM_TICK_KERNEL)
		return wm_clock_ticks();
	return wm_clock_stamp_again(s, tick);
}

#endif
