/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/event/holding.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/lock.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/event/event_hooks.h"
#include "runtime/trace/holders.h"

/* The first FREELY looks are limited only by their CPU time.  Each later look
 * waits until the age of the process has grown by one part in SPACING. */
#define FREELY 32u
#define SPACING 16u
/* The CPU time of all looks is at most one part in SHARE of the elapsed time,
 * plus HEAD_START ns. */
#define SHARE 100u
#define HEAD_START UINT64_C(100000000)
/* A look is due after this number of releases. */
#define RELEASES 16384

static struct wm_lock lock;
static int pid; /* of the process to which these values belong */
static uint64_t gained, next_look = 2; /* large blocks */
static unsigned looks;
static uint64_t spent;
static _Atomic uint64_t not_before; /* ticks of the next look */
static _Atomic int left = RELEASES;

static bool is_wanted(void)
{
	return wm_options.variables && !wm_options.pages && wm_state &&
	       !wm_forked(wm_state) &&
	       atomic_load(&wm_state->tracing) == WM_TRACING_ON &&
	       wm_sys_getpid() == wm_state->pid;
}

static void look(void *unused)
{
	const struct wm_holder *list = NULL;
	size_t n;

	(void)unused;
	/* first: a block that is allocated meanwhile is for the next look */
	atomic_fetch_and(&wm_slow_reasons, ~WM_SLOW_HOLDERS);
	n = wm_holders_scan(&list);
	for (size_t i = 0; i < n; i++) {
		wm_rec_saying(WMT_SAYING_HOLDER, list[i].name);
		wm_rec_saying(WMT_SAYING_HELD, list[i].block);
	}
}

/* Returns the earliest age in ns for the next look, after a look at @age. */
static uint64_t next_age(uint64_t age)
{
	uint64_t next = looks < FREELY ? 0 : age + age / SPACING;
	uint64_t paid = spent < HEAD_START ? 0 : (spent - HEAD_START) * SHARE;

	return paid > next ? paid : next;
}

static void look_in_time(bool anyway)
{
	uint64_t ticks = wm_clock_ticks(), begin, age, next, rate;

	if (!anyway && ticks < atomic_load(&not_before))
		return;
	begin = wm_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	wm_aside(look, NULL);
	looks++;
	spent += wm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
	age = wm_clock_ns(CLOCK_MONOTONIC) - wm_state->start_mono;
	next = next_age(age);
	/* ticks in 1,024 ns */
	rate = (ticks - wm_state->start_ticks) / (age / 1024 + 1) + 1;
	atomic_store(&not_before,
		     next > age ? ticks + (next - age) / 1024 * rate : 0);
}

/* Takes the lock.  Returns false if no look is wanted, or one is under way. */
static bool begin(void)
{
	if (!is_wanted() || !wm_lock_try(&lock))
		return false;
	if (pid == wm_state->pid)
		return true;
	pid = wm_state->pid;
	gained = spent = 0;
	atomic_store(&not_before, 0);
	next_look = 2;
	looks = 0;
	return true;
}

void wm_holding_gain(unsigned kind, const void *p)
{
	if (kind == WMT_EV_THREAD_STACK || kind == WMT_EV_BREAK_UP || !begin())
		return;
	if (wm_holders_gain(p)) {
		atomic_fetch_or(&wm_slow_reasons, WM_SLOW_HOLDERS);
		if (++gained == next_look) {
			next_look *= 2;
			look_in_time(false);
		}
	}
	wm_lock_drop(&lock);
}

void wm_holding_release(const void *p)
{
	bool due = atomic_fetch_sub_explicit(&left, 1, memory_order_relaxed) ==
		   1;

	if (due)
		atomic_store_explicit(&left, RELEASES, memory_order_relaxed);
	else if (!wm_holders_is_large(p))
		return;
	if (wm_clock_ticks() < atomic_load(&not_before) || !begin())
		return;
	look_in_time(false);
	wm_lock_drop(&lock);
}

void wm_holding_snapshot(void)
{
	if (!(atomic_load(&wm_slow_reasons) & WM_SLOW_HOLDERS) || !begin())
		return;
	look_in_time(false);
	wm_lock_drop(&lock);
}

void wm_holding_end(void)
{
	if (!begin())
		return;
	if (gained)
		look_in_time(true);
	wm_lock_drop(&lock);
}
