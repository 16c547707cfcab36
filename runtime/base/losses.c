/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/losses.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "runtime/base/state.h"
#include "runtime/base/text.h"

void wm_drop_tell(struct wmw_head *w)
{
	const struct wm_state *st = wm_state;
	uint64_t n = atomic_load(&st->dropped), told;

	told = __atomic_load_n(&w->dropped, __ATOMIC_RELAXED);
	/* the highest of what threads tell at one time */
	while (told < n &&
	       !__atomic_compare_exchange_n(&w->dropped, &told, n, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	if (st->drop_reason[0] && !w->drop_reason[0])
		memcpy(w->drop_reason, st->drop_reason, WMW_TEXT - 1);
}

/* Lost before there is a state, which may never come. */
static _Atomic uint64_t early;
static const char *_Atomic early_reason;

void wm_drop_early(void)
{
	uint64_t n;

	/* Between the store of wm_state and a look at `early`; drop_early()
	 * has the other way round: one of the two sees the other's. */
	atomic_thread_fence(memory_order_seq_cst);
	n = atomic_exchange(&early, 0);
	if (n)
		wm_drop(n, atomic_load(&early_reason));
}

static void drop_early(uint64_t n, const char *reason)
{
	atomic_store(&early_reason, reason);
	atomic_fetch_add(&early, n);
	atomic_thread_fence(memory_order_seq_cst);
	if (*(struct wm_state *const volatile *)&wm_state)
		wm_drop_early();
}

void wm_drop(uint64_t n, const char *reason)
{
	struct wm_state *st = wm_state;
	struct wmw_head *crash_buffer;
	int tracing;

	if (!st) {
		drop_early(n, reason);
		return;
	}
	if (wm_forked(st))
		return;
	tracing = atomic_load_explicit(&st->tracing, memory_order_relaxed);
	/* what busy threads do after the end is not part of the trace */
	if (tracing == WM_TRACING_ENDED)
		return;
	if (tracing == WM_TRACING_CAPPED) {
		atomic_fetch_add_explicit(&st->not_written, n,
					  memory_order_relaxed);
		return;
	}
	/* pairs with wm_crash_buffer_publish(): it tells what we do not */
	atomic_fetch_add(&st->dropped, n);
	if (reason && !st->drop_reason[0]) {
		struct wm_text t = wm_text_on(st->drop_reason,
					      sizeof(st->drop_reason));

		wm_text_add(&t, reason);
	}
	crash_buffer = atomic_load(&st->crash_buffer);
	if (crash_buffer)
		wm_drop_tell(crash_buffer);
}
