/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests for memory that failed, of all ranks together, by call path.
 * Requests of the program come first, then requests of runtimes, which go on
 * without the memory; within each group the largest comes first.
 *
 * The list owns its rows; names belong to the symbols.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"

struct wm_failed_row {
	uint32_t path;
	enum wm_group group; /* the runtime that asked; WM_GROUP_none: none */
	uint64_t count; /* requests, in all ranks */
	uint64_t ranks; /* ranks in which a request failed */
	/* the largest request; of equal ones, that of the lowest rank: */
	uint64_t bytes;
	size_t rank; /* index */
	const struct wm_failed *largest; /* its time, and live memory then */
};

struct wm_failed_rows {
	struct wm_failed_row *row;
	size_t count;
	uint64_t requests; /* of all call paths, also of those left out */
	uint64_t left_out; /* requests of call paths that are no rows */
};

enum wm_status wm_failed_rows_make(struct wm_failed_rows *f,
				   const struct wm_analysis *a,
				   struct wm_err *err);
void wm_failed_rows_release(struct wm_failed_rows *f);

/*
 * Returns the largest failed request of at most @most bytes that the program,
 * not a runtime, made in rank number @index of @a, or NULL if there is none.
 * To meet the request, the rank would have needed .bytes in addition to
 * .live_bytes.
 */
const struct wm_failed *wm_failed_largest(const struct wm_analysis *a,
					  size_t index, uint64_t most);

/* Finds the function that held most of .live_bytes of @f, and how much it held
 * at least: only the call paths that held most are known.  If nothing is known,
 * the name is NULL. */
enum wm_status wm_failed_holder(const struct wm_analysis *a,
				const struct wm_failed *f, const char **name,
				uint64_t *bytes, struct wm_err *err);
