/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that both the twin and another tool wrap: --wrap=X of the user's
 * link, and a __wrap_X in its objects or archives (Darshan, TAU, mocks of a
 * test).  Both are called in the twin, each once.
 *
 *   X is wrapped by the link, and the tool calls __real_X: ours comes behind
 *     theirs.  Ours is called wmreal_X, and so is what they call.
 *   ... and the tool never calls __real_X: ours comes before theirs, which
 *     becomes wmwrap_X, and ours calls that.
 *   X is not wrapped by the link: theirs becomes wmwrap_X, which nothing but
 *     their own calls reach, as in the plain program.
 *
 * Names change in copies of the objects and archives that have them.  The names
 * that a linker makes of --wrap=X and __real_X itself stay as it is.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_CHAIN_H
#define WM_WMCC_CHAIN_H

#include "wmcc/census/linkmap.h"
#include "wmcc/link/givers.h"
#include "wmcc/link/ldargs.h"
#include "wmcc/link/program_info.h"

struct wm_chain {
	struct wm_ldargs link; /* the user's, with copies for files */
	struct wm_strv was, is; /* files, and their copies */
	struct wm_strv giver; /* names in their copies */
	bool needed; /* false: there is nothing in common */
};

/*
 * Make the copies, beside @near, for the program @o, whose twin gets @add;
 * objects of @add are replaced, too.  @map: the plain link's.  NULL, or why it
 * cannot be done (the caller frees it).
 */
char *wm_chain_make(struct wm_chain *c, struct wm_additions *add,
		    const struct wm_program_info *o,
		    const struct wm_ldargs *link, const struct wm_linkmap *map,
		    const char *near);

/* Functions that the program takes from a copy now. */
void wm_chain_givers(struct wm_chain *c, struct wm_givers *g);

void wm_chain_release(struct wm_chain *c);

#endif
