/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shared libraries that a program needs are its twin's, too.  The twin
 * defines functions that it wraps, so --as-needed would drop a library that the
 * program needs for nothing else.
 *
 * No state; may allocate.
 */
#ifndef WM_WMCC_NEEDED_H
#define WM_WMCC_NEEDED_H

#include "wmcc/link/ldargs.h"

/* Fill @keep of wm_additions: the words of @link that are libraries, or linker
 * scripts of such, which the program at @plain needs (DT_NEEDED). */
void wm_needed_find(struct wm_strv *keep, const struct wm_ldargs *link,
		    const char *plain);

#endif
