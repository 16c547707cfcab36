/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --export: the heap at its peak in the formats of other tools.
 *
 * Each format is a report of its own and a row of the table in export.c.  To
 * add a format, write export_<name>.c and a row.  docs/exports.md lists the
 * programs that open the formats.
 */
#pragma once

#include <stdio.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/answers/opts.h"

/* .value is the format's name; ends with an entry without. */
extern const struct wm_report wm_export_formats[];

enum wm_status wm_export_folded(const struct wm_analysis *a,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err);
enum wm_status wm_export_speedscope(const struct wm_analysis *a,
				    const struct wm_opts *o, FILE *out,
				    struct wm_err *err);
enum wm_status wm_export_pprof(const struct wm_analysis *a,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err);
enum wm_status wm_export_massif(const struct wm_analysis *a,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err);
enum wm_status wm_export_csv(const struct wm_analysis *a,
			     const struct wm_opts *o, FILE *out,
			     struct wm_err *err);
enum wm_status wm_export_moca(const struct wm_analysis *a,
			      const struct wm_opts *o, FILE *out,
			      struct wm_err *err);
enum wm_status wm_export_moca_structures(const struct wm_analysis *a,
					 const struct wm_opts *o, FILE *out,
					 struct wm_err *err);
enum wm_status wm_export_gleipnir(const struct wm_analysis *a,
				  const struct wm_opts *o, FILE *out,
				  struct wm_err *err);
enum wm_status wm_export_dinero(const struct wm_analysis *a,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err);
enum wm_status wm_export_lackey(const struct wm_analysis *a,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err);
/* Writes the report about several runs and returns the exit status. */
int wm_export_extrap(const struct wm_opts *o, struct wm_doc *d);

/*
 * common.c: parts that formats share.
 */
#define WM_NO_CALL_PATH "?? (no call path)"

/* Fills @s as wm_path_frames_fill() does, but gives the empty path one frame,
 * named as in reports. */
enum wm_status wm_export_frames(struct wm_path_frames *s,
				const struct wm_analysis *a, uint32_t path,
				struct wm_err *err);

/* "at the peak of rank 3", "at 1.500 s of all ranks" */
struct wm_export_title {
	char s[128];
};
/* Writes two lines that begin with @before: "app run 6: ./app.wm 0" for rank
 * number @index of the analysis; and when, where and by whom it was run, if
 * that is known. */
void wm_export_origin(const struct wm_analysis *a, size_t index,
		      const char *before, FILE *out);
const char *wm_export_moment(const struct wm_analysis *a,
			     struct wm_export_title *t);
