/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --history DIR: peaks of all runs below a directory by date and build, and the
 * run since which peaks are higher.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answers/history/history.h"
#include "analyze/render/doc.h"
#include "analyze/render/output.h"
#include "analyze/answers/exit.h"
#include "analyze/answers/report.h"
#include "analyze/answers/gates/report_gates.h"
#include "analyze/answers/reports.h"
#include "analyze/answers/text.h"

#define GROWN_SHOWN 5

static enum wm_status history_check(const struct wm_opts *o, struct wm_err *err)
{
	if (!o->request.run_count)
		return wm_err_set(err, WM_USAGE,
				  "--history needs a directory that holds "
				  "runs: wm-analyze --history DIR");
	if (o->gates.count) {
		for (size_t i = 0; i < o->gates.count; i++)
			if (o->gates.gate[i].kind != WM_GATE_GROWTH)
				return wm_err_set(
					err, WM_USAGE,
					"--fail-on %s: --history takes "
					"only growth=SIZE and growth=N%%",
					o->gates.gate[i].text);
	}
	return WM_OK;
}

/* "2026-11-23 14:35:00" */
static const char *date_of(const struct wm_history_run *r, char out[32])
{
	if (!r->started[0])
		return NULL;
	memcpy(out, r->started, 32);
	out[10] = ' ';
	out[19] = 0;
	return out;
}

static const char *build_of(const struct wm_history_run *r)
{
	return r->build[0] ? r->build : NULL;
}

static double percent_of(uint64_t a, uint64_t b)
{
	return 100.0 * ((double)b - (double)a) / (double)a;
}

static const struct wm_table_column columns[] = {
	{ "started", "started", WM_UNIT_WORDS },
	{ "program", "program", WM_UNIT_TEXT },
	{ "id", NULL, WM_UNIT_TEXT },
	{ "build", "build", WM_UNIT_WORDS },
	{ "ranks", "ranks", WM_UNIT_NUMBER },
	{ "command", "arguments", WM_UNIT_TEXT },
	{ "peak_bytes", "peak", WM_UNIT_BYTES },
	{ "peak_rank", NULL, WM_UNIT_NUMBER },
	{ "total_bytes", "all ranks", WM_UNIT_BYTES },
	{ "resident_bytes", "resident", WM_UNIT_BYTES },
	{ "change", "change", WM_UNIT_CHANGE },
	{ "change_percent", "%", WM_UNIT_PERCENT },
	{ "grew_since", NULL, WM_UNIT_TEXT },
	{ ".since", "grew since", WM_UNIT_WORDS },
	{ "series", NULL, WM_UNIT_NUMBER },
	{ "complete", NULL, WM_UNIT_FLAG },
	{ "note", NULL, WM_UNIT_TEXT },
	{ "run", NULL, WM_UNIT_TEXT },
};

static void add_run(struct wm_table *t, const struct wm_history *h, size_t i,
		    bool people)
{
	const struct wm_history_run *r = &h->run[i];
	bool first = r->before == WM_NO_RUN, grew = r->since != WM_NO_RUN;
	uint64_t before = first ? 0 : h->run[r->before].peak;
	char date[32];

	WM_TABLE_ADD(t,
		     people	   ? date_of(r, date) :
		     r->started[0] ? r->started :
				     NULL,
		     r->program, r->id, build_of(r), r->ranks, r->command,
		     r->peak, r->peak_rank, r->total, wm_nonzero(r->resident));
	WM_TABLE_ADD(t,
		     first ? WM_NONE : wm_cell_int(wm_change(before, r->peak)),
		     wm_known_real(!first && before,
				   percent_of(before, r->peak)));
	WM_TABLE_ADD(t, grew ? h->run[r->since].shown : NULL,
		     grew ? date_of(&h->run[r->since], date) : NULL, r->series,
		     r->reason == NULL, r->reason, r->shown);
}

static void put_runs(const struct wm_history *h, const struct wm_opts *o,
		     struct wm_doc *d, unsigned audience)
{
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	t.spare = "resident_bytes command total_bytes build change_percent";
	for (size_t i = 0; i < h->reads; i++)
		add_run(&t, h, i, audience == WM_FOR_TEXT);
	wm_doc_table(d, &t, "runs", wm_top(o, 0), audience);
}

