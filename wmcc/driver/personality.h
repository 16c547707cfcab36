/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler that belongs to the name by which we were called.
 *
 * One thread, may allocate; results belong to the caller.
 */
#pragma once

#include "wmcc/base/strv.h"

struct wm_personality {
	const char *name; /* as in argv[0] */
	const char *variable; /* WM_CC, WM_CXX or WM_FC */
	const char *compiler; /* chosen by the name; NULL: by the variable */
};

/* Returns the personality for the base name of @argv0; unknown names are
 * C's. */
const struct wm_personality *wm_personality_find(const char *argv0);

/*
 * Adds the words of the real compiler's command, at least one, from the
 * environment or the default.
 */
void wm_personality_compiler(const struct wm_personality *p,
			     struct wm_strv *words);
