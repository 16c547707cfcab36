/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wm-analyze: reads traces, says who needs how much memory (wm-analyze(1)).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/exit.h"
#include "analyze/job/analysis.h"
#include "analyze/job/outside.h"
#include "analyze/job/spread.h"
#include "analyze/opts.h"
#include "analyze/report/output.h"
#include "analyze/report/report.h"
#include "wm/version.h"

static void help(void)
{
	const struct wm_report *r;
	size_t i;

	printf("usage: %s [REPORT] [OPTIONS] [RUN...]\n\n",
	       wm_spread_program());
	fputs("RUN is a run directory NAME.ID.wm (several: the programs of one "
	      "job,\nand what it has spawned), or trace files; without it the "
	      "newest run directory\nhere is taken.\n\nReports:\n", stdout);
	for (i = 0; (r = wm_reports[i]); i++) {
		int n = printf("  --%s%s%s", r->name, r->value ? " " : "",
			       r->value ? r->value : "");

		printf("%*s%s\n", n < 22 ? 22 - n : 1, "", r->help);
	}
	fputs("\nOptions:\n"
	      "  --rank N|max|min|all  what lists are about: a rank, the one "
	      "with the highest\n"
	      "                        (default) or lowest peak, or the sum "
	      "(default of\n"
	      "                        --leaks, --temporaries)\n"
	      "  --json                one JSON object instead of text\n"
	      "  --csv                 one table, RFC 4180, instead of text\n"
	      "  --at TIME|peak        who holds memory at that time (1.5s, "
	      "250ms) of each process\n"
	      "  --by WHAT             with --timeline: sites, libraries or "
	      "phases\n"
	      "  --svg FILE            with --timeline, --imbalance, --tree: "
	      "draw it "
	      "(- is stdout)\n"
	      "  --size P,...          with --model, --export extrap: size of "
	      "the problem of\n"
	      "                        each RUN\n"
	      "  --ranks N,...         with these: ranks of each RUN, instead of "
	      "what it says\n"
	      "  --predict N[:P],...   with --model: jobs to predict\n"
	      "  --check RUN,...       with --model: runs to compare it with\n"
	      "  --grid, --decomp AxBxC  with --model: cells of the problem, "
	      "how ranks cut them\n"
	      "  --node-memory SIZE    with --imbalance: does the job fit; with "
	      "--model and\n"
	      "                        --ranks-per-node K: when does a node "
	      "overflow\n"
	      "  --output DIR          with --repack: write a copy there\n"
	      "  --output FILE         with --export: write to it\n"
	      "  --force               with --svg, --html, --output: replace "
	      "a file that\n"
	      "                        wm-analyze has not written\n"
	      "  --top N|all           entries in lists of text\n"
	      "  --max-blocks N        read files with more blocks alive at one "
	      "time than their\n"
	      "                        size lets one expect: up to N\n"
	      "  --bottom-up           with --tree: callers below what they "
	      "call\n"
	      "  --fold RULE           none, -GROUP, +GROUP or a FILE of "
	      "folding rules\n"
	      "  -j N                  read N traces at a time\n"
	      "  --fail-on LIMIT       leaks[=SIZE], held[=SIZE], peak=SIZE, with "
	      "--compare\n"
	      "                        growth=SIZE|N%: exit status 1 when it is exceeded\n"
	      "  --color WHEN          auto, always, never\n"
	      "  -q, --quiet           no progress, no remarks\n"
	      "  -h, --help            this\n"
	      "  --version\n\n"
	      "Exit status: 0 good, 1 --fail-on, 2 usage, 3 nothing "
	      "readable, 4 answers from a\npart of the input (stderr "
	      "and the report say which).\n",
	      stdout);
}

static int is_dash(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

/* --svg FILE, beside what else is written. */
static enum wm_status draw(const struct wm_analysis *a,
			   const struct wm_opts *o, struct wm_err *err)
{
	struct wm_output out;
	enum wm_status s = wm_output_open(&out, o->svg, o->force, err);

	return s ? s : wm_output_close(&out, o->report->svg(a, o, out.f, err),
				       err);
}

static int run_report(struct wm_opts *o)
{
	struct wm_findings v = { .gates = NULL };
	struct wm_analysis a;
	struct wm_err err = { "" };
	enum wm_status s;
	int partial, status;
	struct wm_output out;

	s = wm_output_check(o->svg, &err);
	if (!s)
		s = wm_output_check(o->output, &err);
	if (s)
		return wm_exit_status(s, 0, &err);
	s = wm_analysis_read(&a, &o->request, &err);
	if (s || !wm_notes_on_screen(o))
		wm_print_notes(&a, o->quiet);
	if (!s)
		s = wm_gates_judge(&v, &o->gates, &a, &err);
	if (!s && o->svg)
		s = draw(&a, o, &err);
	if (!s && !is_dash(o->svg) &&
	    !(s = wm_output_open(&out, o->output, o->force, &err))) {
		if (o->json)
			s = wm_report_json(&a, o, &v, out.f, &err);
		else if (o->csv)
			s = o->report->csv(&a, o, out.f, &err);
		else
			s = o->report->text(&a, o, out.f, &err);
		s = wm_output_close(&out, s, &err);
	}
	wm_print_outside(&a, o->quiet);
	partial = a.partial;
	wm_analysis_release(&a);
	status = wm_exit_gates(s, partial, &v, &err);
	wm_findings_release(&v);
	return status;
}

static int analyze(int argc, char **argv)
{
	struct wm_opts o;
	struct wm_err err = { "" };

	if (wm_opts_parse(&o, argc, argv, &err))
		return wm_exit_status(WM_USAGE, 0, &err);
	if (o.help || o.version) {
		struct wm_output out;

		wm_output_open(&out, NULL, 0, &err);
		if (o.help)
			help();
		else
			printf("%s " WM_VERSION "\n", wm_spread_program());
		return wm_exit_status(wm_output_close(&out, WM_OK, &err),
				      0, &err);
	}
	if (o.color == WM_COLOR_AUTO)
		o.color = wm_spread_terminal() && !getenv("NO_COLOR") ?
			  WM_COLOR_ALWAYS : WM_COLOR_NEVER;
	if (o.report->alone)
		return o.report->alone(&o);
	return run_report(&o);
}

int main(int argc, char **argv)
{
	int status;

	if (!wm_spread_start(&argc, &argv, &status))
		return status;
	return wm_spread_end(analyze(argc, argv));
}
