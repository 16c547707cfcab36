/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests for memory that failed, of all ranks together, by call path: first
 * the program's requests, then those of runtimes, which go on without the
 * memory; each group with the largest first.
 *
 * A struct wm_failed_rows owns its rows; names belong to the symbols.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"

struct wm_failed_row {
	uint32_t path;
	enum wm_group group; /* the runtime that asked; or WM_GROUP_none */
	uint64_t count; /* in all ranks */
	uint64_t ranks; /* ranks with such a request */
	/* the largest request; of equal ones, that of the lowest rank */
	uint64_t bytes;
	size_t rank; /* index */
	/* with its time and the live memory then */
	const struct wm_failed *largest;
};

struct wm_failed_rows {
	struct wm_failed_row *row;
	size_t count;
	uint64_t requests; /* of all call paths, including those left out */
	uint64_t left_out; /* requests of call paths without a row */
};

enum wm_status wm_failed_rows_make(struct wm_failed_rows *f,
				   const struct wm_analysis *a,
				   struct wm_err *err);
void wm_failed_rows_release(struct wm_failed_rows *f);

/* Returns the largest failed request of at most @most bytes that the program,
 * not a runtime, made in rank number @index, or NULL.  To meet the request, the
 * rank would have needed .bytes in addition to .live_bytes, of which .old_bytes may
 * go: a block may grow in its place. */
const struct wm_failed *wm_failed_largest(const struct wm_analysis *a,
					  size_t index, uint64_t most);

/* Finds the function that held most of .live_bytes of @f.  Stores a lower bound
 * of its bytes, as the trace has only the call paths that held most.  Stores
 * NULL in *@name if nothing is known. */
enum wm_status wm_failed_holder(const struct wm_analysis *a,
				const struct wm_failed *f, const char **name,
				uint64_t *bytes, struct wm_err *err);
