/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time stamps: ticks of the time-stamp counter if it is invariant, else
 * nanoseconds of CLOCK_MONOTONIC.  Any thread may call these functions after
 * wm_clock_start().
 *
 * Reading the counter takes a third of the time of an event.  In a program with
 * one thread, up to WM_STAMP_EVENTS successive events may therefore share a
 * stamp, at most until the next tick of the kernel's clock (1 to 4 ms), and
 * only if the thread has many events in a tick.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(counter.h)

#include "runtime/base/attributes.h"

extern int wm_clock_kind wm_hidden;

void wm_clock_start(void) wm_hidden;
uint64_t wm_clock_ns(int clock) wm_hidden;
uint64_t wm_clock_slow_ticks(void) wm_hidden;
/* Returns the number of bits by which ticks are shifted to get units of
 * @unit_ns.  @ticks ticks last @ns. */
unsigned wm_clock_shift(uint64_t ticks, uint64_t ns,
			uint64_t unit_ns) wm_hidden;

static inline uint64_t wm_clock_ticks(void)
{
	if (wm_likely(wm_clock_kind == 1 /* WMT_CLOCK_TSC */))
		return wm_counter();
	return wm_clock_slow_ticks();
}

#define WM_STAMP_EVENTS 16

struct wm_stamp {
	uint64_t time;
	uint64_t tick; /* *wm_clock_tick at that time */
	uint32_t left; /* further events that may share this stamp */
	uint32_t every; /* the most events that may share a stamp */
	uint32_t taken; /* stamps since that tick */
};

/* Points to a word that changes with each tick of the kernel's clock, or to one
 * of the constants below, which give each event its own stamp. */
extern _Atomic(const volatile uint64_t *) wm_clock_tick wm_hidden;
#define WM_TICK_COUNTER UINT64_MAX
#define WM_TICK_KERNEL (UINT64_MAX - 1)

/* Gives each event its own stamp from now on, because there are several threads
 * or samples of pages. */
void wm_clock_exact(void) wm_hidden;
uint64_t wm_clock_stamp_again(struct wm_stamp *s, uint64_t tick) wm_hidden;

/* Returns false if a function has to be called to get a stamp.  Calls no
 * function itself, so the caller needs no stack. */
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
	/* A thread that sees another's effects also sees its
	 * wm_clock_exact(). */
	uint64_t tick = *atomic_load_explicit(&wm_clock_tick,
					      memory_order_relaxed);

	if (wm_likely(tick == s->tick && s->left)) {
		s->left--;
		return s->time;
	}
	if (tick >= WM_TICK_KERNEL)
		return wm_clock_ticks();
	return wm_clock_stamp_again(s, tick);
}
