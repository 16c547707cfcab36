/* SPDX-License-Identifier: Apache-2.0 */
/* For dynamic programs: finds the real functions behind the wrappers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/attributes.h"

/* Returns the result of dlsym(@where, @name) called in this file, or NULL if
 * there is none.  Changes neither the program's heap nor its dlerror(). */
void *wm_look_up(void *where, const char *name) wm_hidden;
/* Returns the function that RTLD_NEXT gives, or NULL if no file that was loaded
 * with the program has it, or the loader has to choose among versions. */
void *wm_look_up_start(const char *name) wm_hidden;
/* Likewise, from a file that is searched before this one. */
const void *wm_look_up_before(const char *name) wm_hidden;
/* Returns whether one file defines both functions. */
bool wm_of_one_library(const char *name, const void *at, const char *other,
		       const void *others) wm_hidden;

/* The malloc_usable_size of the allocator behind the wrappers, or NULL. */
extern size_t (*wm_usable_size)(void *) wm_hidden;
