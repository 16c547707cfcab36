/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dynamic programs: a library may go, and another one come to its place.
 */
#ifdef WM_DYNAMIC
#include <stdatomic.h>

#include "runtime/base/state.h"
#include "runtime/callpath/modules.h"
#include "runtime/callpath/unseen.h"
#include "runtime/hooks.h"
#include "runtime/trace/writer.h"

void wm_library_closing(void)
{
	/* while the library is there to be seen */
	if (wm_state && !wm_forked(wm_state)) {
		wm_modules_look();
		wm_unseen_look(true);
	}
	/* In this order: who sees by wm_closings that rows are void (the
	 * acquires in record.c and callpath.c) sees that a library goes. */
	atomic_fetch_add(&wm_closing_now, 1);
	atomic_fetch_add(&wm_closings, 1);
}

void wm_library_closed(void)
{
	wm_writer_library_closed();
	/* And the other way round: who sees that none goes any more sees that
	 * what was learned meanwhile is void. */
	atomic_fetch_add(&wm_closings, 1);
	atomic_fetch_sub(&wm_closing_now, 1);
}
#endif
