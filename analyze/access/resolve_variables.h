/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of the variables of a resolver's table for blocks, local variables
 * and regions; each variable is made when first needed.
 *
 * Only for a resolver (resolve.h).  The functions return UINT32_MAX without
 * memory.
 */
#pragma once

#include "analyze/access/resolve.h"

/* Adds a new variable, which takes v->name, and returns its number. */
uint32_t wm_resolver_variable(struct wm_resolver *r,
			      const struct wm_access_variable *v);
/* Returns the variable of the blocks of @family from @path to which the program
 * gives name number @name; 0 is no name.  Returns 0 without memory. */
uint32_t wm_resolver_called(struct wm_resolver *r, uint8_t family,
			    uint32_t path, uint32_t name);
/* Returns the variable of @local in a frame; if NULL, of anything in such a
 * frame. */
uint32_t wm_resolver_local(struct wm_resolver *r,
			   const struct wm_live_frame *frame,
			   const struct wm_local *local);
/* Returns the variable of region @g on variable @owner, which begins at
 * @base. */
uint32_t wm_resolver_region(struct wm_resolver *r, const struct wm_region *g,
			    uint32_t owner, uint64_t base);
/* Adds a mapped module and its static variables as objects. */
enum wm_status wm_resolver_module(struct wm_resolver *r,
				  const struct wm_mapping *m,
				  struct wm_err *err);
