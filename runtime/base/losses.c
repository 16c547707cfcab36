/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/losses.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/state.h"
#include "runtime/base/text.h"

/* For the reader of a killed process. */
static void tell_crash_buffer(const struct wm_state *st, uint64_t n)
{
	struct wmw_head *w = atomic_load(&st->crash_buffer);

	if (!w)
		return;
	__atomic_fetch_add(&w->dropped, n, __ATOMIC_RELAXED);
	if (st->drop_reason[0] && !w->drop_reason[0])
		memcpy(w->drop_reason, st->drop_reason, WMW_TEXT - 1);
}

void wm_drop(uint64_t n, const char *reason)
{
	struct wm_state *st = wm_state;
	int tracing;

	if (!st || wm_forked(st))
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
	atomic_fetch_add_explicit(&st->dropped, n, memory_order_relaxed);
	if (reason && !st->drop_reason[0]) {
		struct wm_text t = wm_text_on(st->drop_reason,
					      sizeof(st->drop_reason));

		wm_text_add(&t, reason);
	}
	tell_crash_buffer(st, n);
}
