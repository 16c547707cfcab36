/* SPDX-License-Identifier: Apache-2.0 */
/* Caches, reuse distances and shared lines of the chosen rank, added up by
 * variable, function or line.  Lists own their rows; texts belong to the names,
 * which must outlive them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/accesses/access_names.h"

enum wm_simulated_by {
	WM_SIMULATED_VARIABLE,
	WM_SIMULATED_FUNCTION,
	WM_SIMULATED_LINE,
};

struct wm_simulated_row {
	struct wm_access_named what; /* .kind is set only for variables */
	struct wm_cache_counts cache;
	struct wm_reuse_counts reuse;
	/* --cache: touches, and misses of the last level */
	uint64_t lines, misses;
};

struct wm_simulated_rows {
	struct wm_simulated_row *row; /* most important first */
	size_t count;
	struct wm_simulated_row all;
};

enum wm_status wm_simulated_rows_make(struct wm_simulated_rows *l,
				      const struct wm_analysis *a,
				      const struct wm_access_names *n,
				      enum wm_simulated_by by,
				      struct wm_err *err);
void wm_simulated_rows_release(struct wm_simulated_rows *l);

/* Return the touches of cache lines, and how many of them would miss in a fully
 * associative cache of 2^@k lines. */
uint64_t wm_reuse_lines(const struct wm_reuse_counts *c);
uint64_t wm_reuse_misses(const struct wm_reuse_counts *c, unsigned k);

/* Lines with bytes of both variables, which may be one variable. */
struct wm_shared_row {
	const struct wm_access_named *variable[2];
	uint64_t lines, moves;
	/* of the line that moved most */
	const struct wm_sharing_row *most;
};

struct wm_shared_rows {
	/* the row whose line moved most comes first */
	struct wm_shared_row *row;
	size_t count;
};

/* With @overlaps makes rows of true sharing, else of false sharing. */
enum wm_status wm_shared_rows_make(struct wm_shared_rows *l,
				   const struct wm_analysis *a,
				   const struct wm_access_names *n,
				   bool overlaps, struct wm_err *err);
void wm_shared_rows_release(struct wm_shared_rows *l);
