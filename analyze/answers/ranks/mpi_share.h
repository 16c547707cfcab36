/* SPDX-License-Identifier: Apache-2.0 */
/* MPI's share of memory, for the chosen rank or the sum of all ranks, at the
 * moment of the report's lists: memory that MPI allocates for itself, memory
 * that it gives to the program, and its static memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/heap/functions.h"

struct wm_mpi_share {
	uint64_t own_bytes, own_blocks; /* sites are functions of MPI */
	bool has_given; /* not known with --at */
	uint64_t given_bytes; /* of family mpi */
	bool has_static; /* there is a census */
	uint64_t static_bytes; /* of archives in groups mpi and mpi-base */
};

/* @f: the functions that hold memory. */
enum wm_status wm_mpi_share_find(struct wm_mpi_share *m,
				 const struct wm_analysis *a,
				 const struct wm_functions *f,
				 struct wm_err *err);
