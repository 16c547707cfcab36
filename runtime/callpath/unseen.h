/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries whose allocations cannot be seen: they call another malloc than
 * ours.  Only in dynamic programs. */
#ifndef WM_RUNTIME_UNSEEN_H
#define WM_RUNTIME_UNSEEN_H

#include <stdbool.h>

#include "runtime/base/attributes.h"

#define WM_UNSEEN_ROOM 512 /* bytes of names, with the final zero */

#ifdef WM_DYNAMIC
/* The library @path is about to be opened in a way that may keep its
 * allocations from us (event_hooks.h). */
void wm_unseen_opened(const char *path) wm_hidden;
/* Examines all loaded libraries, if any were opened so; without @last not if
 * that was done a short time ago.  Takes no lock of the loader; on a stack of
 * ours. */
void wm_unseen_look(bool last) wm_hidden;
/* There is a crash buffer now: stores the names, also of libraries that were
 * not examined yet. */
void wm_unseen_tell(void) wm_hidden;
/* The names found so far; false: none.  Any thread. */
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
