/* SPDX-License-Identifier: Apache-2.0 */
/* Address x time: accesses in an epoch to a group of pages, and the owner of
 * most bytes on these pages.  A row is a group of neighbouring pages that were
 * covered or accessed in some epoch.  A long range that was never accessed is
 * one row, and other memory is left out.  A column is some epochs.  There are
 * at most WM_CHART_ROWS * 4 rows and WM_CHART_COLUMNS columns.
 * wm_chart_plan_end() sets the rows; then cells are filled epoch by epoch.  One
 * thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/pages/page_use.h"
#include "analyze/lib/trace/read_epochs.h"

#define WM_CHART_ROWS 192 /* of accessed pages, or near them */
#define WM_CHART_COLUMNS 200
#define WM_CHART_NOBODY UINT32_MAX

enum wm_chart_access { WM_CHART_NOT, WM_CHART_ACCESSED, WM_CHART_WRITTEN };

struct wm_chart_row {
	uint64_t first, end; /* pages */
	uint64_t pages; /* may be fewer: small gaps */
	bool folded; /* long, and never accessed */
};

struct wm_page_chart {
	struct wm_chart_row *row; /* ascending; NULL: no chart */
	size_t rows, columns;
	uint64_t epochs, each; /* each: in a column, except the last */
	uint8_t *access; /* rows * columns: the highest enum wm_chart_access */
	/* in the last epoch of the column: owner's number in struct
	 * wm_page_use, or WM_CHART_NOBODY */
	uint32_t *owner;
};

/* The pages for the rows; all zero at first. */
struct wm_chart_plan {
	struct wm_page_set accessed, covered; /* lists */
	size_t sorted; /* ranges of .accessed after the last sort */
	uint64_t epochs;
};

/* @covered: the ranges of a new block, else NULL.  Functions of type bool
 * return false without memory. */
bool wm_chart_plan_epoch(struct wm_chart_plan *p,
			 const struct wm_page_set *accessed,
			 const struct wm_covered *covered, size_t count);
/* Makes the empty chart, and releases the plan. */
bool wm_chart_plan_end(struct wm_chart_plan *p, struct wm_page_chart *c);
void wm_chart_plan_release(struct wm_chart_plan *p);

/* Adds epoch @number, from 0.  Called before wm_page_use_epoch(). */
bool wm_page_chart_epoch(struct wm_page_chart *c, const struct wm_page_use *u,
			 const struct wm_page_set *accessed,
			 const struct wm_page_set *written, uint64_t number);
/* Stores for each row the owner with most bytes on its pages, or
 * WM_CHART_NOBODY if there are only owners of enum wm_page_other. */
bool wm_page_chart_owners(const struct wm_page_chart *c,
			  const struct wm_page_use *u, uint32_t *owner);
void wm_page_chart_wire(struct wm_wire *w, struct wm_page_chart *c);
