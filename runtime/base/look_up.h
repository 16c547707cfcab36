/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic programs: the real functions behind the wrappers. */
#ifndef WM_RUNTIME_LOOK_UP_H
#define WM_RUNTIME_LOOK_UP_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/attributes.h"

/* As dlsym(@where, @name) called in this file; NULL: there is none.  Changes
 * neither the program's heap nor its dlerror(). */
void *wm_look_up(void *where, const char *name) wm_hidden;
/* RTLD_NEXT, if it is in a file that was loaded with the program, so that it
 * never changes; NULL: it is not, or that is unknown. */
void *wm_look_up_start(const char *name) wm_hidden;
/* That of a file that is searched before this one, likewise; NULL: none. */
const void *wm_look_up_before(const char *name) wm_hidden;
/* Whether one file defines these two functions, which have been looked up. */
bool wm_of_one_library(const char *name, const void *at, const char *other,
		       const void *others) wm_hidden;

/* malloc_usable_size of the allocator behind the wrappers;
 * NULL: it has none. */
extern size_t (*wm_usable_size)(void *) wm_hidden;

#endif
