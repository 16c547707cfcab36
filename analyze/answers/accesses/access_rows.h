/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of the chosen rank, added up by variable or by code.  The
 * list owns its rows; texts belong to the names, which must outlive it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/accesses/access_names.h"

enum wm_access_by {
	WM_ACCESS_VARIABLE,
	WM_ACCESS_MEMBER,
	WM_ACCESS_FUNCTION,
	WM_ACCESS_LINE,
	WM_ACCESS_PAIR, /* function and variable */
};

struct wm_access_row {
	/* the subject; NULL or 0: not a part of it */
	struct wm_access_named variable;
	const char *member, *function, *file;
	uint32_t line;
	uint64_t accesses;
	uint64_t loads, stores; /* an access that is both counts for both */
	uint64_t bytes;
	uint64_t sequential, strided, same; /* as in struct wm_access_cell */
	int64_t stride; /* 0: several */
	uint64_t threads;
	uint64_t first_thread;
	double first_s, last_s;
	uint64_t first, last;
	/* of variables: all blocks, and blocks that were accessed */
	uint64_t blocks, touched;
};

struct wm_access_rows {
	struct wm_access_row *row; /* most accesses first */
	size_t count;
};

enum wm_status wm_access_rows_make(struct wm_access_rows *l,
				   const struct wm_analysis *a,
				   struct wm_access_names *n,
				   enum wm_access_by by, struct wm_err *err);
void wm_access_rows_release(struct wm_access_rows *l);

/* Returns "sequential", "stride 24", "strided", "one place", "random", "mixed",
 * or NULL after too few accesses.  May write the text into @buf. */
const char *wm_access_pattern(const struct wm_access_row *r, char buf[32]);
