/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/losses.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "runtime/base/state.h"
#include "runtime/base/text.h"

void wm_drop_tell(struct wmw_head *w)
{
	uint64_t n = atomic_load(&wm_state->dropped), told;
	const char *reason = wm_drop_reason();

	told = __atomic_load_n(&w->dropped, __ATOMIC_RELAXED);
	/* If several threads store a count, the highest remains. */
	while (told < n &&
	       !__atomic_compare_exchange_n(&w->dropped, &told, n, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	/* The first byte is stored last.  Threads that do this at the same time
	 * store the same bytes. */
	if (!*reason || __atomic_load_n(&w->drop_reason[0], __ATOMIC_RELAXED))
		return;
	for (size_t i = WMW_TEXT - 1; i-- > 0;)
		__atomic_store_n(&w->drop_reason[i], reason[i],
				 __ATOMIC_RELEASE);
}

const char *wm_drop_reason(void)
{
	/* pairs with the release in keep_reason() */
	return wm_state && atomic_load_explicit(&wm_state->drop_told,
						memory_order_acquire) == 2 ?
		       wm_state->drop_reason :
		       "";
}

/* Keeps the first reason.  While one thread stores a reason, the reasons of
 * other threads are dropped. */
static void keep_reason(struct wm_state *st, const char *reason)
{
	struct wm_text t;
	int none = 0;

	if (!atomic_compare_exchange_strong(&st->drop_told, &none, 1))
		return;
	t = wm_text_on(st->drop_reason, sizeof(st->drop_reason));
	wm_text_add(&t, reason);
	atomic_store_explicit(&st->drop_told, 2, memory_order_release);
}

static _Atomic uint64_t early;
static const char *_Atomic early_reason;

void wm_drop_early(void)
{
	uint64_t n;

	/* drop_early() stores `early` before it loads wm_state, and here
	 * wm_state was stored before `early` is loaded: one of the two threads
	 * sees the other's store. */
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
	/* Events after the end are not part of the trace. */
	if (tracing == WM_TRACING_ENDED)
		return;
	if (tracing == WM_TRACING_CAPPED) {
		atomic_fetch_add_explicit(&st->not_written, n,
					  memory_order_relaxed);
		return;
	}
	/* Pairs with wm_crash_buffer_publish(), which stores the count if this
	 * thread does not see the crash buffer yet. */
	atomic_fetch_add(&st->dropped, n);
	if (reason)
		keep_reason(st, reason);
	crash_buffer = atomic_load(&st->crash_buffer);
	if (crash_buffer)
		wm_drop_tell(crash_buffer);
}
