/* SPDX-License-Identifier: Apache-2.0 */
/* --pages: the memory that is really used, and when.  Text has the important
 * part of the data; JSON and CSV have all of it. */
#include "analyze/answers/reports.h"

#include "analyze/lib/base/whole.h"
#include "analyze/answers/pages/page_sites.h"
#include "analyze/render/table.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

#define SITES_SHOWN 20
#define FEW_SHOWN 10
#define ROWS_SHOWN 24

static uint64_t page_bytes(const struct wm_page_totals *t, uint64_t pages)
{
	return pages * t->page_bytes;
}

static uint64_t mean_bytes(const struct wm_page_totals *t, double time)
{
	return page_bytes(t, wm_page_totals_mean(t, time));
}

/* Returns the requested or else the mean CPU time of an epoch in ms. */
static double epoch_ms(const struct wm_page_totals *t)
{
	if (t->interval_ns)
		return (double)t->interval_ns * 1e-6;
	return t->epochs ? (double)t->cpu_ns / (double)t->epochs * 1e-6 : 0;
}

/* Returns the mean CPU time of an epoch as text, if it differs from the
 * interval, which is only the program's own CPU time. */
static const char *with_faults(const struct wm_page_totals *t, bool hooked,
			       struct wm_figure *b)
{
	double mean = t->epochs ? (double)t->cpu_ns / (double)t->epochs : 0;

	if (!t->interval_ns)
		return " in the mean";
	if (mean < 1.1 * (double)t->interval_ns || hooked)
		return "";
	snprintf(b->s, sizeof(b->s),
		 " (%u with the page faults that watching costs)",
		 (unsigned)(mean * 1e-6 + 0.5));
	return b->s;
}

/* If the longest epoch takes a larger part of the run than this, answers about
 * times within it are only bounds. */
#define LONG_PERCENT 20
/* the highest budget of WM_PAGES=auto (runtime/pages/cost.c) */
#define MOST_AUTO_PERCENT 20

static double longest_percent(const struct wm_page_totals *t)
{
	return 100 * (double)t->longest_ns / (t->time > 0 ? t->time : 1);
}

/* CPU time of watching, in ns and in percent. */
struct cost {
	double ns, percent, least, most;
};

static double percent_of(double ns, double all)
{
	return all > ns ? 100 * ns / all : ns > 0 ? 100 : 0;
}

/* Returns the cost of watching.  If the trace does not record it, it is the
 * time for looking plus the time for page faults: the CPU time beyond that of
 * all epochs by their interval, or 0 without an interval. */
static struct cost cost_of(const struct wm_page_totals *t, bool hooked)
{
	double own = (double)t->epochs * (double)t->interval_ns;
	double faults = t->interval_ns && !hooked ? (double)t->cpu_ns - own : 0;
	double looking = (double)t->scan_ns, cpu = (double)t->cpu_ns;
	double all = cpu + (double)t->watch.thread_ns;
	uint64_t least, most, ns = wm_page_totals_cost(t, &least, &most);
	struct cost c = { .ns = (double)ns };

	if (ns) {
		c.percent = percent_of(c.ns, all);
		c.least = percent_of((double)least, all);
		c.most = percent_of((double)most, all);
		return c;
	}
	c.ns = looking + (faults > 0 ? faults : 0);
	c.percent = c.least = c.most = percent_of(c.ns, cpu + looking);
	return c;
}

static void put_cost(const struct wm_page_totals *t, bool hooked,
		     struct wm_doc *d)
{
	bool all = t->interval_ns || hooked || t->watch.thread_ns;
	struct cost c = cost_of(t, hooked);

	wm_doc_print(d, "; %s took ", all ? "watching" : "looking");
	if (c.most - c.least < .1)
		wm_doc_print(d, "%.1f %% of the CPU time", c.percent);
	else
		wm_doc_print(d, "%.*f to %.*f %% of the CPU time", c.most < 10,
			     c.least, c.most < 10, c.most);
	if (all && !hooked && t->page_epochs)
		wm_doc_print(d, ", %.1f us a page and epoch",
			     c.ns / (double)t->page_epochs * 1e-3);
	wm_doc_print(d, "\n");
}

