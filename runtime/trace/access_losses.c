/* SPDX-License-Identifier: Apache-2.0 */
/* Counts loads and stores of the process that are in no block.  Each block has
 * their number so far; the crash buffer has it if no block can be written. */
#include "wm/window_format.h"

#include "runtime/trace/accesses.h"

/* Losses before wm_state exists. */
static _Atomic uint64_t early;

void wm_access_lose(void)
{
	atomic_fetch_add(wm_state ? &wm_state->accesses_lost : &early, 1);
}

uint64_t wm_access_lost(void)
{
	struct wm_state *st = wm_state;
	uint64_t n;

	atomic_fetch_add(&st->accesses_lost, atomic_exchange(&early, 0));
	n = atomic_load(&st->accesses_lost);
	for (const struct wm_access_stream *s = atomic_load(&st->streams); s;
	     s = s->next)
		n += *(const volatile uint64_t *)&s->lost;
	atomic_store(&st->accesses_lost_told, n);
	return n;
}

void wm_access_lost_tell(void)
{
	struct wmw_head *w = atomic_load(&wm_state->crash_buffer);
	uint64_t n = wm_access_lost();

	if (w)
		__atomic_store_n(&w->accesses_lost, n, __ATOMIC_RELAXED);
}
