/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wm-analyze: reads traces and reports the memory that programs need
 * (wm-analyze(1)).
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <elfutils/libdwfl.h>
#include <lzma.h>
#include <zlib.h>

#include "analyze/browser.h"
#include "analyze/job/analysis.h"
#include "analyze/job/outside.h"
#include "analyze/job/spread.h"
#include "analyze/opts.h"
#include "analyze/render/page_bundle.h"
#include "analyze/render/doc.h"
#include "analyze/render/output.h"
#include "analyze/answers/exit.h"
#include "analyze/answers/report.h"
#include "analyze/tell.h"
#include "wm/version.h"

/* Writes the picture of --svg FILE, in addition to the report. */
static enum wm_status write_svg(const struct wm_analysis *a,
				const struct wm_opts *o, struct wm_err *err)
{
	struct wm_output out;
	enum wm_status s = wm_output_open(&out, o->svg, o->force, err);

	return s ? s :
		   wm_output_close(&out, o->report->svg(a, o, out.f, err), err);
}

/* Writes the report.  If the command line names no file for a page, the page
 * gets a name, @own, which is printed. */
static enum wm_status write_named(const struct wm_analysis *a,
				  struct wm_command *c, char **own,
				  const struct wm_findings *v,
				  struct wm_err *err)
{
	struct wm_opts *o = &c->ask;
	bool names = o->report->forms & WM_NAMES_ITSELF && !o->output;
	enum wm_status s = names ? wm_page_file(own, a, o, err) : WM_OK;
	struct wm_output out;

	if (names)
		o->output = *own;
	if (!s)
		s = wm_output_open(&out, o->output, o->force, err);
	if (s)
		return s;
	s = wm_tell(a, c, v, out.f, err);
	s = wm_output_close(&out, s, err);
	if (!s && names)
		s = wm_put_line(*own, err);
	return !s && c->open ? wm_browser_open(o->output, err) : s;
}

static int run_report(struct wm_command *c)
{
	struct wm_opts *o = &c->ask;
	struct wm_findings v = { .gates = NULL };
	struct wm_analysis a;
	struct wm_err err = { "" };
	char *own = NULL;
	int status;
	bool partial;
	enum wm_status s = wm_output_check(o->svg, &err);

	if (!s)
		s = wm_output_check(o->output, &err);
	if (!s)
		s = wm_output_check(o->junit, &err);
	if (s)
		return wm_exit_status(s, false, &err);
	s = wm_analysis_read(&a, &o->request, &err);
	if (s || !wm_notes_on_screen(o))
		wm_print_notes(&a, o->quiet);
	if (!s)
		s = wm_gates_judge(&v, &o->gates, &a, &err);
	if (!s && o->svg)
		s = write_svg(&a, o, &err);
	if (!s && !wm_output_is_dash(o->svg))
		s = write_named(&a, c, &own, &v, &err);
	if (s != WM_USAGE)
		wm_print_outside(&a, o->quiet);
	partial = a.partial;
	wm_analysis_release(&a);
	status = wm_exit_gates(o, s, partial, &v, &err);
	wm_findings_release(&v);
	free(own);
	return status;
}

/* Prints the name of the page if it is @own, and opens the page with --open. */
static enum wm_status end_page(const struct wm_command *c, const char *own,
			       struct wm_err *err)
{
	enum wm_status s = own ? wm_put_line(own, err) : WM_OK;

	return !s && c->open ? wm_browser_open(own ? own : c->ask.output, err) :
			       s;
}

/* Writes a report that is not about one run.  @own is the file of its page if
 * the user names none. */
static int tell_alone(const struct wm_command *c, const char *own)
{
	const struct wm_opts *o = &c->ask;
	const char *to = o->report->forms & WM_OWN_OUTPUT ? NULL :
			 own				  ? own :
							    o->output;
	struct wm_err err = { "" };
	struct wm_output out;
	enum wm_status s, closed;
	struct wm_doc d;
	int status;

	if (wm_output_check(to, &err) ||
	    wm_output_open(&out, to, o->force, &err))
		return wm_exit_status(WM_USAGE, false, &err);
	wm_tell_init(&d, c, out.f, &err);
	d.file = wm_output_is_dash(to) ? NULL : to;
	status = o->report->alone(o, &d);
	/* half a report is not written; alone() has reported its own errors */
	s = status == WM_EXIT_USAGE || status == WM_EXIT_UNREADABLE ? WM_IO :
								      WM_OK;
	if (wm_output_is_dash(to) || !to)
		return status;
	closed = wm_output_close(&out, s, &err);
	if (!closed && !s && o->page)
		closed = end_page(c, own, &err);
	return closed && !s ? wm_exit_status(closed, false, &err) : status;
}

static int run_alone(const struct wm_command *c)
{
	const struct wm_opts *o = &c->ask;
	struct wm_err err = { "" };
	char *own = NULL;
	int status;

	if (o->page && !o->output && wm_page_file(&own, NULL, o, &err))
		return wm_exit_status(WM_NO_MEMORY, false, &err);
	status = tell_alone(c, own);
	free(own);
	return status;
}

/* The version of wm-analyze and of its libraries. */
static void put_version(void)
{
	printf("%s " WM_VERSION "\n", wm_spread_program());
	printf("elfutils %s, liblzma %s, zlib %s; the page of --html has %s\n",
	       dwfl_version(NULL), lzma_version_string(), zlibVersion(),
	       wm_bundle_script[0] ? "its script" : "no script");
}

static int run_command(int argc, char **argv)
{
	struct wm_command c;
	struct wm_err err = { "" };

	if (wm_opts_parse(&c, argc, argv, &err))
		return wm_exit_status(WM_USAGE, false, &err);
	if (c.help || c.version) {
		struct wm_output out;

		wm_output_open(&out, NULL, false, &err);
		if (c.help)
			wm_opts_help(&c, wm_spread_program(), stdout);
		else
			put_version();
		return wm_exit_status(wm_output_close(&out, WM_OK, &err), false,
				      &err);
	}
	if (c.color == WM_COLOR_AUTO)
		c.color = wm_spread_terminal() && !getenv("NO_COLOR") ?
				  WM_COLOR_ALWAYS :
				  WM_COLOR_NEVER;
	if (wm_places_set(&c.places, &err))
		return wm_exit_status(WM_USAGE, false, &err);
	return c.ask.report->alone ? run_alone(&c) : run_report(&c);
}

/* Sets the places in which a helper looks for names.  A helper reads names
 * while it reads traces, from the same files as the root; only the root reports
 * errors in these files. */
static void take_places(int argc, char **argv)
{
	struct wm_command c;
	struct wm_err err;

	if (wm_opts_parse(&c, argc, argv, &err))
		return;
	c.places.quiet = true;
	wm_places_set(&c.places, &err);
}

int main(int argc, char **argv)
{
	int status;

	if (!wm_spread_start(&argc, &argv, &status, take_places))
		return status;
	return wm_spread_end(run_command(argc, argv));
}
