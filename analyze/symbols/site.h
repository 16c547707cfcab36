/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allocation site is the innermost frame of a call path that is not in the
 * allocator, libc, operator new, std::, the Fortran runtime or wmtools itself.
 *
 * The site of allocations inside MPI is the function of MPI that the program
 * called.  Libraries below MPI are part of MPI when MPI calls them, and like
 * the program's own code otherwise.  The same is true for all other libraries
 * that MPI calls, such as drivers that hwloc loads, unless a function of the
 * executable is between the library and MPI.
 *
 * If OpenMP's runtime allocates memory for itself, or a library that the
 * runtime calls for the executable does so, the site is the runtime's outermost
 * function.  The site of memory from omp_alloc() and the like is in their
 * caller.
 *
 * If there is no such frame, the site is the first frame that only a name
 * excludes, as an instance of a std:: template in the program's own objects
 * (std::thread running an inlined lambda).  Without such a frame, either, the
 * site is the innermost frame.
 *
 * Rules classify the frames (wm_site_class() in rules.h).
 */
#pragma once

#include <stdbool.h>

#include "analyze/symbols/rules.h"
#include "analyze/symbols/symbols.h"
#include "analyze/lib/trace/paths.h"

/* Returns the site of @path; its node is 0 for the empty path. */
struct wm_frame wm_site_find(struct wm_symbols *s, const struct wm_paths *paths,
			     uint32_t path);

/* Returns whether functions of this kind can be sites. */
bool wm_site_may_be(const struct wm_symbol *s);
