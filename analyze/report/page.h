/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of the page (docs/page-data.md): one JSON object, part by part.
 *
 * A struct wm_page lives while the object is written; it borrows the analysis
 * and the options.  Each function adds the keys that it names.
 */
#ifndef WM_ANALYZE_PAGE_H
#define WM_ANALYZE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analyze/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/queries/imbalance.h"
#include "analyze/queries/small_tree.h"
#include "analyze/render/doc.h"
#include "analyze/report/opts.h"

#define WM_PAGE_SCHEMA "wmtools.page/1"
#define WM_PAGE_PHASES 256 /* different ones */

/* A sentence for each thing that the page has not whole. */
struct wm_page_bounds {
	char **text;
	size_t count, cap;
};

struct wm_page {
	const struct wm_analysis *a;
	const struct wm_opts *o;
	struct wm_doc d; /* JSON; d.data is where all goes */
	struct wm_imbalance m;
	struct wm_small_tree tree;
	int64_t *row_of; /* of paths.names, by number of function; -1 */
	size_t functions; /* in it */
	size_t rank; /* index of the chosen rank, or of the worst */
	const char *phase[WM_PAGE_PHASES];
	size_t phases;
	struct wm_page_bounds bounds;
	bool short_of_memory;
};

/* page_data.c: all of it, on @out. */
enum wm_status wm_page_data(const struct wm_analysis *a,
			    const struct wm_opts *o, FILE *out,
			    struct wm_err *err);

/* page.c: a sentence for `bounds`; a time. */
void wm_page_bound(struct wm_page *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
uint64_t wm_page_ns(double seconds);

/* page_ranks.c: phase_names, ranks, nodes, node_memory, difference, axis. */
enum wm_status wm_page_ranks(struct wm_page *p, struct wm_err *err);
/* page_time.c: phases, curves, heat, lines. */
enum wm_status wm_page_time(struct wm_page *p, struct wm_err *err);
/* page_paths.c: moments, paths; makes p->tree. */
enum wm_status wm_page_paths(struct wm_page *p, struct wm_err *err);
/* page_sites.c: stacks, sites, trends. */
enum wm_status wm_page_sites(struct wm_page *p, struct wm_err *err);
/* page_memory.c: static, layers. */
enum wm_status wm_page_memory(struct wm_page *p, struct wm_err *err);

/* The row of paths.names of function number @function; -1: it has none. */
int64_t wm_page_name(const struct wm_page *p, uint32_t function);

#endif