/* ---- for people ---- */

static void name_series(const struct wm_history *h,
			const struct wm_history_series *s, struct wm_doc *d)
{
	const struct wm_history_run *r = &h->run[s->first];

	wm_doc_heading(d, "%s%s%.200s, %" PRIu64 " rank%s: %zu run%s",
		       r->program, r->command && *r->command ? " " : "",
		       r->command ? r->command : "", r->ranks,
		       r->ranks == 1 ? "" : "s", s->runs,
		       s->runs == 1 ? "" : "s");
}

static void put_when(const struct wm_history_run *r, struct wm_doc *d)
{
	char date[32];
	const char *text = date_of(r, date);

	wm_doc_print(d, "%s, build %s", text ? text : r->shown,
		     r->build[0] ? r->build : "unknown");
}

/* Writes since when peaks are higher, by how much, and which functions grew. */
static void put_step(const struct wm_history *h,
		     const struct wm_history_series *s, const struct wm_opts *o,
		     struct wm_doc *d)
{
	static const struct wm_table_column grown[] = {
		{ "change", "            ", WM_UNIT_CHANGE },
		{ "bytes", "", WM_UNIT_WORDS },
		{ "name", "", WM_UNIT_TEXT },
	};
	const struct wm_history_run *to = &h->run[s->step.run];
	const struct wm_history_run *from = &h->run[s->step.from];
	size_t i, n = 0, top = wm_top(o, GROWN_SHOWN);
	struct wm_figure a, b;
	struct wm_table t;

