/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls inside other intercepted calls: is it the other call's own doing, as
 * when an allocator's calloc() calls malloc(), or that of a signal handler
 * that has interrupted it?  The second cannot be recorded, as the event that
 * it interrupts may be half done, and must not be lost without a count.
 *
 * Between a handler and what it has interrupted stands the frame that the
 * kernel has made for it.  It is looked for in the part of the stack between
 * the two calls, which is short.  Where they are far apart they are on
 * different stacks: the handler has one of its own.  Where that lies above, as
 * in a frame of main, only the kernel knows.
 *
 * A handler that leaves a call by longjmp leaves its mark behind.  A call from
 * further out shows that, and so do frames that lead past it.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

#include "runtime/base/losses.h"
#include "runtime/base/signal_stack.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/callpath/unwind_walk.h"
#include "runtime/hooks.h"
#include "runtime/process/early.h"

#define FAR WM_LEFT_BEHIND
#define NO_SUCH_HOW 77
#define USER_CODE 0x33 /* code segment of 64-bit programs */

/* false: there is no memory.  The kernel reads the mask before it looks at what
 * it is to do with it, which is nothing that it knows. */
static bool is_there(uintptr_t page)
{
	return WM_SYS4(SYS_rt_sigprocmask, NO_SUCH_HOW, page, 0, 8) != -EFAULT;
}

/* Does @at look like what the kernel saves of code that ran on the stack of
 * @outer?  Other machines: not looked for. */
static bool is_saved(uintptr_t at, uintptr_t outer)
{
#if defined(__x86_64__)
	const ucontext_t *c = (const void *)at;
	const greg_t *r = c->uc_mcontext.gregs;
	uintptr_t vectors = (uintptr_t)c->uc_mcontext.fpregs;

	return !c->uc_link && (r[REG_CSGSFS] & 0xffff) == USER_CODE &&
	       outer - (uintptr_t)r[REG_RSP] < FAR &&
	       (!vectors || (vectors > at && vectors - at < FAR));
#else
	(void)at;
	(void)outer;
	return false;
#endif
}

/* It is aligned to 16 bytes, and all that is_saved() reads lies below
 * @outer, or the frame of @outer's caller. */
static bool has_handler(uintptr_t here, uintptr_t outer)
{
	uintptr_t end = outer - offsetof(ucontext_t, uc_sigmask);
	uintptr_t ready = here | (WM_PAGE - 1);

	for (uintptr_t at = (here + 15) & ~(uintptr_t)15; at < end; at += 16) {
		uintptr_t last = at + offsetof(ucontext_t, uc_sigmask) - 1;

		if (last > ready) {
			if (!is_there(last & ~(WM_PAGE - 1)))
				return true;
			ready = last | (WM_PAGE - 1);
		}
		if (is_saved(at, outer))
			return true;
	}
	return false;
}

static void count_nested(uintptr_t here)
{
	uintptr_t outer = wm_depth;

	/* the runtime itself: at start, or at the end */
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

/* A signal handler has left it by longjmp: what it was at is half done. */
static void leave_behind(void)
{
	struct wm_slot *s = wm_self;
	struct wm_walk *w = s ? s->walk : NULL;

	if (w) {
		wm_walk_restart(w);
		wm_walk_forget(w); /* a row may be half written */
	}
}

/* Rows of a library that goes, or has gone, say nothing. */
static bool has_rows(const struct wm_slot *s)
{
	return s->walk && !wm_is_closing() &&
	       s->closings ==
		       atomic_load_explicit(&wm_closings, memory_order_acquire);
}

/* It went on deeper than the call was.  Before its first event a thread has no
 * slot. */
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
	/* a handler's own stack may lie above */
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

/* But for those that come from what the code itself does. */
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
