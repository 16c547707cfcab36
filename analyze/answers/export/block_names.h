/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of single blocks in lists: the program's own name, the variable that
 * holds the block, or its allocation site.
 *
 * Two call paths may have one site, and the program may give a name that a site
 * has, too.  Names with the same text are one name and share one number.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/index.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/accesses/access_names.h"
#include "analyze/lib/trace/reader.h"

struct wm_block_names {
	const struct wm_analysis *a;
	const struct wm_access_names *names;
	const char **text; /* by number; they belong to @names and @a */
	size_t count, cap;
	struct wm_index index;
	uint32_t
		/* by call path: number of the name, and 1; 0: no number yet */
		*site[WM_FAMILIES];
	size_t paths;
};

/* @a and @names must live as long as @n.  Returns false if memory is short. */
bool wm_block_names_init(struct wm_block_names *n, const struct wm_analysis *a,
			 const struct wm_access_names *names);
void wm_block_names_release(struct wm_block_names *n);
/* Returns the number of a name, or UINT32_MAX if memory is short. */
uint32_t wm_block_names_site(struct wm_block_names *n, uint8_t family,
			     uint32_t path);
/* Does the same for a given name; @text must live as long as @n. */
uint32_t wm_block_names_given(struct wm_block_names *n, const char *text);
