/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allocation site: the innermost frame of a call path that is not in the
 * allocator, libc, operator new, std::, the Fortran runtime or wmtools itself.
 * The site of allocations inside MPI is the function of MPI that the program
 * called; libraries below MPI are part of it when MPI calls them, and like the
 * program's own otherwise.  The same holds for all other libraries that MPI
 * calls, such as drivers that hwloc loads, unless a function of the executable
 * is between them and MPI.  The site of memory that OpenMP's runtime allocates
 * for itself, or a library that it calls for the executable, is the runtime's
 * outermost function; the site of memory from omp_alloc() and the like is in
 * their caller.
 *
 * If there is no such frame: the first one that is excluded only by name, as an
 * instance of a std:: template in the program's own objects (std::thread
 * running an inlined lambda).  If there is none, the innermost frame.
 *
 * Rules classify the frames (wm_site_class() in rules.h).
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

/* Can functions of this kind be sites? */
bool wm_site_may_be(const struct wm_symbol *s);

#endif