	wm_doc_print(d, "  grew since ");
	put_when(to, d);
	wm_doc_print(d, ": %s -> %s (%+.1f %%)\n  against     ",
		     wm_bytes(&a, from->peak), wm_bytes(&b, to->peak),
		     from->peak ? percent_of(from->peak, to->peak) : 0);
	put_when(from, d);
	wm_doc_print(d, "%s\n",
		     s->step.from == to->before ?
			     ", the run before" :
			     ", the lowest before: the peak grew in small "
			     "steps");
	WM_TABLE_INIT(&t, grown);
	for (i = 0; i < s->step.functions.count && (!top || n < top); i++) {
		const struct wm_difference *f = &s->step.functions.row[i];

		if (f->bytes_b <= f->bytes_a)
			continue;
		WM_TABLE_ADD(&t, wm_change(f->bytes_a, f->bytes_b));
		wm_table_format(&t, "%11s -> %-11s", wm_bytes(&a, f->bytes_a),
				wm_bytes(&b, f->bytes_b));
		wm_table_text(&t, f->name);
		n++;
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
	wm_doc_print(d, "  more: wm-analyze --compare %s %s\n", from->shown,
		     to->shown);
}

static void put_people(const struct wm_history *h, const struct wm_opts *o,
		       struct wm_doc *d)
{
	wm_doc_title(d, "%zu run%s in %zu series, %zu that cannot be read",
		     h->reads, h->reads == 1 ? "" : "s", h->series_count,
		     h->count - h->reads);
	wm_doc_print(d, "\n");
	put_runs(h, o, d, WM_FOR_TEXT);
	for (size_t i = 0; i < h->series_count; i++) {
		const struct wm_history_series *s = &h->series[i];
		struct wm_figure b;

		name_series(h, s, d);
		if (s->step.run != WM_NO_RUN)
			put_step(h, s, o, d);
		else
			wm_doc_print(d,
				     "  no lasting growth of more than %g %%; "
				     "the newest run has %s\n",
				     h->threshold,
				     wm_bytes(&b, h->run[s->last].peak));
	}
	for (size_t i = 0; i < h->count; i++) {
		if (i == h->reads)
			wm_doc_heading(d, "Not readable");
		if (i >= h->reads)
			wm_doc_print(d, "  %s: %s\n", h->run[i].shown,
				     h->run[i].reason);
	}
}

/* ---- for programs ---- */

static void data_step(const struct wm_history *h,
		      const struct wm_history_step *s, struct wm_doc *d)
{
	struct wm_json *j = &d->data;
	const struct wm_history_run *to = &h->run[s->run];
	const struct wm_history_run *from = &h->run[s->from];

	wm_json_object(j, "grew_since");
	WM_JSON_ADD(j,
		    "run started build against crept! bytes_a bytes_b change",
		    to->shown, to->started[0] ? to->started : NULL,
		    build_of(to), from->shown, s->from != to->before,
		    from->peak, to->peak, wm_change(from->peak, to->peak));
	wm_differences_data(&s->functions, false, "functions", d);
	wm_json_end_object(j);
}

static void data_series(const struct wm_history *h, struct wm_doc *d)
{
	struct wm_json *j = &d->data;

	wm_json_array(j, "series");
	for (size_t i = 0; i < h->series_count; i++) {
		const struct wm_history_series *s = &h->series[i];
		const struct wm_history_run *first = &h->run[s->first];

		wm_json_object(j, NULL);
		WM_JSON_ADD(j,
			    "program command first last ranks runs "
			    "last_peak_bytes",
			    first->program, first->command, first->shown,
			    h->run[s->last].shown, first->ranks, s->runs,
			    h->run[s->last].peak);
		if (s->step.run == WM_NO_RUN)
			wm_json_text(j, "grew_since", NULL);
		else
			data_step(h, &s->step, d);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

static void put_data(const struct wm_history *h, const struct wm_opts *o,
		     const struct wm_findings *v, struct wm_doc *d)
{
	struct wm_json *j = &d->data;

	wm_json_object(j, NULL);
	wm_json_text(j, "schema", WM_JSON_SCHEMA);
	wm_json_object(j, "history");
	wm_json_real(j, "threshold_percent", h->threshold, 3);
	put_runs(h, o, d, WM_FOR_DATA);
	data_series(h, d);
	wm_json_array(j, "unreadable");
	for (size_t i = h->reads; i < h->count; i++) {
		WM_JSON_ROW(j, NULL, "run reason", h->run[i].shown,
			    h->run[i].reason);
	}
	wm_json_end_array(j);
	wm_json_end_object(j);
	wm_findings_json(v, j);
	wm_json_end_object(j);
}

static void tell_history(const struct wm_history *h, const struct wm_opts *o,
			 const struct wm_findings *v, struct wm_doc *d)
{
	if (wm_doc_wants(d, WM_FOR_TEXT))
		put_people(h, o, d);
	if (wm_doc_wants(d, WM_FOR_DATA))
		put_data(h, o, v, d);
	if (wm_doc_wants(d, WM_FOR_CSV))
		put_runs(h, o, d, WM_FOR_CSV);
}

/* Prints the faults of runs, even if the report goes elsewhere. */
static void print_reasons(const struct wm_history *h)
{
	for (size_t i = 0; i < h->count; i++)
		if (h->run[i].reason)
			fprintf(stderr, "wm-analyze: %s: %s\n", h->run[i].shown,
				h->run[i].reason);
}

static int history_main(const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_findings v = { .gates = NULL };
	struct wm_history h;
	enum wm_status s;
	int status;
	bool partial;

	s = wm_history_read(&h, &o->request, o->threshold, d->err);
	print_reasons(&h);
	if (!s)
		s = wm_history_judge(&h, &v, &o->gates, d->err);
	if (!s && o->svg)
		s = wm_output_draw(o->svg, o->force, wm_history_svg, &h,
				   d->err);
	if (!s && !wm_output_is_dash(o->svg))
		tell_history(&h, o, &v, d);
	s = wm_doc_close(d, s);
	partial = h.partial;
	status = wm_exit_gates(o, s, partial, &v, d->err);
	wm_findings_release(&v);
	wm_history_release(&h);
	return status;
}

const struct wm_report wm_history_report = {
	.name = "history",
	.help = "DIR: all runs below DIR by date and build, and the build\n"
		"since which peaks are higher",
	.needs = WM_NEEDS(heap),
	.check = history_check,
	.alone = history_main,
	.forms = WM_GATES | WM_OWN_PICTURE,
};
