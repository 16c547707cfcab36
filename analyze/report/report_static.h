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

/* Tells all of it.  @share: NULL: of no run.  @top: variables that people see;
 * 0: all. */
enum wm_status wm_static_build(const struct wm_bundle *bundle,
			       const struct wm_static_share *share, size_t top,
			       struct wm_doc *d, struct wm_err *err);

/* Two builds. */
struct wm_static_pair {
	const struct wm_census *census[2];
	const char *given[2]; /* by the user */
	struct wm_findings *findings; /* of --fail-on growth, to be filled */
};

enum wm_status wm_static_compare(struct wm_static_pair *pair,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err);

/* Key "treemap": static memory as nested objects with name and children, or
 * name and value.  @least: variables with fewer bytes are one leaf of their
 * object file, and object files with fewer one of their section, with merged:
 * how many. */
enum wm_status wm_static_map(const struct wm_census *c, uint64_t least,
			     struct wm_json *j, struct wm_err *err);

#endif
