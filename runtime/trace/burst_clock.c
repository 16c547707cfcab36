/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/bursts.h"

#include <stdatomic.h>
#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/state.h"
#include "runtime/trace/accesses.h"

#define MS UINT64_C(1000000)

static uint64_t patience; /* ns until running streams are stopped again */

/* A thread that asks learns about the end of a burst from the wish.  A thread
 * that records is stopped here, and again if it begins its stream meanwhile. */
static bool stop_streams(void)
{
	struct wm_access_stream *s = atomic_load(&wm_state->streams);
	bool go_on = false;

	for (; s; s = s->next) {
		uint32_t on = WM_ACCESS_ON;

		if (atomic_compare_exchange_strong(&s->on, &on,
						   WM_ACCESS_TO_STOP) ||
		    on == WM_ACCESS_TO_STOP) {
			wm_access_reach(s);
			go_on = true;
		}
	}
	return go_on;
}

static void change(bool to_burst, uint64_t t)
{
	wm_bursts_change(to_burst, t);
	/* The wish changes before the streams do, so that a thread that begins
	 * a stream meanwhile asks again.  Bursts are counted apart, so that
	 * threads' own wishes remain valid. */
	atomic_fetch_add(&wm_access_wish, WM_ACCESS_WISH_BURST);
	patience = MS;
}

uint64_t wm_burst_clock(void)
{
	uint64_t t = wm_clock_ns(CLOCK_MONOTONIC), at = wm_bursts_into(t);
	bool to_burst = at < wm_options.access_burst_ns;
	uint64_t left = (to_burst ? wm_options.access_burst_ns :
				    wm_options.access_every_ns) -
			at;

	if (to_burst != wm_bursts_on())
		change(to_burst, t);
	if (to_burst || !stop_streams())
		return left;
	/* Less and less often, because the thread may sleep. */
	patience *= 2;
	return left < patience / 2 ? left : patience / 2;
}

void wm_burst_clock_forget(void)
{
	/* Threads that were stopped ask again. */
	if (wm_bursts_end())
		atomic_fetch_add(&wm_access_wish, WM_ACCESS_WISH_BURST);
}
