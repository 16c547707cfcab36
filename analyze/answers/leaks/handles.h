/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles of MPI that the program made and never freed (wm/handle_list.h has
 * the functions that are followed): the trace has each of them.  A handle
 * counts if it exists when MPI_Finalize begins and is not freed thereafter.
 * Calls in one line are one call, as compilers may make several of it.
 *
 * Memory that MPI allocated below these calls belongs to handles if a call made
 * several of them in a rank and a call path below it has as many blocks left
 * when MPI_Finalize begins, or a multiple.  All else may be MPI's own: pools,
 * connections, components.
 *
 * Handles that a library makes are the program's, by its call of the library,
 * if a call path has several in a rank; a single one may be the library's own,
 * as those from its setup are.
 *
 * With them are identifiers of HDF5 (wm/hdf5_list.h) that were open when
 * MPI_Finalize began or the process ended, and objects of other libraries
 * (library_objects.h).
 *
 * Owns what it points to.
 */
#ifndef WM_ANALYZE_HANDLES_H
#define WM_ANALYZE_HANDLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/heap/functions.h"

struct wm_lost_handles {
	const char *maker; /* "MPI_Comm_dup" */
	const char *by; /* a library's function, which called it; or NULL */
	struct wm_frame caller; /* the program's call of it */
	bool library; /* objects of a library, not handles */
	bool hdf5; /* identifiers of HDF5, not handles of MPI */
	/* 0, of a library: the number of objects is unknown */
	uint64_t handles;
	uint64_t bytes, blocks; /* that they left behind */
	bool more; /* .handles is a lower bound for objects */
	bool at_least; /* more blocks below this call may be theirs */
};

/* In place of a number: a library's own. */
#define WM_HANDLES_KEPT UINT32_MAX

struct wm_handles {
	struct wm_lost_handles *lost; /* most bytes first */
	size_t count;
	size_t unknown; /* further calls in lost, perhaps a library's own */
	uint32_t *of_path; /* by call path: number in lost, and 1; 0: none */
	/* by call path of a library: the same for unknown calls, or
	 * WM_HANDLES_KEPT; 0: none */
	uint32_t *kept;
	uint8_t *trend; /* by call path: enum wm_trend (trends.h) */
};

/* From the blocks left in @use, one for each path of @a, and from the times of
 * their allocation: @lifetimes lifetimes, or NULL. */
enum wm_status wm_handles_find(struct wm_handles *h,
			       const struct wm_analysis *a,
			       const struct wm_use *use,
			       const struct wm_lifetime *lifetime,
			       size_t lifetimes, struct wm_err *err);
void wm_handles_release(struct wm_handles *h);

/* Whether path number @i is that of handles or of MPI's memory for them, which
 * MPI_Finalize may free. */
bool wm_handles_has(const struct wm_handles *h, const struct wm_use *use,
		    size_t i);

/* Bytes and blocks of path number @i that the program never freed: of handles
 * those that were there when MPI_Finalize began. */
uint64_t wm_handles_bytes(const struct wm_handles *h, const struct wm_use *use,
			  size_t i);
uint64_t wm_handles_blocks(const struct wm_handles *h, const struct wm_use *use,
			   size_t i);

/* Handles, not objects of libraries.  *@whose: "MPI", "HDF5", or both. */
uint64_t wm_handles_count(const struct wm_handles *h, const char **whose);

/* The owner, as far as it is known, of blocks of this path that were never
 * freed. */
enum wm_group wm_handles_group(const struct wm_handles *h,
			       const struct wm_analysis *a, uint32_t path);

/* Whether it is unknown if blocks are a library's own or the program's; their
 * group is the library's. */
bool wm_handles_is_unknown(const struct wm_handles *h, uint32_t path);

/* Puts paths of @f with handles under the program's calls that made them. */
enum wm_status wm_handles_apply(const struct wm_handles *h,
				struct wm_functions *f,
				const struct wm_analysis *a,
				struct wm_err *err);

/* The handles that @f has, and the call that made most of their bytes; NULL: it
 * has none. */
const struct wm_lost_handles *wm_handles_of(const struct wm_handles *h,
					    const struct wm_function *f,
					    uint64_t *handles);

#endif
