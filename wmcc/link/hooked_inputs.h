/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inputs of app.wma: for each object, and each member of an archive
 * that the plain link took, its hooked one from the cache, where there is one.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_HOOKED_INPUTS_H
#define WM_WMCC_HOOKED_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "wmcc/access/compile_cache.h"
#include "wmcc/access/hooked.h"
#include "wmcc/census/census.h"
#include "wmcc/census/linkmap.h"
#include "wmcc/link/givers.h"
#include "wmcc/link/ldargs.h"

struct wm_hooked_inputs {
	struct wm_ldargs link; /* the user's with other files */
	struct wm_object_cache cache;
	char *room; /* where objects and copies of archives are, or NULL */
	struct wm_strv was, is; /* objects that are replaced, and by which */
	size_t hooked; /* objects and members */
	struct wm_hookless *hookless;
	size_t hookless_count, hookless_capacity;
};

/*
 * @map: the plain link's.  NULL, or why there can be no hooked program (the
 * caller frees it).  @h is to be released in any case.
 */
char *wm_hooked_inputs_find(struct wm_hooked_inputs *h,
			    const struct wm_ldargs *link,
			    const struct wm_linkmap *map);
void wm_hooked_inputs_release(struct wm_hooked_inputs *h);

/* The pairs of an object and its replacement, as wm_givers_compare() wants to
 * know it. */
void wm_hooked_inputs_givers(const struct wm_hooked_inputs *h,
			     struct wm_givers *g);

/* The user's own objects without hooks, in words for one line; NULL: nothing.
 * The caller frees it. */
char *wm_hooked_inputs_lack(const struct wm_hooked_inputs *h);

/*
 * The compiler of @c compiles and links at once: its temporary objects are
 * among the files of @link.  Make hooked ones of them.
 */
void wm_hooked_inputs_compile(const struct wm_compile *c,
			      const struct wm_ldargs *link);

#endif
