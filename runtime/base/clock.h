/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time stamps: ticks of the time-stamp counter if it is invariant, else
 * nanoseconds of CLOCK_MONOTONIC.
 *
 * Any thread may use them after wm_clock_start() has run.
 *
 * Reading the counter costs a third of an event.  While only one thread makes
 * events, its stamps are not compared with those of other threads, and up to
 * WM_STAMP_EVENTS events in a row may share one stamp.  A new stamp is taken
 * after that many events, and whenever the kernel's clock has ticked (1 to 4
 * ms).  A thread that makes few events in a tick takes a stamp for each event.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(counter.h)

#include "runtime/base/attributes.h"

extern int wm_clock_kind wm_hidden; /* WMT_CLOCK_* */

void wm_clock_start(void) wm_hidden;
uint64_t wm_clock_ns(int clock) wm_hidden; /* CLOCK_MONOTONIC or _REALTIME */
uint64_t wm_clock_slow_ticks(void) wm_hidden;
/* Returns by how many bits ticks have to be shifted to become units of
 * @unit_ns.  @ticks ticks take @ns. */
unsigned wm_clock_shift(uint64_t ticks, uint64_t ns,
			uint64_t unit_ns) wm_hidden;

static inline uint64_t wm_clock_ticks(void)
{
	if (wm_likely(wm_clock_kind == 1 /* WMT_CLOCK_TSC */))
		return wm_counter();
	return wm_clock_slow_ticks();
}

#define WM_STAMP_EVENTS 16

/* One thread's last stamp. */
struct wm_stamp {
	uint64_t time;
	uint64_t tick; /* *wm_clock_tick at that time */
	uint32_t left; /* further events that may share this stamp */
	uint32_t every; /* the most events that may share a stamp */
	uint32_t taken; /* stamps in this tick */
};

/* Points to a word that changes with each tick of the kernel's clock, or to one
 * of two constants that never equal the tick of a stamp.  With such a constant
 * each event has its own stamp, from the counter or from the kernel. */
extern _Atomic(const volatile uint64_t *) wm_clock_tick wm_hidden;
#define WM_TICK_COUNTER UINT64_MAX
#define WM_TICK_KERNEL (UINT64_MAX - 1)

/* Gives each event its own stamp from now on, because there are several threads
 * or samples of pages. */
void wm_clock_exact(void) wm_hidden;
uint64_t wm_clock_stamp_again(struct wm_stamp *s, uint64_t tick) wm_hidden;

/* Stores the stamp if it is still valid or comes from the counter; else returns
 * false.  Calls no function, so its caller needs no stack. */
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
	*time = wm_counter();
	return true;
}

static inline uint64_t wm_clock_stamp(struct wm_stamp *s)
{
	/* A thread that sees the effects of another thread also sees that
	 * thread's earlier call of wm_clock_exact(). */
	uint64_t tick = *atomic_load_explicit(&wm_clock_tick,
					      memory_order_relaxed);

	if (wm_likely(tick == s->tick && s->left)) {
		s->left--;
		return s->time;
	}
	/* Inline, because with several threads each event comes here. */
	if (tick >= WM_TICK_KERNEL)
		return wm_clock_ticks();
	return wm_clock_stamp_again(s, tick);
}