/* WM_PAGES=auto tries to keep to a cost first, and then to short epochs.
 * Reports which of them it gave up if an epoch is long. */
static void put_given_up(const struct wm_page_totals *t, struct wm_doc *d)
{
	if (t->interval_ns || !t->watch.thread_ns)
		return;
	if (cost_of(t, false).percent <= MOST_AUTO_PERCENT)
		wm_doc_print(d,
			     "  WM_PAGES=auto made epochs this long to keep "
			     "its cost below %d %%: WM_PAGES=MS\n"
			     "  sets a shorter length\n",
			     MOST_AUTO_PERCENT);
	else
		wm_doc_print(d,
			     "  WM_PAGES=auto could keep neither short epochs "
			     "nor a cost below %d %%: one epoch\n"
			     "  costs more here\n",
			     MOST_AUTO_PERCENT);
}

static void put_longest(const struct wm_page_totals *t, struct wm_doc *d)
{
	struct wm_figure b;

	if (longest_percent(t) < LONG_PERCENT)
		return;
	if (t->last_ns == t->longest_ns)
		snprintf(b.s, sizeof(b.s), "last epoch");
	else
		snprintf(b.s, sizeof(b.s), "epoch up to %.3g s",
			 (double)t->longest_end_ns * 1e-9);
	wm_doc_print(d,
		     "  The %s covers %.0f %% of the run's CPU time: answers "
		     "about that time are bounds\n",
		     b.s, longest_percent(t));
	put_given_up(t, d);
}

static void put_head(const struct wm_analysis *a,
		     const struct wm_page_totals *t, struct wm_doc *d)
{
	bool hooked = a->ranks[a->chosen].samples;
	struct wm_figure b, c, e;

	wm_doc_title(d, "%s  run %s: page accesses of %s", a->name, a->id,
		     wm_chosen(&b, a));
	wm_text_notes(a, d);
	if (!t->epochs) {
		wm_doc_print(
			d,
			"\n  No pages were watched: WM_PAGES=auto watches them."
			"\n");
		return;
	}
	wm_doc_print(d, "  %s epoch%s of %.0f ms of CPU time%s, pages of %s",
		     wm_count(&b, t->epochs), t->epochs == 1 ? "" : "s",
		     epoch_ms(t), with_faults(t, hooked, &e),
		     wm_bytes(&c, t->page_bytes));
	put_cost(t, hooked, d);
	put_longest(t, d);
	if (t->written_alone == t->epochs)
		wm_doc_print(d, "  Reads are not known here (WM_PAGES sees "
				"them in static programs): accessed pages "
				"are those that were written\n");
	else if (t->written_alone)
		wm_doc_print(d,
			     "  Reads are known in %s of the %s epochs only, "
			     "each time for all epochs since the last of "
			     "these; in the other epochs the accessed pages "
			     "are those that were written\n",
			     wm_count(&b, t->epochs - t->written_alone),
			     wm_count(&c, t->epochs));
	if (t->missing)
		wm_doc_print(d, "  %s %s lost\n",
			     wm_several(&b, t->missing, "epoch"),
			     t->missing == 1 ? "is" : "are");
	if (a->pages.end)
		wm_doc_print(d, "  No epochs came to the end of the run: %s\n",
			     a->pages.end);
}

static void put_fact(struct wm_table *t, const char *what, uint64_t bytes,
		     const char *remark)
{
	wm_fact(t, what, bytes);
	wm_table_text(t, remark);
}

static void put_totals(const struct wm_analysis *a,
		       const struct wm_page_totals *t, struct wm_doc *d)
{
	const struct wm_rank *r = &a->ranks[a->chosen];
	struct wm_table f;

	wm_doc_heading(d, "Working set");
	wm_facts_init(&f);
	put_fact(&f, "highest", page_bytes(t, t->accessed_most),
		 "accessed in one epoch");
	put_fact(&f, "mean", mean_bytes(t, t->accessed_time),
		 "accessed in an epoch, in the mean over the CPU time");
	put_fact(&f, "written", mean_bytes(t, t->written_time),
		 "written in an epoch, in the mean");
	put_fact(&f, "ever", page_bytes(t, t->touched),
		 "accessed in the whole run, freed memory too");
	put_fact(&f, "resident", page_bytes(t, t->resident_most),
		 "the most in RAM when an epoch ended, of watched memory");
	put_fact(&f, "allocated", r->in[WM_HOST].peak_bytes,
		 "the most at a time");
	wm_doc_table(d, &f, NULL, 0, WM_FOR_TEXT);
}

