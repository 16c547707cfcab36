/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the variables for blocks, local variables and regions in a
 * resolver's table.  Variables are made when first needed.  Only for resolvers.
 * The functions return UINT32_MAX without memory. */
#pragma once

#include "analyze/access/resolve.h"

/* Adds @v, and takes its name. */
uint32_t wm_resolver_variable(struct wm_resolver *r,
			      const struct wm_access_variable *v);
/* Returns the variable of the blocks of @family from @path that have name @name
 * (0: none).  Returns 0 without memory. */
uint32_t wm_resolver_called(struct wm_resolver *r, uint8_t family,
			    uint32_t path, uint32_t name);
/* @local NULL: anything in such a frame. */
uint32_t wm_resolver_local(struct wm_resolver *r,
			   const struct wm_live_frame *frame,
			   const struct wm_local *local);
/* @owner is the variable that the region is on, and begins at @base. */
uint32_t wm_resolver_region(struct wm_resolver *r, const struct wm_region *g,
			    uint32_t owner, uint64_t base);
/* Adds a mapped module and its static variables as objects. */
enum wm_status wm_resolver_module(struct wm_resolver *r,
				  const struct wm_mapping *m,
				  struct wm_err *err);
