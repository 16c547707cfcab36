/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of the page (docs/page-data.md): one JSON object, part by part.
 *
 * A struct wm_page lives while the object is written; it borrows the analysis
 * and the options.  Each function adds the keys that its comment names.
 */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/texts.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/ranks/imbalance.h"
#include "analyze/answers/heap/small_tree.h"
#include "analyze/render/bare_names.h"
#include "analyze/render/doc.h"
#include "analyze/answers/opts.h"

#define WM_PAGE_SCHEMA "wmtools.page/1"

struct wm_page {
	const struct wm_analysis *a;
	const struct wm_opts *o;
	struct wm_doc d; /* JSON, in d.data */
	struct wm_small_tree tree;
	int64_t *row_of; /* of paths.names, by number of function; -1 */
	size_t functions; /* number of functions in .row_of */
	size_t rank; /* index of the chosen rank, or of the worst */
	struct wm_bare_list bare;
	struct wm_texts bounds; /* a sentence for each thing that is cut */
};

/* page_data.c: writes all data of the page on @out. */
enum wm_status wm_page_data(const struct wm_analysis *a,
			    const struct wm_opts *o, FILE *out,
			    struct wm_err *err);

/* Adds a bound for the rows of @report that are left out, if there are any. */
static inline void wm_page_left_out(struct wm_page *p, const char *report)
{
	if (p->d.left_out)
		wm_texts_add(&p->bounds,
			     "%" PRIu64 " rows of %s are left out: wm-analyze "
			     "--%s --json has all",
			     p->d.left_out, report, report);
	p->d.left_out = 0;
}

/* paths_page.c: writes keys moments and paths, and makes p->tree. */
enum wm_status wm_page_paths(struct wm_page *p, struct wm_err *err);
/* sites_page.c: writes keys stacks and sites. */
enum wm_status wm_page_sites(struct wm_page *p, struct wm_err *err);

/* Returns the row of paths.names of function number @function, or -1 if it has
 * none. */
int64_t wm_page_name(const struct wm_page *p, uint32_t function);
