/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether options are consistent, and makes the request from them. */
#include <stdbool.h>
#include <string.h>

#include "analyze/opts.h"

static enum wm_status check_gates(const struct wm_opts *o, struct wm_err *err)
{
	const struct wm_report *r = o->report;

	if (o->junit && !o->gates.count)
		return wm_err_set(err, WM_USAGE,
				  "--junit %s needs a limit: add "
				  "--fail-on LIMIT",
				  o->junit);
	if (o->junit && strcmp(o->junit, "-") == 0 &&
	    (!o->output || strcmp(o->output, "-") == 0))
		return wm_err_set(err, WM_USAGE,
				  "--junit - and the report both want "
				  "stdout: add --output FILE");
	if (o->gates.count && r->alone && !(r->forms & WM_GATES))
		return wm_err_set(err, WM_USAGE, "--fail-on is not for --%s",
				  r->name);
	if (wm_gates_need_two(&o->gates) && !(r->forms & WM_GATES))
		return wm_err_set(err, WM_USAGE,
				  "--fail-on growth needs two "
				  "runs: wm-analyze --compare A B, or "
				  "--history DIR");
	return WM_OK;
}

/* Fills in the passes, ranks and parameters that the report needs. */
static void fill_request(struct wm_command *c)
{
	struct wm_opts *o = &c->ask;
	struct wm_request *q = &o->request;

	q->wish.needs = o->report->needs;
	if (o->report->wants)
		q->wish.needs |= o->report->wants(o);
	q->wish.needs |= wm_gates_need(&o->gates);
	/* the owner of a leak depends on the time of its allocation */
	if (o->json && !o->report->alone)
		q->wish.needs |= WM_NEEDS(lifetime);
	q->wish.chart = o->svg || o->page || (o->report->forms & WM_TO_VALUE);
	if (!o->rank_given)
		q->choice = o->report->usual_rank;
	q->retains = o->report->retains | wm_gates_keep(&o->gates);
	q->quiet = c->places.quiet = o->quiet;
}

/* Checks that at most one form is asked for, and that the report has it. */
static enum wm_status check_form(const struct wm_command *c, struct wm_err *err)
{
	const struct wm_opts *o = &c->ask;
	const struct wm_report *r = o->report;
	const bool data = !(r->forms & WM_NO_JSON);
	const char *asked[] = {
		o->page ? "html" : NULL,
		c->markdown ? "format markdown" : NULL,
		o->json ? "json" : NULL,
		o->csv ? "csv" : NULL,
	};
	const char *lacks = c->markdown && (r->write || !data) ? "Markdown" :
			    o->json && !data		       ? "JSON" :
			    o->csv && r->forms & WM_NO_CSV     ? "CSV" :
								 NULL;
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		if (first && asked[i])
			return wm_err_set(err, WM_USAGE, "--%s or --%s?", first,
					  asked[i]);
		first = asked[i] ? asked[i] : first;
	}
	return lacks ? wm_err_set(err, WM_USAGE, "--%s cannot be written as %s",
				  r->name, lacks) :
		       WM_OK;
}

enum wm_status wm_opts_check(struct wm_command *c, struct wm_err *err)
{
	struct wm_opts *o = &c->ask;
	bool is_page;

	if (o->at && wm_request_moment(&o->request, o->at))
		return wm_err_set(err, WM_USAGE,
				  "--at %.300s: no moment: " WM_MOMENT_WAYS,
				  o->at);
	if (o->by && !strcmp(o->by, "threads") &&
	    o->request.wish.moment.way == WM_MOMENT_NAMED)
		return wm_err_set(err, WM_USAGE,
				  "--at %.100s: with --by threads a moment is "
				  "a time, 50%%, peak or end",
				  o->at);
	if (c->help || c->version)
		return WM_OK;
	is_page = o->page || o->report->forms & WM_TO_VALUE;
	if (c->places.any_build && !c->places.exes)
		return wm_err_set(err, WM_USAGE,
				  "--any-build is about files: add --exe FILE");
	if (o->output && is_page && o->report_value)
		return wm_err_set(err, WM_USAGE,
				  "--%s %s and --output %s: one file is enough",
				  o->page ? "html" : o->report->name,
				  o->report_value, o->output);
	if (o->output && strcmp(o->output, "-") != 0 &&
	    c->color == WM_COLOR_AUTO)
		c->color = WM_COLOR_NEVER;
	if (is_page) {
		if (o->report_value)
			o->output = o->report_value;
		c->color = WM_COLOR_NEVER;
	}
	if (c->open && !o->page && o->report->forms & WM_HAS_PAGE)
		return wm_err_set(err, WM_USAGE,
				  "--open shows a page: add --html");
	if (c->open && o->output && strcmp(o->output, "-") == 0)
		return wm_err_set(err, WM_USAGE,
				  "--open: a page on stdout has no name: leave "
				  "the - out, or name a file");
	if (check_gates(o, err))
		return WM_USAGE;
	if (check_form(c, err))
		return WM_USAGE;
	if (o->svg && !o->report->svg && !(o->report->forms & WM_OWN_PICTURE))
		return wm_err_set(err, WM_USAGE,
				  "--%s draws no picture; "
				  "--timeline, --imbalance, --tree, "
				  "--pages, --model and --history do",
				  o->report->name);
	if (o->svg && (o->json || o->csv) && strcmp(o->svg, "-") == 0)
		return wm_err_set(err, WM_USAGE,
				  "%s and --svg - both want "
				  "stdout",
				  o->json ? "--json" : "--csv");
	fill_request(c);
	if (o->report->asks && o->report->asks(o, &o->request.wish, err))
		return WM_USAGE;
	return o->report->check ? o->report->check(o, err) : WM_OK;
}
