/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The static report: what a program's executable alone needs of memory, by
 * section and by variable (`wm-analyze --static-report app.wm | RUN`).
 *
 * Reads a bundle, tells a document; keeps nothing.
 */
#ifndef WM_ANALYZE_REPORT_STATIC_H
#define WM_ANALYZE_REPORT_STATIC_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/queries/gate.h"
#include "analyze/symbols/bundle.h"

struct wm_doc;
struct wm_json;
struct wm_opts;

/* Beside which static memory stands in a run. */
struct wm_static_share {
	uint64_t rank, peak_bytes; /* of that rank */
};

struct wm_static_params {
	const struct wm_static_share *share; /* NULL: of no run */
	size_t top; /* variables listed in text; 0: all */
	/*
	 * Turns a linkage name into what people read; NULL: names stay.  What
	 * it returns lives until its next call.
	 */
	const char *(*demangle)(void *context, const char *name);
	void *context;
};

/* Tells all of it. */
enum wm_status wm_static_build(const struct wm_bundle *bundle,
			       const struct wm_static_params *params,
			       struct wm_doc *d, struct wm_err *err);

/* Two builds. */
struct wm_static_pair {
	const struct wm_census *census[2];
	const char *given[2]; /* by the user */
	const struct wm_static_params *params;
	struct wm_findings *findings; /* of --fail-on growth, to be filled */
};

enum wm_status wm_static_compare(struct wm_static_pair *pair,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err);

/* report_static_map.c: the rows, for spreadsheets. */
void wm_static_table(const struct wm_census *c,
		     const struct wm_static_params *p, struct wm_doc *d);
/* Key "treemap": static memory as nested objects with name and children, or
 * name and value. */
enum wm_status wm_static_map(const struct wm_census *c,
			     const struct wm_static_params *p,
			     struct wm_json *j, struct wm_err *err);

#endif
