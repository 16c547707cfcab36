/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/process/child.h"

#include "runtime/base/depth.h"
#include "runtime/base/lock.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/callpath/callpath.h"
#include "runtime/callpath/modules.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/process/process_hooks.h"
#include "runtime/process/start.h"
#include "runtime/trace/bursts.h"
#include "runtime/trace/child_usage.h"
#include "runtime/trace/crash_buffer.h"
#include "runtime/trace/holders.h"
#include "runtime/trace/names.h"
#include "runtime/trace/writer.h"

bool wm_child_wanted(void)
{
	return wm_options.children || wm_child_followed;
}

bool wm_child_begin(void)
{
	struct wm_state *st = wm_state;
	int none = WM_TRACING_NONE;

	/* Events of the child's other threads are lost until tracing is ON
	 * (decisions.md, Trace). */
	if (!wm_child_wanted() ||
	    !atomic_compare_exchange_strong(&st->tracing, &none,
					    WM_TRACING_BEGINNING))
		return false;
	wm_child_followed = false;
	/* All locks of the parent are free after this. */
	wm_lock_forks++;
	st->wipes = 1; /* otherwise `tracing` would not have been wiped */
	wm_state_begin(st);
	wm_identity.parent = wm_identity.pid;
	wm_identity.pid = st->pid;
	wm_self = NULL;
	wm_pool_forget();
	wm_modules_forget();
	wm_pathdb_forget();
	wm_callpath_forget();
	wm_names_forget();
	wm_burst_clock_forget();
	/* The child's trace has no PAUSE. */
	atomic_fetch_and(&wm_slow_reasons,
			 ~(WM_SLOW_PAUSED | WM_SLOW_HOLDERS | WM_SLOW_LOOKS));
	wm_holders_forget();
	wm_crash_buffer_forget();
	wm_writer_forget();
	/* Stored last: from here on all threads record. */
	atomic_store(&st->tracing, WM_TRACING_ON);
	wm_writer_open();
	return true;
}

void wm_child_begin_aside(void *begun)
{
	*(bool *)begun = wm_child_begin();
}

void wm_follow_child(bool on)
{
	bool is_child = wm_child_followed && !on && wm_state &&
			wm_forked(wm_state);
	bool begun;
	uintptr_t depth = wm_depth;

	if (is_child) {
		wm_depth = (uintptr_t)wm_frame();
		wm_aside(wm_child_begin_aside, &begun);
		wm_depth = depth;
	}
	wm_child_followed = on;
}
