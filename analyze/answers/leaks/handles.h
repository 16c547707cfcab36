/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds handles of MPI that the program made and never freed (wm/handle_list.h
 * lists the functions that make handles): the trace has each handle.  A handle
 * counts if it exists when MPI_Finalize begins and is not freed thereafter.
 * Calls in one source line are one call, as compilers may make several calls of
 * one.
 *
 * MPI also allocates memory below these calls.  If a call made several handles
 * in a rank, and a call path below it left as many blocks when MPI_Finalize
 * began, or a multiple of that, the blocks belong to the handles.  All other
 * memory may be MPI's own: pools, connections, components.
 *
 * Handles that a library makes count for the program's call of the library if a
 * call path has several handles in a rank.  A single handle may be the
 * library's own, and so may handles from its setup.
 *
 * The list also has identifiers of HDF5 (wm/hdf5_list.h) that were open when
 * MPI_Finalize began or the process ended, and objects of other libraries
 * (library_objects.c).
 *
 * A struct wm_handles owns what it points to.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/heap/functions.h"

struct wm_lost_handles {
	const char *maker; /* "MPI_Comm_dup" */
	/* the library function that called .maker, or NULL */
	const char *by;
	/* the program's call of .by, else of .maker */
	struct wm_frame caller;
	bool library; /* objects of a library, not handles */
	bool hdf5; /* identifiers of HDF5, not handles of MPI */
	/* 0 for objects of a library, whose number is unknown */
	uint64_t handles;
	/* left behind by the handles */
	uint64_t bytes, blocks;
	bool more; /* objects: .handles is a lower bound */
	/* further blocks below this call may belong to the handles */
	bool at_least;
};

/* In wm_handles.kept: the blocks are a library's own. */
#define WM_HANDLES_KEPT UINT32_MAX

struct wm_handles {
	struct wm_lost_handles *lost; /* most bytes first */
	size_t count;
	/* further elements of .lost, which may be a library's own */
	size_t unknown;
	uint32_t *of_path; /* by call path: index + 1 in .lost; 0: none */
	/* by call path of a library: index + 1 in .lost if the owner is
	 * unknown; or WM_HANDLES_KEPT; 0: none */
	uint32_t *kept;
	uint8_t *trend; /* by call path: enum wm_trend (trends.h) */
};

/* Finds lost handles from @use, the blocks left behind by each path of @a, and
 * from @lifetime, the times at which they were allocated: NULL or an array of
 * @lifetimes elements. */
enum wm_status wm_handles_find(struct wm_handles *h,
			       const struct wm_analysis *a,
			       const struct wm_use *use,
			       const struct wm_lifetime *lifetime,
			       size_t lifetimes, struct wm_err *err);
void wm_handles_release(struct wm_handles *h);

/* Returns whether path number @i has handles, or memory that MPI allocated for
 * handles and that MPI_Finalize may free. */
bool wm_handles_has(const struct wm_handles *h, const struct wm_use *use,
		    size_t i);

/* Return the bytes and blocks of path number @i that the program never
 * freed.  A path with handles counts only those that existed when
 * MPI_Finalize began. */
uint64_t wm_handles_bytes(const struct wm_handles *h, const struct wm_use *use,
			  size_t i);
uint64_t wm_handles_blocks(const struct wm_handles *h, const struct wm_use *use,
			   size_t i);

/* Returns the number of handles, without objects of libraries.  Stores "MPI",
 * "HDF5" or "MPI and HDF5" in *@whose. */
uint64_t wm_handles_count(const struct wm_handles *h, const char **whose);

/* Returns the owner of the unfreed blocks of @path, as far as it is known. */
enum wm_group wm_handles_group(const struct wm_handles *h,
			       const struct wm_analysis *a, uint32_t path);

/* Returns whether the unfreed blocks of @path may be either a library's own or
 * the program's.  Their group is then the library's. */
bool wm_handles_is_unknown(const struct wm_handles *h, uint32_t path);

/* Moves paths of @f with handles to the program's calls that made them. */
enum wm_status wm_handles_apply(const struct wm_handles *h,
				struct wm_functions *f,
				const struct wm_analysis *a,
				struct wm_err *err);

/* Returns the call that made most bytes of the handles of @f, or NULL.  Stores
 * the number of its handles in *@handles. */
const struct wm_lost_handles *wm_handles_of(const struct wm_handles *h,
					    const struct wm_function *f,
					    uint64_t *handles);
