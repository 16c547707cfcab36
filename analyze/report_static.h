/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The static report: what a program's executable alone needs of memory, by
 * section and by variable (`wm-analyze --static-report app.wm | RUN`).
 *
 * Reads a bundle, writes text or one JSON object; keeps nothing.
 */
#ifndef WM_ANALYZE_REPORT_STATIC_H
#define WM_ANALYZE_REPORT_STATIC_H

#include <stddef.h>
#include <stdio.h>

#include "analyze/bundle.h"
#include "analyze/error.h"

struct wm_static_params {
	int json; /* one JSON object, complete, instead of text */
	size_t top; /* variables listed in text; 0: all */
	/*
	 * Turns a linkage name into what people read; NULL: names stay.  What
	 * it returns lives until its next call.
	 */
	const char *(*demangle)(void *context, const char *name);
	void *context;
};

/* Returns WM_IO when @out can not be written, else WM_OK. */
enum wm_status wm_report_static(const struct wm_bundle *bundle,
				const struct wm_static_params *params,
				FILE *out, struct wm_err *err);

#endif
