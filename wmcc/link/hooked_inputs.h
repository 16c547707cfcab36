/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs of app.wma: each object, and each member of an archive that the
 * plain link took, is replaced by its hooked object, if the cache has one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "wmcc/access/compile_cache.h"
#include "wmcc/access/hooked.h"
#include "wmcc/census/census.h"
#include "wmcc/census/linkmap.h"
#include "wmcc/link/givers.h"
#include "wmcc/link/ldargs.h"

struct wm_hooked_inputs {
	struct wm_ldargs link; /* the user's link, with other files */
	struct wm_object_cache cache;
	char *work; /* for objects and copies of archives; NULL: none */
	struct wm_strv was, is; /* replaced objects and replacements */
	size_t hooked; /* number of objects and members */
	struct wm_hookless *hookless;
	size_t hookless_count, hookless_capacity;
};

/* @map is the map of the plain link.  Returns NULL, or why there is no hooked
 * program, which the caller frees.  @h must be released in any case. */
char *wm_hooked_inputs_find(struct wm_hooked_inputs *h,
			    const struct wm_ldargs *link,
			    const struct wm_linkmap *map);
void wm_hooked_inputs_release(struct wm_hooked_inputs *h);

/* Adds the replaced objects and their replacements to @g. */
void wm_hooked_inputs_givers(const struct wm_hooked_inputs *h,
			     struct wm_givers *g);

/* Returns text for one line, which the caller frees, or NULL if all of the
 * user's own objects have hooks. */
char *wm_hooked_inputs_lack(const struct wm_hooked_inputs *h);

/* Makes hooked objects for the temporary objects of @c, which are among the
 * files of @link. */
void wm_hooked_inputs_compile(const struct wm_compile *c,
			      const struct wm_ldargs *link);
