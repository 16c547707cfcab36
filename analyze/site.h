/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allocation site: the first frame of a call path, from the innermost,
 * that is not the allocator, libc, operator new, std::, the Fortran runtime
 * or wmtools itself.  When there is no other frame, the innermost one.
 *
 * The rules are one table in site.c.
 */
#ifndef WM_ANALYZE_SITE_H
#define WM_ANALYZE_SITE_H

#include "analyze/paths.h"
#include "analyze/symbols.h"

/*
 * Whether a frame is passed over.  @linkage: its function, @object: its object
 * file or archive member, @module: the shared library it is in (NULL in the
 * executable); each may be NULL.
 */
int wm_site_is_runtime(const char *linkage, const char *object,
		       const char *module);

/* The node of the site of @path; 0 for the empty path. */
uint32_t wm_site_find(struct wm_symbols *s, const struct wm_paths *paths,
		      uint32_t path);

#endif
