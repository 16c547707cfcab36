/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allocation site is the innermost frame of a call path that is not in the
 * allocator, libc, operator new, std::, the Fortran runtime or wmtools itself.
 *
 * If MPI allocates, the site is the function of MPI that the program called.  A
 * library below MPI is part of MPI when MPI calls the library, and otherwise
 * like the program's own code.  The same is true for other libraries that MPI
 * calls, such as drivers that hwloc loads, unless a function of the executable
 * is between the library and MPI.
 *
 * If OpenMP's runtime allocates memory for itself, or a library that the
 * runtime calls for the executable does so, the site is the runtime's outermost
 * function.  The site of memory from omp_alloc() is in its caller.
 *
 * If there is no such frame, the site is the first frame that only a name
 * excludes, such as an instance of a std:: template in the program's own
 * objects.  Without such a frame, the site is the innermost frame.
 */
#pragma once

#include <stdbool.h>

#include "analyze/symbols/rules.h"
#include "analyze/symbols/symbols.h"
#include "analyze/lib/trace/paths.h"

/* Returns the site of @path; its node is 0 for the empty path. */
struct wm_frame wm_site_find(struct wm_symbols *s, const struct wm_paths *paths,
			     uint32_t path);

bool wm_site_may_be(const struct wm_symbol *s);
