/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/export/export.h"

#include "analyze/job/retained.h"
#include "analyze/job/spread.h"
#include "analyze/render/doc.h"
#include "analyze/answers/heap/threads.h"
#include "analyze/answers/report.h"

static enum wm_status no_sizes(const struct wm_opts *o, struct wm_err *err)
{
	if (o->sizes)
		return wm_err_set(err, WM_USAGE,
				  "--problem-size is for --export extrap");
	return WM_OK;
}

/* Checks the options of formats that know threads. */
static enum wm_status threads_or_not(const struct wm_opts *o,
				     struct wm_err *err)
{
	enum wm_status s = wm_by_threads_check(o, err);

	return s ? s : no_sizes(o, err);
}

static enum wm_status no_threads(const struct wm_opts *o, struct wm_err *err)
{
	if (o->by)
		return wm_err_set(err, WM_USAGE,
				  "--by threads is for --export folded and "
				  "speedscope, not for %s",
				  o->report->value);
	return WM_OK;
}

static enum wm_status only_extrap(const struct wm_opts *o, struct wm_err *err)
{
	enum wm_status s = no_threads(o, err);

	return s ? s : no_sizes(o, err);
}

static enum wm_status no_terminal(const struct wm_opts *o, struct wm_err *err)
{
	if (!o->output && wm_spread_terminal())
		return wm_err_set(err, WM_USAGE,
				  "--export %s is not for a "
				  "terminal: add --output FILE",
				  o->report->value);
	return only_extrap(o, err);
}

static enum wm_status one_rank_of_all_times(const struct wm_opts *o,
					    struct wm_err *err)
{
	if (o->request.choice == WM_RANK_ALL)
		return wm_err_set(err, WM_USAGE,
				  "--export %s is about one rank: add --rank "
				  "N, max or min",
				  o->report->value);
	if (o->request.at_time)
		return wm_err_set(err, WM_USAGE,
				  "--export %s is about all "
				  "times: leave out --at",
				  o->report->value);
	return only_extrap(o, err);
}

static enum wm_status worst_rank(const struct wm_opts *o, struct wm_err *err)
{
	if (o->request.choice != WM_RANK_MAX || o->request.at_time)
		return wm_err_set(err, WM_USAGE,
				  "--export extrap is about the worst rank at "
				  "its peak: leave out --rank and --at");
	return no_threads(o, err);
}

static int list_formats(const struct wm_opts *o, struct wm_doc *d)
{
	const struct wm_report *f;

	(void)o;
	fputs("formats of --export:\n", d->out);
	for (f = wm_export_formats; f->name; f++)
		fprintf(d->out, "  %-17s%s\n", f->value, f->help);
	return fflush(d->out) ? WM_EXIT_UNREADABLE : WM_EXIT_GOOD;
}

#define FORMAT(format) .name = "export", .value = format

const struct wm_report wm_export_formats[] = {
	{ FORMAT("folded"),
	  .help = "a line for each call path: flamegraph.pl, inferno, "
		  "speedscope",
	  .needs = WM_NEEDS(heap), .wants = wm_by_threads_wants,
	  .write = wm_export_folded, .check = threads_or_not,
	  .forms = WM_NO_JSON | WM_NO_CSV },
	{ FORMAT("speedscope"),
	  .help = "JSON for speedscope: the peak, and what was never freed",
	  .needs = WM_NEEDS(heap), .wants = wm_by_threads_wants,
	  .write = wm_export_speedscope, .check = threads_or_not,
	  .forms = WM_NO_JSON | WM_NO_CSV },
	{ FORMAT("pprof"),
	  .help = "profile.proto, gzip: go tool pprof and others; binary",
	  .needs = WM_NEEDS(heap), .write = wm_export_pprof,
	  .check = no_terminal, .forms = WM_NO_JSON | WM_NO_CSV },
	{ FORMAT("massif"),
	  .help = "massif.out of valgrind: ms_print, massif-visualizer",
	  .needs = WM_NEEDS(heap) | WM_NEEDS(timeline) | WM_NEEDS(series),
	  .write = wm_export_massif, .check = one_rank_of_all_times,
	  .forms = WM_NO_JSON | WM_NO_CSV },
	{ FORMAT("csv"),
	  .help = "a row for each call path: spreadsheets, scripts",
	  .needs = WM_NEEDS(heap), .write = wm_export_csv, .check = only_extrap,
	  .forms = WM_NO_JSON | WM_NO_CSV },
	{ FORMAT("moca"),
	  .help = "page accesses (WM_PAGES) as Moca's CSV: a row for each page "
		  "and epoch",
	  .needs = WM_NEEDS(heap) | WM_NEEDS(working_set),
	  .usual_rank = WM_RANK_WORKING_SET, .write = wm_export_moca,
	  .check = one_rank_of_all_times, .forms = WM_NO_JSON | WM_NO_CSV },
	{ FORMAT("moca-structures"),
	  .help = "Moca's other file: name, address and size of blocks and "
		  "variables",
	  .needs = WM_NEEDS(heap) | WM_NEEDS(working_set) | WM_NEEDS(blocks),
	  .usual_rank = WM_RANK_WORKING_SET, .write = wm_export_moca_structures,
	  .check = one_rank_of_all_times, .forms = WM_NO_JSON | WM_NO_CSV },
	{ FORMAT("gleipnir"),
	  .help = "loads and stores (app.wma) one by one, with their variables",
	  .needs = WM_NEEDS(heap) | WM_NEEDS(accesses),
	  .usual_rank = WM_RANK_ACCESSES, .write = wm_export_gleipnir,
	  .check = one_rank_of_all_times, .forms = WM_NO_JSON | WM_NO_CSV },
	{ FORMAT("dinero"),
	  .help = "loads and stores as input for Dinero IV: r|w address size",
	  .needs = WM_NEEDS(heap) | WM_NEEDS(accesses),
	  .usual_rank = WM_RANK_ACCESSES, .write = wm_export_dinero,
	  .check = one_rank_of_all_times, .forms = WM_NO_JSON | WM_NO_CSV },
	{ FORMAT("lackey"),
	  .help = "loads and stores as valgrind --tool=lackey --trace-mem=yes",
	  .needs = WM_NEEDS(heap) | WM_NEEDS(accesses),
	  .usual_rank = WM_RANK_ACCESSES, .write = wm_export_lackey,
	  .check = one_rank_of_all_times, .forms = WM_NO_JSON | WM_NO_CSV },
	{ FORMAT("extrap"), .help = "Extra-P: several runs, by number of ranks",
	  .needs = WM_NEEDS(heap) | WM_NEEDS(phases),
	  .retains = WM_RETAINS(max) | WM_RETAINS_EACH,
	  .alone = wm_export_extrap, .check = worst_rank,
	  .forms = WM_NO_JSON | WM_NO_CSV },
	{ FORMAT("help"), .help = "this list", .alone = list_formats,
	  .forms = WM_NO_JSON | WM_NO_CSV },
	{ .name = NULL },
};

const struct wm_report wm_export_report = {
	.name = "export",
	.help = "data for other tools; --export help lists the formats",
	.value = "FORMAT",
	.choices = wm_export_formats,
};
