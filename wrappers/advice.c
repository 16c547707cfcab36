/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers madvise, and __madvise in static programs.  Neither call is an event.
 * But advice may make memory cease to be resident, which the runtime has to
 * know when it looks at resident memory (runtime/event/looks.h); and the
 * runtime itself advises pages that are followed.
 *
 * Leaves out posix_madvise, which removes no memory; in dynamic programs also
 * process_madvise, syscall, and libc's own calls.
 */
#include <errno.h>
#include <stdbool.h>

#include "wrappers/forks_and_limits.h"

static int advise(int (*real)(void *, size_t, int), void *addr, size_t len,
		  int advice)
{
	return wm_pages_are_on() ?
		       (int)wm_from_kernel(wm_pages_advise(addr, len, advice)) :
		       real(addr, len, advice);
}

#ifdef WM_DYNAMIC
wm_export_weak int madvise(void *addr, size_t len, int advice)
#else
WM_WRAPPED(int, madvise, void *addr, size_t len, int advice);
WM_WRAPPED(int, __madvise, void *addr, size_t len, int advice);

/* libc also calls this in a thread that ends, so it looks at nothing. */
int __wrap___madvise(void *addr, size_t len, int advice)
{
	wm_advice_asks(advice);
	if (!wm_advice_keeps(advice))
		wm_memory_fades_inside(len);
	return advise(__real___madvise, addr, len, advice);
}

int __wrap_madvise(void *addr, size_t len, int advice)
#endif
{
	uint64_t signals;
	bool looks;
	int r;

	if (WM_REAL_MISSING()) {
		errno = ENOMEM;
		return -1;
	}
	wm_advice_asks(advice);
	if (wm_advice_keeps(advice))
		return advise(WM_REAL(madvise), addr, len, advice);
	if (!wm_enter_alone(&signals)) {
		wm_memory_fades_inside(len);
		return advise(WM_REAL(madvise), addr, len, advice);
	}
	looks = wm_memory_fades(len);
	r = WM_OUTSIDE(&signals, advise(WM_REAL(madvise), addr, len, advice));
	if (looks)
		wm_memory_gone();
	wm_leave_alone(&signals);
	return r;
}
