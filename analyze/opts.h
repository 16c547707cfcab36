/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line of wm-analyze.
 *
 * Parsed once at start; strings point into argv.
 */
#ifndef WM_ANALYZE_OPTS_H
#define WM_ANALYZE_OPTS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/answers/gate.h"
#include "analyze/error.h"
#include "analyze/report/report.h"

enum wm_rank_choice { WM_RANK_MAX, WM_RANK_MIN, WM_RANK_ALL, WM_RANK_NUMBER };

enum wm_color { WM_COLOR_AUTO, WM_COLOR_ALWAYS, WM_COLOR_NEVER };

struct wm_opts {
	const struct wm_report *report;
	enum wm_rank_choice choice;
	uint64_t rank; /* with WM_RANK_NUMBER */
	int rank_given;
	int json, quiet, help, version;
	size_t top; /* entries in text lists; 0: all */
	int top_given;
	uint64_t max_blocks; /* alive at one time; 0: the default */
	unsigned jobs; /* 0: as many as processors */
	enum wm_color color;
	int csv;
	const char *report_value; /* of --export FORMAT and the like */
	const char *output; /* of --repack a directory; NULL: in place */
	const char *svg; /* file, "-": stdout, NULL: none */
	/* what reports look into themselves (struct wm_report.check); NULL:
	 * not given */
	const char *at, *by;
	int bottom_up, force;
	int at_time; /* --at is no peak, but these: */
	double at_seconds; /* since the start of each process */
	const char *sizes, *ranks, *predict, *check_runs, *grid, *decomp;
	const char *node_memory, *ranks_per_node;
	struct wm_gates gates; /* --fail-on */
#define WM_FOLDS 16
	const char *fold[WM_FOLDS]; /* in order */
	size_t fold_count;
	char **runs;
	size_t run_count;
};

/* The value of --rank: "3", "max", "min", "all".  Returns 0, or -1 when @text
 * is nothing of that. */
int wm_opts_rank(struct wm_opts *o, const char *text);

/* WM_USAGE with a message when the line makes no sense. */
enum wm_status wm_opts_parse(struct wm_opts *o, int argc, char **argv,
			     struct wm_err *err);

#endif
