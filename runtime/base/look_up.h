/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic programs: the real functions behind the wrappers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/attributes.h"

/* Returns the result of dlsym(@where, @name) called in this file, or NULL if
 * there is none.  Changes neither the program's heap nor its dlerror(). */
void *wm_look_up(void *where, const char *name) wm_hidden;
/* Returns the function that RTLD_NEXT gives, if a file that was loaded with the
 * program has it, so that it never changes.  Returns NULL if no such file has
 * it, or if this is not known. */
void *wm_look_up_start(const char *name) wm_hidden;
/* Likewise, of a file that is searched before this one; NULL if there is
 * none. */
const void *wm_look_up_before(const char *name) wm_hidden;
/* Returns whether one file defines both functions (looked up before). */
bool wm_of_one_library(const char *name, const void *at, const char *other,
		       const void *others) wm_hidden;

/* The function malloc_usable_size of the allocator behind the wrappers, or NULL
 * if it has none. */
extern size_t (*wm_usable_size)(void *) wm_hidden;
