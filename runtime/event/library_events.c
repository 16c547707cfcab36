/* SPDX-License-Identifier: Apache-2.0 */
/* For dynamic programs, where a library may be mapped in another's place. */
#ifdef WM_DYNAMIC
#include <stdatomic.h>

#include "runtime/base/state.h"
#include "runtime/callpath/modules.h"
#include "runtime/callpath/unseen.h"
#include "runtime/event/event_hooks.h"
#include "runtime/trace/writer.h"

void wm_library_apart(const char *path)
{
	wm_unseen_opened(path);
}

void wm_library_closing(void)
{
	/* while the library is still mapped */
	if (wm_state && !wm_forked(wm_state)) {
		wm_modules_look();
		wm_unseen_look(true);
	}
	/* In this order: a thread that reads wm_closings (the acquires in
	 * record.c and callpath.c) also sees the dlclose. */
	atomic_fetch_add(&wm_closing_now, 1);
	atomic_fetch_add(&wm_closings, 1);
}

void wm_library_closed(void)
{
	wm_writer_library_closed();
	/* In the reverse order: a thread that no longer sees the dlclose sees
	 * that rows from the time of the dlclose are invalid. */
	atomic_fetch_add(&wm_closings, 1);
	atomic_fetch_sub(&wm_closing_now, 1);
}
#endif
