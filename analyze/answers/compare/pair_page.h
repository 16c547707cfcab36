/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page of --compare --html.  Its plain part is the text of --compare; its
 * data are those of --compare --json and the curves of both sides.  The report
 * passes functions that write its text and its keys.
 */
#pragma once

#include <stdio.h>

#include "analyze/answers/compare/pair.h"
#include "analyze/render/doc.h"
#include "analyze/answers/opts.h"

#define WM_PAIR_PAGE_SCHEMA "wmtools.compare-page/1"

struct wm_pair_page {
	const struct wm_half *half; /* two */
	const struct wm_opts *o;
	const void *told; /* the first argument of both functions */
	void (*text)(const void *told, const struct wm_opts *o,
		     struct wm_doc *d);
	/* keys of an object that is open */
	void (*data)(const void *told, struct wm_doc *d);
};

enum wm_status wm_pair_page_put(const struct wm_pair_page *p, FILE *out,
				struct wm_err *err);
