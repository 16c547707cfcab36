/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions behind the rows of the table of reports (report.h), one file
 * report_<name>.c each.
 */
#ifndef WM_ANALYZE_REPORTS_H
#define WM_ANALYZE_REPORTS_H

#include <stdio.h>

#include "analyze/analysis.h"
#include "analyze/error.h"
#include "analyze/json.h"
#include "analyze/opts.h"

enum wm_status wm_report_summary(const struct wm_analysis *a,
				 const struct wm_opts *o, FILE *out,
				 struct wm_err *err);
enum wm_status wm_report_functions(const struct wm_analysis *a,
				   const struct wm_opts *o, FILE *out,
				   struct wm_err *err);
enum wm_status wm_report_leaks(const struct wm_analysis *a,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err);
enum wm_status wm_report_snapshots(const struct wm_analysis *a,
				   const struct wm_opts *o, FILE *out,
				   struct wm_err *err);
enum wm_status wm_report_timeline(const struct wm_analysis *a,
				  const struct wm_opts *o, FILE *out,
				  struct wm_err *err);
enum wm_status wm_report_timeline_json(const struct wm_analysis *a,
				       const struct wm_opts *o,
				       struct wm_json *j, struct wm_err *err);
enum wm_status wm_report_summary_csv(const struct wm_analysis *a,
				     const struct wm_opts *o, FILE *out,
				     struct wm_err *err);
enum wm_status wm_report_functions_csv(const struct wm_analysis *a,
				       const struct wm_opts *o, FILE *out,
				       struct wm_err *err);
enum wm_status wm_report_leaks_csv(const struct wm_analysis *a,
				   const struct wm_opts *o, FILE *out,
				   struct wm_err *err);
enum wm_status wm_report_timeline_csv(const struct wm_analysis *a,
				      const struct wm_opts *o, FILE *out,
				      struct wm_err *err);
enum wm_status wm_report_tree(const struct wm_analysis *a,
			      const struct wm_opts *o, FILE *out,
			      struct wm_err *err);
enum wm_status wm_report_tree_json(const struct wm_analysis *a,
				   const struct wm_opts *o, struct wm_json *j,
				   struct wm_err *err);
enum wm_status wm_report_tree_csv(const struct wm_analysis *a,
				  const struct wm_opts *o, FILE *out,
				  struct wm_err *err);
enum wm_status wm_report_libraries(const struct wm_analysis *a,
				   const struct wm_opts *o,
				   FILE *out, struct wm_err *err);
enum wm_status wm_report_libraries_json(const struct wm_analysis *a,
					const struct wm_opts *o,
					struct wm_json *j, struct wm_err *err);
enum wm_status wm_report_libraries_csv(const struct wm_analysis *a,
				       const struct wm_opts *o,
				       FILE *out, struct wm_err *err);
enum wm_status wm_report_files(const struct wm_analysis *a,
			       const struct wm_opts *o,
			       FILE *out, struct wm_err *err);
enum wm_status wm_report_files_json(const struct wm_analysis *a,
				    const struct wm_opts *o,
				    struct wm_json *j, struct wm_err *err);
enum wm_status wm_report_files_csv(const struct wm_analysis *a,
				   const struct wm_opts *o,
				   FILE *out, struct wm_err *err);
enum wm_status wm_report_imbalance(const struct wm_analysis *a,
				   const struct wm_opts *o, FILE *out,
				   struct wm_err *err);
enum wm_status wm_report_imbalance_json(const struct wm_analysis *a,
					const struct wm_opts *o,
					struct wm_json *j, struct wm_err *err);
enum wm_status wm_report_imbalance_csv(const struct wm_analysis *a,
				       const struct wm_opts *o, FILE *out,
				       struct wm_err *err);
enum wm_status wm_imbalance_check(const struct wm_opts *o, struct wm_err *err);
enum wm_status wm_report_leaks_json(const struct wm_analysis *a,
		const struct wm_opts *o, struct wm_json *j, struct wm_err *err);
enum wm_status wm_report_temporaries(const struct wm_analysis *a,
		const struct wm_opts *o, FILE *out, struct wm_err *err);
enum wm_status wm_report_temporaries_json(const struct wm_analysis *a,
		const struct wm_opts *o, struct wm_json *j, struct wm_err *err);
enum wm_status wm_report_temporaries_csv(const struct wm_analysis *a,
		const struct wm_opts *o, FILE *out, struct wm_err *err);
enum wm_status wm_report_sizes(const struct wm_analysis *a,
		const struct wm_opts *o, FILE *out, struct wm_err *err);
enum wm_status wm_report_sizes_json(const struct wm_analysis *a,
		const struct wm_opts *o, struct wm_json *j, struct wm_err *err);
enum wm_status wm_report_sizes_csv(const struct wm_analysis *a,
		const struct wm_opts *o, FILE *out, struct wm_err *err);
/* Writes the picture of the timeline; @l: its layers, or NULL. */
struct wm_layers;
enum wm_status wm_timeline_svg(const struct wm_analysis *a,
			       const struct wm_layers *l, FILE *out,
			       struct wm_err *err);
unsigned wm_timeline_wants(const struct wm_opts *o);
enum wm_status wm_timeline_check(const struct wm_opts *o, struct wm_err *err);

/* --compare: two runs; returns the exit status. */
int wm_report_compare_alone(const struct wm_opts *o);
/* --model: of several runs; returns the exit status. */
enum wm_status wm_model_check(const struct wm_opts *o, struct wm_err *err);
int wm_model_alone(const struct wm_opts *o);
/* --repack: no report, but what is done to traces; returns the exit status. */
int wm_repack_alone(const struct wm_opts *o);
/* --static-report: of an executable or of a run; returns the exit status. */
int wm_report_static_alone(const struct wm_opts *o);
enum wm_status wm_static_check(const struct wm_opts *o, struct wm_err *err);
/* --rules: the folding rules; returns the exit status. */
int wm_report_rules_alone(const struct wm_opts *o);

#endif
