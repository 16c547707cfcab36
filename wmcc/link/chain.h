/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that both wmtools and another tool wrap: --wrap=X of the user's
 * link, and a __wrap_X in its objects or archives (Darshan, TAU, mocks of a
 * test).  The relinked program calls both wrappers, each once.
 *   If the link wraps X and the tool calls __real_X, the tool's wrapper calls
 *     ours: our wrapper is named wmreal_X, and the tool calls wmreal_X.
 *   If the link wraps X and the tool never calls __real_X, our wrapper calls
 *     the tool's wrapper, which is renamed to wmwrap_X.
 *   If the link does not wrap X, the tool's wrapper is renamed to wmwrap_X, and
 *     only the tool's own calls reach it, as in the plain program.
 *
 * Names are changed in copies of objects and archives.  Names that a linker
 * derives from --wrap=X and __real_X do not change.
 */
#pragma once

#include "wmcc/census/linkmap.h"
#include "wmcc/link/givers.h"
#include "wmcc/link/ldargs.h"
#include "wmcc/link/program_info.h"

struct wm_chain {
	struct wm_ldargs link; /* the user's link, with copies for files */
	struct wm_strv was, is; /* files, and their copies */
	struct wm_strv giver; /* files that provide names, as in their copies */
	bool needed; /* false: no function is wrapped by both */
};

/* Makes the copies beside @near; objects in @add are replaced, too.  @map is
 * the map of the plain link.  Returns NULL, or the reason for a failure, which
 * the caller frees. */
char *wm_chain_make(struct wm_chain *c, struct wm_additions *add,
		    const struct wm_program_info *o,
		    const struct wm_ldargs *link, const struct wm_linkmap *map,
		    const char *near);

/* Changes @g to the copies from which the program now takes functions. */
void wm_chain_givers(struct wm_chain *c, struct wm_givers *g);

void wm_chain_release(struct wm_chain *c);
