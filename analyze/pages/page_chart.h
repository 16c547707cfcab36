/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address x time: accesses in an epoch to a group of pages, and the owner of
 * most bytes on these pages.
 *
 * A row is a group of neighbouring pages that were covered, or accessed, in
 * some epoch.  Memory between such pages is left out, and a long range that was
 * never accessed is one row.  A column is some epochs.  There are at most
 * WM_CHART_ROWS * 4 rows and WM_CHART_COLUMNS columns, however long the run is.
 *
 * The rows are known when wm_chart_plan_end() returns; then cells are filled
 * epoch by epoch.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/pages/page_use.h"
#include "analyze/lib/trace/read_epochs.h"

#define WM_CHART_ROWS 192 /* of pages accessed, or near such pages */
#define WM_CHART_COLUMNS 200
#define WM_CHART_NOBODY UINT32_MAX

enum wm_chart_access { WM_CHART_NOT, WM_CHART_ACCESSED, WM_CHART_WRITTEN };

struct wm_chart_row {
	uint64_t first, end; /* pages */
	uint64_t pages; /* in it: there may be small gaps */
	bool folded; /* long, and never accessed */
};

struct wm_page_chart {
	struct wm_chart_row *row; /* ascending; NULL: there is no chart */
	size_t rows, columns;
	uint64_t epochs, each; /* each: epochs in a column, except the last */
	/* rows * columns cells, row by row */
	uint8_t *access; /* enum wm_chart_access, the most of its epochs */
	/* in the last epoch of the column: the number of an owner in the struct
	 * wm_page_use, or WM_CHART_NOBODY */
	uint32_t *owner;
};

/* The pages of which rows are made; all zero at first. */
struct wm_chart_plan {
	struct wm_page_set accessed, covered; /* lists */
	size_t sorted; /* ranges of accessed after the last sort */
	uint64_t epochs;
};

/* @covered has the ranges of a new block, else NULL.  Returns false without
 * memory. */
bool wm_chart_plan_epoch(struct wm_chart_plan *p,
			 const struct wm_page_set *accessed,
			 const struct wm_covered *covered, size_t count);
/* Makes the empty chart, and releases the plan.  Returns false without
 * memory. */
bool wm_chart_plan_end(struct wm_chart_plan *p, struct wm_page_chart *c);
void wm_chart_plan_release(struct wm_chart_plan *p);

/* Adds epoch number @number, which counts from 0.  To be called before
 * wm_page_use_epoch().  Returns false without memory. */
bool wm_page_chart_epoch(struct wm_page_chart *c, const struct wm_page_use *u,
			 const struct wm_page_set *accessed,
			 const struct wm_page_set *written, uint64_t number);
/*
 * Stores in @owner, an array of c->rows elements, the owner with most bytes on
 * the pages of each row.  It is WM_CHART_NOBODY if a row has only owners of
 * enum wm_page_other.  Returns false without memory.
 */
bool wm_page_chart_owners(const struct wm_page_chart *c,
			  const struct wm_page_use *u, uint32_t *owner);
void wm_page_chart_wire(struct wm_wire *w, struct wm_page_chart *c);
