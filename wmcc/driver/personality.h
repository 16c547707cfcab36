/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler that belongs to the name of the command. */
#pragma once

#include "wmcc/base/strv.h"

struct wm_personality {
	const char *name; /* as in argv[0] */
	const char *variable; /* WM_CC, WM_CXX or WM_FC */
	const char *compiler; /* chosen by @name; NULL: by @variable */
};

/* Returns C's personality for unknown names. */
const struct wm_personality *wm_personality_find(const char *argv0);

/* Adds the compiler's words from the environment or the default. */
void wm_personality_compiler(const struct wm_personality *p,
			     struct wm_strv *words);
