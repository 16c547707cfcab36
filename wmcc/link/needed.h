/* SPDX-License-Identifier: Apache-2.0 */
/* A relinked program must need the same shared libraries as the plain program.
 * As it defines the functions that it wraps, --as-needed would drop a library
 * that the program needs only for these functions. */
#pragma once

#include "wmcc/link/ldargs.h"

/* Adds the words of @link that are libraries which the program @plain needs
 * (DT_NEEDED), or linker scripts that name such libraries. */
void wm_needed_find(struct wm_strv *keep, const struct wm_ldargs *link,
		    const char *plain);
