/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that compilers make from regions of OpenMP.  People know a region
 * by the function around it and by its line.  The compilers' names are:
 *
 *   gcc                 solve._omp_fn.0
 *   clang from 17 on    solve.omp_outlined, solve.omp_outlined_debug__
 *   clang before        .omp_outlined. and .omp_outlined._debug__, without
 *                       the function; tasks: .omp_task_entry.
 *   Intel (icx)         solve.DIR.OMP.PARALLEL.2
 *   NVIDIA (nvc)        __nv_solve_F1L42_1, with the line
 *
 * A number or the optimiser's suffix follows such a name.  Pure functions; any
 * thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_openmp_name {
	const char *parent; /* linkage name of the function around it */
	size_t parent_length; /* 0: unknown from the name */
	uint32_t line; /* 0: unknown */
	bool body; /* called only by clang's other function */
};

bool wm_openmp_name(const char *linkage, struct wm_openmp_name *n);

/* Returns, for example, "OpenMP region in solve, heat.c:42", malloc'ed, or NULL
 * without memory.  Leaves out a parameter that is NULL or 0. */
char *wm_openmp_text(const char *parent, const char *file, uint32_t line);
