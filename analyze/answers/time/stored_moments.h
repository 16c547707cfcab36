/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moments whose call paths are known, so that a page can show them without
 * reading the traces again.
 *
 * The chosen rank has its peak, its end, its snapshots, the highest bin of each
 * of its phases, and bins in between.  The worst rank, if it is another one,
 * and the other ranks that are retained have their peak, their end, and fewer
 * bins in between.  The sums over all ranks are moments, too.  The bytes of the
 * call paths add up to the bytes of the moment; in a bin, to the bin's maximum.
 *
 * Borrows names from the analysis.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"

enum wm_stored_kind {
	WM_STORED_PEAK,
	WM_STORED_END,
	WM_STORED_SNAPSHOT,
	WM_STORED_PHASE,
	WM_STORED_STEP, /* a bin in between */
	WM_STORED_SUM_OF_PEAKS,
	WM_STORED_SUM_OF_ENDS,
};

#define WM_NO_BIN SIZE_MAX

struct wm_stored_moment {
	enum wm_stored_kind kind;
	const char *label; /* NULL: none */
	size_t rank; /* index, or WM_ALL_RANKS */
	double seconds; /* since the rank's start; negative: none */
	size_t bin; /* of its timeline, or WM_NO_BIN */
	size_t index; /* of a snapshot */
	uint64_t bytes;
};

struct wm_stored_moments {
	struct wm_stored_moment *moment; /* of a rank in order of time */
	size_t count, cap;
	size_t steps_left_out, snapshots_left_out, phases_left_out;
};

/* Makes the moments.  Beside peaks and ends, the chosen rank has at most @most
 * moments, and all other ranks together have at most @most. */
enum wm_status wm_stored_moments_make(struct wm_stored_moments *m,
				      const struct wm_analysis *a, size_t most,
				      struct wm_err *err);
void wm_stored_moments_release(struct wm_stored_moments *m);

/* Calls @take for each moment in order, with the bytes of each path of
 * a->paths. */
typedef enum wm_status wm_stored_take(void *context, size_t moment,
				      const uint64_t *bytes,
				      struct wm_err *err);
enum wm_status wm_stored_moments_visit(const struct wm_stored_moments *m,
				       const struct wm_analysis *a,
				       wm_stored_take *take, void *context,
				       struct wm_err *err);