/* Adds epochs [@from, @to) as one row, with the maximum of each figure. */
static void put_stretch(struct wm_table *out, const struct wm_analysis *a,
			const struct wm_page_totals *t, size_t from, size_t to)
{
	const struct wm_page_epoch *e = a->pages.epoch;
	uint64_t accessed = 0, written = 0, resident = 0, allocated = 0;

	for (size_t i = from; i < to; i++) {
		wm_raise(&accessed, e[i].accessed);
		wm_raise(&written, e[i].written);
		wm_raise(&resident, e[i].resident);
		wm_raise(&allocated, e[i].allocated_bytes);
	}
	WM_TABLE_ADD(out, (double)e[to - 1].end_ns * 1e-9,
		     page_bytes(t, accessed), page_bytes(t, written),
		     page_bytes(t, resident), allocated,
		     t->accessed_most ?
			     (double)accessed / (double)t->accessed_most :
			     0);
}

static void put_series(const struct wm_analysis *a,
		       const struct wm_page_totals *t, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "to", "      up to", WM_UNIT_MOMENT },
		{ "accessed", "   accessed", WM_UNIT_BYTES },
		{ "written", "    written", WM_UNIT_BYTES },
		{ "resident", "   resident", WM_UNIT_BYTES },
		{ "allocated", "  allocated", WM_UNIT_BYTES },
		{ "bar", "                    ", WM_UNIT_BAR },
	};
	size_t n = a->pages.epochs, rows = n < ROWS_SHOWN ? n : ROWS_SHOWN;
	struct wm_table out;

	wm_doc_heading(d, "Over time, the highest epoch of each row; "
			  "resident, allocated: when it ended");
	WM_TABLE_INIT(&out, columns);
	for (size_t i = 0; i < rows; i++)
		put_stretch(&out, a, t, i * n / rows, (i + 1) * n / rows);
	wm_doc_table(d, &out, NULL, 0, WM_FOR_TEXT);
}

static const char *not_covered_name(uint64_t what)
{
	static const char *const names[WMT_NOT_COVERED_LIMIT] = {
		[WMT_NOT_COVERED_MAIN_STACK] = "the main thread's stack",
		[WMT_NOT_COVERED_FILES] = "files",
		[WMT_NOT_COVERED_SHARED] = "shared mappings",
		[WMT_NOT_COVERED_RUNTIME] = "the tool's own",
		[WMT_NOT_COVERED_LOCKED] = "locked memory",
		[WMT_NOT_COVERED_PINNED] = "pinned memory",
		[WMT_NOT_COVERED_ANONYMOUS] = "other anonymous memory",
		[WMT_NOT_COVERED_CODE] = "code and read-only data",
	};

	if (what >= WMT_NOT_COVERED_LIMIT || !names[what])
		return "of a later version";
	return names[what];
}

static void put_not_covered(const struct wm_pages *p, unsigned audience,
			    struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "bytes", "bytes", WM_UNIT_BYTES },
		{ "what", "what", WM_UNIT_WORDS },
	};
	struct wm_table t;

	if (audience == WM_FOR_TEXT && !p->not_covered_count)
		return;
	if (audience == WM_FOR_TEXT) {
		wm_doc_heading(d, "Not covered");
	}
	WM_TABLE_INIT(&t, columns);
	for (size_t i = 0; i < p->not_covered_count; i++) {
		WM_TABLE_ADD(&t, p->not_covered[i].bytes,
			     not_covered_name(p->not_covered[i].what));
	}
	wm_doc_table(d, &t, "not_covered", 0, audience);
}

/* Adds a note that the program's own instructions may free memory unseen. */
static void put_exactness(const struct wm_page_sites *l,
			  const struct wm_page_totals *t, bool hooked,
			  struct wm_doc *d)
{
	double all = t->page_epochs ? (double)t->page_epochs : 1;

