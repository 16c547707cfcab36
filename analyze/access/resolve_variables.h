/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of the variables of a resolver's table: what blocks, local variables
 * and regions belong to, each made when it is asked for first.
 *
 * Functions only for a resolver (resolve.h).  UINT32_MAX: no memory.
 */
#ifndef WM_ANALYZE_RESOLVE_VARIABLES_H
#define WM_ANALYZE_RESOLVE_VARIABLES_H

#include "analyze/access/resolve.h"

/* A new one; it takes v->name. */
uint32_t wm_resolver_variable(struct wm_resolver *r,
			      const struct wm_access_variable *v);
/* The variable of the blocks of @path, of @family, that the program calls name
 * number @name; 0: nothing.  The answer 0: no memory. */
uint32_t wm_resolver_called(struct wm_resolver *r, uint8_t family,
			    uint32_t path, uint32_t name);
/* @local of a frame, or without one anything in such a frame. */
uint32_t wm_resolver_local(struct wm_resolver *r,
			   const struct wm_live_frame *frame,
			   const struct wm_local *local);
/* Region @g where it lies on variable @owner, which begins at @base. */
uint32_t wm_resolver_region(struct wm_resolver *r, const struct wm_region *g,
			    uint32_t owner, uint64_t base);
/* The static variables of a mapped module become objects, and the module
 * itself. */
enum wm_status wm_resolver_module(struct wm_resolver *r,
				  const struct wm_mapping *m,
				  struct wm_err *err);

#endif
