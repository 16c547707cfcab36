/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles of MPI that the program made and never freed: communicators,
 * datatypes, groups, windows, files, operations, infos, error handlers, keys
 * of attributes.
 *
 * They are found by the memory that they hold when MPI_Finalize begins: of a
 * handle that was not freed the blocks are there that MPI allocated when it was
 * made.  So many call paths below one call of the program have one and the same
 * number of blocks left, or a multiple: the number of handles.  That of one
 * handle a rank could be something that MPI made once and keeps, and is not
 * counted.  Pools, connections and components of MPI are there as well; what
 * MPI_Finalize frees is only believed where three call paths agree, none of
 * which loads components or exchanges messages.
 *
 * Not seen: handles that an MPI takes from pools and that have no other memory:
 * requests; in MPICH operations, error handlers and keys, and infos without a
 * value.
 *
 * Owns what it points to.
 */
#ifndef WM_ANALYZE_HANDLES_H
#define WM_ANALYZE_HANDLES_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/queries/functions.h"

struct wm_lost_handles {
	const char *maker; /* "MPI_Comm_dup" */
	struct wm_frame caller; /* the program's call of it */
	uint64_t handles; /* 0: more of handles that another function makes */
	uint64_t bytes, blocks; /* that they left behind */
};

struct wm_handles {
	struct wm_lost_handles *lost; /* most bytes first */
	size_t count;
	uint32_t *of_path; /* by call path: number in lost, and 1; 0: none */
};

/* By what is left at the end in @use, one for each path of @a. */
enum wm_status wm_handles_find(struct wm_handles *h,
			       const struct wm_analysis *a,
			       const struct wm_use *use, struct wm_err *err);
void wm_handles_release(struct wm_handles *h);

/* Bytes and blocks of path number @i that the program never freed: of handles
 * those that were there when MPI_Finalize began. */
uint64_t wm_handles_bytes(const struct wm_handles *h, const struct wm_use *use,
			  size_t i);
uint64_t wm_handles_blocks(const struct wm_handles *h, const struct wm_use *use,
			   size_t i);

/* Paths of @f with handles are put under the program's calls that made them. */
enum wm_status wm_handles_apply(const struct wm_handles *h,
				struct wm_functions *f,
				const struct wm_analysis *a,
				struct wm_err *err);

/* The handles that @f has, and the function that made most of their bytes;
 * NULL: none. */
uint64_t wm_handles_of(const struct wm_handles *h, const struct wm_function *f,
		       const char **maker);

#endif