	wm_doc_print(d, "\n  Pages are exact%s.\n",
		     hooked ? "" :
			      ", but for system calls that the program makes "
			      "by an instruction of its\n  own, not by libc: "
			      "these are not seen");
	wm_doc_print(d,
		     "  %.1f %% of the accesses were to pages with bytes of "
		     "several sites, and count for\n"
		     "  each of these sites; %.1f %% were to pages that hold "
		     "no bytes of any site.\n",
		     100 * (double)l->shared_page_epochs / all,
		     100 * (double)l->nobody_page_epochs / all);
}

static void put_ranks(const struct wm_analysis *a, const char *key, size_t top,
		      unsigned audience, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "rank", "rank", WM_UNIT_NUMBER },
		{ "node", "node", WM_UNIT_TEXT },
		{ "epochs", "epochs", WM_UNIT_COUNT },
		{ "accessed_most_bytes", "highest", WM_UNIT_BYTES },
		{ "accessed_mean_bytes", "mean", WM_UNIT_BYTES },
		{ "written_mean_bytes", "written", WM_UNIT_BYTES },
		{ "touched_bytes", "ever", WM_UNIT_BYTES },
		{ "resident_most_bytes", "resident", WM_UNIT_BYTES },
		{ "peak_bytes", "allocated", WM_UNIT_BYTES },
	};
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];
		const struct wm_page_totals *p = &r->page_totals;

		if (!p->epochs)
			continue;
		WM_TABLE_ADD(&t, r->rank, r->host, p->epochs,
			     page_bytes(p, p->accessed_most),
			     mean_bytes(p, p->accessed_time),
			     mean_bytes(p, p->written_time),
			     page_bytes(p, p->touched),
			     page_bytes(p, p->resident_most),
			     r->in[WM_HOST].peak_bytes);
	}
	wm_doc_table(d, &t, key, top, audience);
}

static enum wm_status put_text(const struct wm_analysis *a,
			       const struct wm_page_sites *l,
			       const struct wm_opts *o, struct wm_doc *d,
			       struct wm_err *err)
{
	enum wm_status s;
	const struct wm_page_totals *t = &a->ranks[a->chosen].page_totals;
	size_t few = wm_top(o, FEW_SHOWN);

	put_totals(a, t, d);
	put_series(a, t, d);
	wm_pages_phases(a, wm_top(o, SITES_SHOWN), WM_FOR_TEXT, d);
	s = wm_pages_sharers(a, few, WM_FOR_TEXT, d, err);
	if (s)
		return s;
	wm_doc_heading(d, "Sites and variables by use");
	wm_pages_sites(l, &a->annotations, NULL, wm_top(o, SITES_SHOWN),
		       WM_FOR_TEXT, d);
	wm_pages_unused(l, &a->annotations, few, d);
	wm_pages_plans(a, l, o, WM_FOR_TEXT, d);
	put_not_covered(&a->pages, WM_FOR_TEXT, d);
	put_exactness(l, t, a->ranks[a->chosen].samples, d);
	if (a->rank_count < 2)
		return WM_OK;
	wm_doc_heading(d, "Working sets of the ranks");
	put_ranks(a, NULL, wm_top(o, SITES_SHOWN), WM_FOR_TEXT, d);
	return WM_OK;
}

static void put_epochs(const struct wm_analysis *a, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "time_s", NULL, WM_UNIT_SECONDS },
		{ "cpu_s", NULL, WM_UNIT_SECONDS },
		{ "accessed", NULL, WM_UNIT_COUNT },
		{ "written", NULL, WM_UNIT_COUNT },
		{ "resident", NULL, WM_UNIT_COUNT },
		{ "covered", NULL, WM_UNIT_COUNT },
		{ "allocated_bytes", NULL, WM_UNIT_BYTES },
	};
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	for (size_t i = 0; i < a->pages.epochs; i++) {
		const struct wm_page_epoch *e = &a->pages.epoch[i];

		WM_TABLE_ADD(&t, (double)e->end_ns * 1e-9,
			     (double)e->cpu_ns * 1e-9, e->accessed, e->written,
			     e->resident, e->covered, e->allocated_bytes);
	}
	wm_doc_table(d, &t, "epochs", 0, WM_FOR_DATA);
}

