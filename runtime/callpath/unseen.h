/* SPDX-License-Identifier: Apache-2.0 */
/* Finds libraries whose allocations cannot be seen, because they do not call
 * the wrappers.  Such libraries exist only in dynamic programs. */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"

#define WM_UNSEEN_ROOM 512 /* bytes of names, with the final zero */

#ifdef WM_DYNAMIC
/* Called before library @path is opened in a way that may hide its allocations
 * (event_hooks.h). */
void wm_unseen_opened(const char *path) wm_hidden;
/* Examines all loaded libraries if wm_unseen_opened() was called, but not again
 * shortly after that, unless @last is set.  Takes no lock of the loader.  Runs
 * on the runtime's own stack. */
void wm_unseen_look(bool last) wm_hidden;
/* Stores the names of opened libraries in the crash buffer, if there is one. */
void wm_unseen_tell(void) wm_hidden;
/* Copies the names found so far.  Returns false if there are none.  Any thread
 * may call this. */
bool wm_unseen_names(char names[WM_UNSEEN_ROOM]) wm_hidden;
#else
static inline void wm_unseen_look(bool last)
{
	(void)last;
}

static inline void wm_unseen_tell(void)
{
}

static inline bool wm_unseen_names(char names[WM_UNSEEN_ROOM])
{
	names[0] = 0;
	return false;
}
#endif
