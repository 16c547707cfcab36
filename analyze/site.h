/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allocation site: the first frame of a call path, from the innermost,
 * that is not the allocator, libc, operator new, std::, the Fortran runtime
 * or wmtools itself.  When there is no such frame, the first one that is so by
 * name only: an instance of a std:: template in the program's own objects, say
 * std::thread running a lambda that was inlined.  When there is none, the
 * innermost frame.
 *
 * The rules are one table in site.c.
 */
#ifndef WM_ANALYZE_SITE_H
#define WM_ANALYZE_SITE_H

#include "analyze/paths.h"
#include "analyze/symbols.h"

enum wm_site_class {
	WM_SITE_USER = 0,
	WM_SITE_BY_NAME, /* runtime, to judge by its name */
	WM_SITE_BY_PLACE, /* runtime, it lies in such an archive or library */
	WM_SITE_OWN, /* wmtools: not shown in call paths */
};

/*
 * Whether a frame is passed over.  @linkage: its function, @object: its object
 * file or archive member, @module: the shared library it is in (NULL in the
 * executable); each may be NULL.
 */
enum wm_site_class wm_site_classify(const char *linkage, const char *object,
				    const char *module);

/* The site of @path; node 0 for the empty path. */
struct wm_frame wm_site_find(struct wm_symbols *s, const struct wm_paths *paths,
			     uint32_t path);

#endif