static void put_cost_data(const struct wm_page_totals *t, bool hooked,
			  struct wm_json *j)
{
	const struct wm_watch_cost *w = &t->watch;
	struct cost c = cost_of(t, hooked);

	WM_JSON_ADD(j,
		    "cost_percent.1 cost_percent_least.1 cost_percent_most.1",
		    c.percent, c.least, c.most);
	if (!w->thread_ns) {
		wm_json_text(j, "cost", NULL);
		return;
	}
	WM_JSON_OBJECT(j, "cost", "thread_s.9 faults_s.9 faults",
		       (double)w->thread_ns * 1e-9, (double)w->faults_ns * 1e-9,
		       w->faults);
}

static enum wm_status put_data(const struct wm_analysis *a,
			       const struct wm_page_sites *l,
			       const struct wm_opts *o, struct wm_doc *d,
			       struct wm_err *err)
{
	enum wm_status s;
	const struct wm_page_totals *t = &a->ranks[a->chosen].page_totals;
	struct wm_json *j = &d->data;

	wm_json_object(j, "pages");
	WM_JSON_ADD(j,
		    "rank auto! page_bytes missing_epochs "
		    "written_alone_epochs epoch_ms.3 longest_epoch_ms.3 "
		    "longest_epoch_percent.1 end scan_s.9",
		    a->ranks[a->chosen].rank, !t->interval_ns, t->page_bytes,
		    t->missing, t->written_alone, epoch_ms(t),
		    (double)t->longest_ns * 1e-6, longest_percent(t),
		    a->pages.end, (double)t->scan_ns * 1e-9);
	put_cost_data(t, a->ranks[a->chosen].samples, j);
	put_epochs(a, d);
	wm_pages_sites(l, &a->annotations, "sites", 0, WM_FOR_DATA, d);
	WM_JSON_ADD(j,
		    "touched_bytes written_bytes untouched_bytes cold_bytes "
		    "read_only_bytes page_epochs shared_page_epochs "
		    "other_page_epochs covered_bytes",
		    page_bytes(t, t->touched), page_bytes(t, t->written),
		    l->untouched, l->cold, l->read_only, t->page_epochs,
		    l->shared_page_epochs, l->nobody_page_epochs,
		    page_bytes(t, t->covered));
	put_not_covered(&a->pages, WM_FOR_DATA, d);
	wm_json_uint(j, "not_watched_bytes", l->not_watched);
	put_ranks(a, "ranks", 0, WM_FOR_DATA, d);
	wm_pages_phases(a, 0, WM_FOR_DATA, d);
	wm_pages_plans(a, l, o, WM_FOR_DATA, d);
	s = wm_pages_sharers(a, 0, WM_FOR_DATA, d, err);
	wm_json_end_object(j);
	return s;
}

static enum wm_status pages_build(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err)
{
	const struct wm_page_totals *t;
	struct wm_page_sites l;
	enum wm_status s;

	if (a->chosen == WM_ALL_RANKS) {
		wm_one_rank_only(a, "page accesses", d);
		wm_json_text(&d->data, "pages", NULL);
		return WM_OK;
	}
	t = &a->ranks[a->chosen].page_totals;
	s = wm_page_sites_make(&l, a, err);
	if (s)
		return s;
	put_head(a, t, d);
	if (t->epochs && wm_doc_wants(d, WM_FOR_TEXT))
		s = put_text(a, &l, o, d, err);
	if (wm_doc_wants(d, WM_FOR_CSV))
		wm_pages_sites(&l, &a->annotations, NULL, 0, WM_FOR_CSV, d);
	if (t->epochs && wm_doc_wants(d, WM_FOR_DATA) && !s)
		s = put_data(a, &l, o, d, err);
	else
		wm_json_text(&d->data, "pages", NULL);
	wm_page_sites_release(&l);
	return s;
}

const struct wm_report wm_pages_report = {
	.name = "pages",
	.help = "memory that is really used, and when (WM_PAGES, --svg)",
	.needs = WM_NEEDS(heap) | WM_NEEDS(pages),
	.usual_rank = WM_RANK_WORKING_SET,
	.build = pages_build,
	.check = wm_one_rank_check,
	.svg = wm_pages_svg,
};
