/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allocation site: the first frame of a call path, from the innermost, that
 * is not the allocator, libc, operator new, std::, the Fortran runtime or
 * wmtools itself.  Allocations inside MPI have the function of MPI that the
 * program called as its site; libraries below MPI belong to it when they are
 * called by it, and are like the program's own otherwise.  So do all other
 * libraries that MPI calls, such as drivers that hwloc loads, unless a function
 * of the executable's own is between them and MPI.  Memory that OpenMP's
 * runtime allocates for itself, or a library that it calls for the executable,
 * has its outermost function as its site; what omp_alloc() and its like give is
 * their caller's.
 *
 * When there is no such frame, the first one that is so by
 * name only: an instance of a std:: template in the program's own objects, say
 * std::thread running a lambda that was inlined.  When there is none, the
 * innermost frame.
 *
 * Which frames are what is a matter of rules (wm_site_class() in rules.h).
 */
#ifndef WM_ANALYZE_SITE_H
#define WM_ANALYZE_SITE_H

#include <stdbool.h>

#include "analyze/symbols/rules.h"
#include "analyze/symbols/symbols.h"
#include "analyze/lib/trace/paths.h"

/* The site of @path; node 0 for the empty path. */
struct wm_frame wm_site_find(struct wm_symbols *s, const struct wm_paths *paths,
			     uint32_t path);

/* Whether functions of this kind may be sites. */
bool wm_site_may_be(const struct wm_symbol *s);

#endif
