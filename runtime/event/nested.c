/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call inside another intercepted call is made either by the outer call, as
 * when an allocator's calloc() calls malloc(), or by a signal handler that has
 * interrupted the outer call.  A handler's call cannot be recorded, because the
 * interrupted event may be half done; it is counted as lost.
 *
 * The kernel's frame for a handler is between the two calls.  That part of the
 * stack is short, so it is searched for such a frame.  If the two calls are far
 * apart, the handler has its own stack.  If that stack is above the outer call,
 * only the kernel knows that the handler is running.
 *
 * A handler that leaves a call by longjmp leaves the call's mark in wm_depth.
 * A later call from further out shows this, and so do frames that lead past the
 * mark.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(saved_registers.h)

#include "runtime/base/depth.h"
#include "runtime/base/losses.h"
#include "runtime/base/signal_stack.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/callpath/unwind_walk.h"
#include "runtime/event/event_hooks.h"

#define FAR WM_LEFT_BEHIND
#define NO_SUCH_HOW 77

/* Returns whether @page is mapped.  The kernel reads the mask on that page
 * before it finds that the request is unknown. */
static bool is_there(uintptr_t page)
{
	return WM_SYS4(SYS_rt_sigprocmask, NO_SUCH_HOW, page, 0, 8) != -EFAULT;
}

/* Searches for the frame of a handler.  The memory that wm_is_saved() reads is
 * below @outer, or in the frame of @outer's caller. */
static bool has_handler(uintptr_t here, uintptr_t outer)
{
	uintptr_t end = outer - WM_SAVED_BYTES;
	uintptr_t ready = here | (WM_PAGE_LEAST - 1);

	for (uintptr_t at = (here + WM_SAVED_ALIGN - 1) &
			    ~(uintptr_t)(WM_SAVED_ALIGN - 1);
	     at < end; at += WM_SAVED_ALIGN) {
		uintptr_t last = at + WM_SAVED_BYTES - 1;

		if (last > ready) {
			if (!is_there(last & ~(WM_PAGE_LEAST - 1)))
				return true;
			ready = last | (WM_PAGE_LEAST - 1);
		}
		if (wm_is_saved(at, outer, FAR))
			return true;
	}
	return false;
}

static void count_nested(uintptr_t here)
{
	uintptr_t outer = wm_depth;

	if (outer == 1)
		return;
	if (outer == WM_DEPTH_EARLY) {
		wm_drop(1, "an IFUNC resolver allocated or "
			   "released memory before threads had their storage");
		return;
	}
	if (outer - here >= FAR || has_handler(here, outer))
		wm_drop(1,
			"a signal handler allocated or released memory "
			"while another such call of its thread was under way");
}

static void leave_behind(void)
{
	struct wm_slot *s = wm_self;
	struct wm_walk *w = s ? s->walk : NULL;

	if (w) {
		wm_walk_restart(w);
		wm_walk_forget(w);
	}
}

/* Returns whether there are rows that no dlclose has made invalid. */
static bool has_rows(const struct wm_slot *s)
{
	return s->walk && !wm_is_closing() &&
	       s->closings ==
		       atomic_load_explicit(&wm_closings, memory_order_acquire);
}

/* Returns whether frames show that the program left the outer call and then
 * continued deeper.  Before its first event a thread has no slot. */
static bool has_left(uintptr_t here)
{
	const struct wm_slot *s = wm_self;
	uintptr_t outer = wm_depth;

	return outer != 1 && outer != WM_DEPTH_EARLY && outer - here < FAR &&
	       (!s || has_rows(s)) &&
	       wm_walk_has_left(s ? s->walk : NULL, here, outer);
}

bool wm_enter_again(uintptr_t here)
{
	/* A handler's own stack may be above. */
	if ((here - wm_depth >= WM_LEFT_BEHIND ||
	     wm_is_on_signal_stack(wm_depth)) &&
	    !has_left(here)) {
		count_nested(here);
		return false;
	}
	leave_behind();
	wm_depth = here;
	return true;
}

/* Blocks all signals except those that the code itself can cause. */
void wm_signals_hold(uint64_t *signals)
{
	static const int own[] = { SIGSEGV, SIGBUS,  SIGILL,
				   SIGFPE,  SIGTRAP, SIGSYS };
	uint64_t mask = ~UINT64_C(0);

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		mask &= ~(UINT64_C(1) << (own[i] - 1));
	WM_SYS4(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, &mask, signals, 8);
}

void wm_signals_release(const uint64_t *signals)
{
	wm_sys_restore_signals(signals);
}
