/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries whose allocations cannot be seen: their calls of malloc and its
 * like go to another function than ours.  Dynamic programs alone have any.
 */
#ifndef WM_RUNTIME_UNSEEN_H
#define WM_RUNTIME_UNSEEN_H

#include <stdbool.h>

#include "runtime/hooks.h"

#define WM_UNSEEN_ROOM 512 /* bytes of names, with the final zero */

#ifdef WM_DYNAMIC
/* Look at all libraries that are loaded, if any were opened apart (hooks.h).
 * Takes no lock of the loader; on a stack of ours.  Not @last: unless there was
 * a look a short time ago. */
void wm_unseen_look(bool last) wm_hidden;
/* There is a window now: it has those that nobody has looked at, too. */
void wm_unseen_tell(void) wm_hidden;
/* The names of those found so far; false: none.  Any thread. */
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

#endif
