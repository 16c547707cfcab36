/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The request that a report answers: values of options, parsed and checked.
 *
 * The command line (analyze/opts.h) makes it once; then it is read-only.
 * Texts belong to argv.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/job/request.h"
#include "analyze/answers/gates/gate.h"
#include "analyze/answers/report.h"

struct wm_opts {
	const struct wm_report *report;
	const struct wm_report *const *reports; /* all, ends with NULL */
	struct wm_request request; /* the data that the report reads */
	bool rank_given;
	bool json, csv, quiet;
	size_t top; /* entries in text lists; 0: all */
	bool top_given;
	bool page; /* --html beside a report that has one */
	const char *report_value; /* of --export FORMAT and the like */
	const char *output; /* for --repack a directory; NULL: in place */
	const char *svg; /* file, "-": stdout, NULL: none */
	const char *at; /* as given; request.wish.moment has the moment */
	const char *by; /* the name of a list of the report; NULL: not given */
	bool bottom_up, force;
	/* lists that --model and --export extrap parse; NULL: not given */
	const char *sizes, *predict, *check_runs;
	uint64_t tier, node_memory; /* bytes; 0: not given */
	uint64_t ranks_per_node; /* 0: not given */
	double threshold; /* of --history: percent */
	struct wm_gates gates; /* --fail-on */
	const char *junit; /* file for their findings, "-": stdout */
};
