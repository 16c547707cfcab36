/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The static report: the memory that a program's executable itself needs, by
 * section and by variable (`wm-analyze --static-report app.wm | RUN`).
 *
 * Reads a bundle and writes a document; keeps nothing.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/answers/gates/gate.h"
#include "analyze/symbols/read_bundle.h"

struct wm_doc;
struct wm_opts;

/* The rank that static memory is compared with in a run. */
struct wm_static_share {
	uint64_t rank, peak_bytes; /* of that rank */
};

/* Writes the whole report.  @share is NULL if the report is not about a run.
 * @top limits the variables that people see, 0: all. */
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

/* Writes key "sections", with the @most largest variables. */
enum wm_status wm_static_largest(const struct wm_census *c, size_t most,
				 struct wm_doc *d, struct wm_err *err);
