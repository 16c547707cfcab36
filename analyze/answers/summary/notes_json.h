/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of the JSON object: lists of functions with the names of their blocks,
 * static memory, and the program's annotations (docs/json.md).
 */
#pragma once

#include <stdbool.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/render/doc.h"

/* The owner of a function's blocks that were never freed.  NULL: the program,
 * which may have made the blocks as handles or objects of a library. */
struct wm_json_owner {
	const char *runtime, *made_by;
};

/* Writes functions.  @owner has one for each function; NULL: not asked for. */
enum wm_status wm_json_functions(const struct wm_analysis *a,
				 const struct wm_functions *f,
				 const struct wm_json_owner *owner,
				 struct wm_json *j, const char *key,
				 struct wm_err *err);
/* Writes key leaks: first the program's, then those of libraries and
 * runtimes. */
enum wm_status wm_json_leaks(const struct wm_analysis *a, struct wm_json *j,
			     struct wm_err *err);
/* Writes the keys of `run`. */
void wm_json_run(const struct wm_analysis *a, struct wm_json *j);
/* Writes keys ranks, heap, families, memory, static, events, tool. */
enum wm_status wm_json_sums(const struct wm_analysis *a, struct wm_doc *d,
			    struct wm_err *err);
/* Writes keys phases, names, marks, regions, snapshots, paused. */
enum wm_status wm_json_notes(const struct wm_analysis *a, struct wm_doc *d,
			     struct wm_err *err);

/* Writes key paused. */
void wm_json_paused(const struct wm_analysis *a, struct wm_json *j);

/* Writes the counts of @c: keys bytes, data, bss, tls, rodata, relro, other. */
void wm_json_static(const struct wm_census *c, struct wm_json *j);

/* Writes "rank": N or "all", the subject of lists. */
void wm_json_rank(struct wm_json *j, const struct wm_analysis *a);
/* Writes keys at and at_s: the moment that lists are about. */
void wm_json_moment(struct wm_json *j, const struct wm_analysis *a);
