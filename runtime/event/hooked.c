/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first load or store of a thread whose objects have hooks (runtime/access).
 */
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/event/slot.h"
#include "runtime/process/early.h"
#include "runtime/process/start.h"
#include "runtime/trace/accesses.h"

/* Never, in this process; the child of a fork asks again. */
static struct wm_access_stream *never(void)
{
	wm_access_self = (uintptr_t)&wm_access_none + 1;
	return NULL;
}

static void begin(void *arg)
{
	struct wm_access_stream **out = arg;
	struct wm_slot *slot = wm_self;

	if (slot && slot->base && slot->accesses &&
	    atomic_load(&slot->accesses->on) && slot->accesses->slot == slot) {
		/* a handler has begun it just now */
		*out = slot->accesses;
		return;
	}
	if (!slot || !slot->base)
		slot = wm_slot_room();
	*out = slot ? wm_access_stream_begin(slot) : NULL;
}

struct wm_access_stream *wm_access_begin(void)
{
	struct wm_access_stream *s = NULL;
	uintptr_t depth = wm_depth;

	/* libc is not there yet */
	if (depth == WM_DEPTH_EARLY)
		return NULL;
	if (!wm_state && !wm_start())
		return wm_start_is_done() ? never() : NULL;
	if (wm_options.no_accesses ||
	    (!wm_forked(wm_state) &&
	     atomic_load(&wm_state->tracing) != WM_TRACING_ON))
		return never();
	/* a vfork child, which shares our memory */
	if (!wm_forked(wm_state) && wm_sys_getpid() != wm_state->pid)
		return NULL;
	if (!depth)
		wm_depth = (uintptr_t)wm_frame();
	wm_aside(begin, &s);
	wm_depth = depth;
	if (!s)
		return never();
	return s;
}
