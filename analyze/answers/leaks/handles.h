/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles of MPI that the program made and never freed (wm/handle_list.h lists
 * the functions that are followed): the trace has each handle.  A handle counts
 * if it exists when MPI_Finalize begins and is not freed thereafter.  Calls in
 * one source line are one call, as compilers may make several calls of one.
 *
 * MPI also allocates memory below these calls.  This memory belongs to the
 * handles if a call made several handles in a rank, and a call path below it
 * has as many blocks left when MPI_Finalize begins, or a multiple of that.  All
 * other memory may be MPI's own: pools, connections, components.
 *
 * Handles that a library makes count for the program's call of the library if a
 * call path has several handles in a rank.  A single handle may be the
 * library's own, like handles from the library's setup.
 *
 * The list also has identifiers of HDF5 (wm/hdf5_list.h) that were open when
 * MPI_Finalize began or the process ended, and objects of other libraries
 * (library_objects.h).
 *
 * Owns what it points to.
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
	/* the function of a library that called .maker; or NULL */
	const char *by;
	/* the program's call of .by, or else of .maker */
	struct wm_frame caller;
	bool library; /* objects of a library, not handles */
	bool hdf5; /* identifiers of HDF5, not handles of MPI */
	/* 0 for objects of a library: their number is unknown */
	uint64_t handles;
	/* bytes and blocks that the handles left behind */
	uint64_t bytes, blocks;
	bool more; /* .handles is a lower bound for objects */
	bool at_least; /* more blocks below this call may be theirs */
};

/* In place of a number: the blocks are a library's own. */
#define WM_HANDLES_KEPT UINT32_MAX

struct wm_handles {
	struct wm_lost_handles *lost; /* most bytes first */
	size_t count;
	size_t unknown; /* further calls in lost, perhaps a library's own */
	uint32_t *of_path; /* by call path: number in lost, and 1; 0: none */
	/* by call path of a library: number in lost, and 1, if the owner is
	 * unknown; or WM_HANDLES_KEPT; 0: none */
	uint32_t *kept;
	uint8_t *trend; /* by call path: enum wm_trend (trends.h) */
};

/* Finds lost handles from the blocks left in @use, which has one entry for each
 * path of @a, and from the times at which the blocks were allocated: @lifetime
 * has @lifetimes entries, or is NULL. */
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

/* Return the bytes and blocks of path number @i that the program never freed.
 * If the path has handles, only those count that existed when MPI_Finalize
 * began. */
uint64_t wm_handles_bytes(const struct wm_handles *h, const struct wm_use *use,
			  size_t i);
uint64_t wm_handles_blocks(const struct wm_handles *h, const struct wm_use *use,
			   size_t i);

/* Returns the number of handles, without objects of libraries.  *@whose is
 * "MPI", "HDF5", or both. */
uint64_t wm_handles_count(const struct wm_handles *h, const char **whose);

/* Returns the owner of the blocks of @path that were never freed, as far as the
 * owner is known. */
enum wm_group wm_handles_group(const struct wm_handles *h,
			       const struct wm_analysis *a, uint32_t path);

/* Returns whether the blocks of @path may be either a library's own or the
 * program's.  Their group is then the library's. */
bool wm_handles_is_unknown(const struct wm_handles *h, uint32_t path);

/* Moves paths of @f with handles to the calls in the program that made them. */
enum wm_status wm_handles_apply(const struct wm_handles *h,
				struct wm_functions *f,
				const struct wm_analysis *a,
				struct wm_err *err);

/* Returns the call that made most bytes of the handles of @f, and stores the
 * number of its handles in *@handles.  Returns NULL if @f has none. */
const struct wm_lost_handles *wm_handles_of(const struct wm_handles *h,
					    const struct wm_function *f,
					    uint64_t *handles);
