/* SPDX-License-Identifier: Apache-2.0 */
/* Finds libraries whose allocations cannot be seen, because they call another
 * malloc than ours.  Such libraries exist only in dynamic programs. */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"

#define WM_UNSEEN_ROOM 512 /* bytes of names, with the final zero */

#ifdef WM_DYNAMIC
/* Called before the library @path is opened in a way that may hide its
 * allocations from us (event_hooks.h). */
void wm_unseen_opened(const char *path) wm_hidden;
/* Examines all loaded libraries if any was opened in this way.  Does nothing if
 * the last examination was a short time ago, unless @last is set.  Takes no
 * lock of the loader.  Runs on a stack of ours. */
void wm_unseen_look(bool last) wm_hidden;
/* Called when there is a crash buffer: stores the names in it, including those
 * of libraries that have not been examined yet. */
void wm_unseen_tell(void) wm_hidden;
/* Copies the names found so far; returns false if there are none.  Any
 * thread. */
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
