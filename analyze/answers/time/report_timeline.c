/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live bytes over time: a series with bars, JSON, and a picture
 * (svg_timeline.c).
 *
 * A single rank has its own curve.  For all ranks together, the series has the
 * lowest, the mean and the highest bytes of the ranks that ran in each stretch
 * of time, on the clock of the job.
 */
#include "analyze/answers/reports.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/answers/heap/layers.h"
#include "analyze/passes/bins.h"
#include "analyze/answers/time/timeline.h"
#include "analyze/render/table.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"
#include "wm/search.h"

#define ROWS_SHOWN 32
#define FUNCTIONS_SHOWN 10
#define PHASE 32

/* Writes the names of the phases in [@from, @to) in order of time, each name
 * once, as many as there is room for: the highest bytes of a row may be of any
 * of these phases.  *@next is the first stretch that may matter, also for later
 * rows. */
static void phases_in(const struct wm_annotations *n, double from, double to,
		      size_t *next, char *text, size_t size)
{
	size_t seen[PHASE], count = 0, length = 0, i, k;

	while (*next < n->stretch_count && n->stretch[*next].to <= from)
		++*next;
	for (i = *next; i < n->stretch_count && n->stretch[i].from < to; i++) {
		const char *name = n->phase[n->stretch[i].phase].name;

		for (k = 0; k < count && seen[k] != n->stretch[i].phase; k++)
			;
		if (k < count || !name)
			continue;
		if (count == PHASE || length >= size)
			break;
		seen[count++] = n->stretch[i].phase;
		length += (size_t)snprintf(text + length, size - length, "%s%s",
					   length ? ", " : "", name);
	}
}

static const struct wm_table_column point_columns[] = {
	{ "from", "      from", WM_UNIT_MOMENT },
	{ "low", "     lowest", WM_UNIT_BYTES },
	{ "mean", "       mean", WM_UNIT_BYTES },
	{ "max", "    highest", WM_UNIT_BYTES },
	{ "end", " at the end", WM_UNIT_BYTES },
	{ "bar", "                                    ", WM_UNIT_BAR },
	{ "phases", "phases", WM_UNIT_WORDS },
};

static void tell_points(const struct wm_analysis *a, const struct wm_points *p,
			struct wm_doc *d)
{
	size_t i, stretch = 0;
	struct wm_table t;

	WM_TABLE_INIT(&t, point_columns);
	wm_table_level(&t,
		       p->all			  ? "from low mean max bar" :
		       a->annotations.phase_count ? "from max end bar phases" :
						    "from max end bar",
		       0, NULL);
	for (i = 0; i < p->count; i++) {
		const struct wm_timeline_point *q = &p->point[i];
		char text[8 * PHASE] = "", buf[4 * PHASE + 1];

		phases_in(&a->annotations, q->from, q->from + p->step, &stretch,
			  text, sizeof(text));
		WM_TABLE_ADD(&t, q->from, q->low, q->mean, q->max, q->end,
			     p->max ? (double)q->max / (double)p->max : 0,
			     wm_cut(text, PHASE, buf));
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

static void put_duration(const struct wm_analysis *a, struct wm_doc *d)
{
	const struct wm_rank *r;
	struct wm_figure b, c, e, f;

	if (a->chosen == WM_ALL_RANKS ||
	    !a->ranks[a->chosen].in[WM_HOST].peak_bytes)
		return;
	r = &a->ranks[a->chosen];
	wm_doc_print(
		d,
		"  peak %s at %s; at 99 %% of it or more for %s, at 90 %% for "
		"%s\n",
		wm_bytes(&b, r->in[WM_HOST].peak_bytes),
		wm_seconds(&c, r->in[WM_HOST].peak_seconds),
		wm_duration(&e, r->in[WM_HOST].peak_99_seconds),
		wm_duration(&f, r->in[WM_HOST].peak_90_seconds));
}

/* Writes the holders of memory at --at. */
static enum wm_status put_moment(const struct wm_analysis *a, struct wm_doc *d,
				 struct wm_err *err)
{
	char when[WM_WHEN_TEXT];
	struct wm_functions f;
	struct wm_figure b, c;
	enum wm_status s = wm_functions_make(&f, a, WM_AT_PEAK, err);

	if (s)
		return s;
	wm_doc_heading(d, "%s in %s blocks%s %s", wm_bytes(&b, f.bytes),
		       wm_count(&c, f.blocks),
		       a->chosen == WM_ALL_RANKS ? "," : "", wm_when(a, when));
	wm_text_functions(a, &f, FUNCTIONS_SHOWN, 0, d);
	wm_functions_release(&f);
	return WM_OK;
}

static enum wm_status put_people(const struct wm_analysis *a,
				 const struct wm_layers *l,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err)
{
	size_t rows = wm_top(o, ROWS_SHOWN);
	struct wm_points p;
	struct wm_figure b;
	enum wm_status s = wm_points_make(&p, a, rows, err);

	if (s)
		return s;
	wm_doc_title(d, "%s  run %s: live heap bytes over time, %s%s%s",
		     a->name, a->id, wm_chosen(&b, a), o->by ? ", by " : "",
		     o->by ? o->by : "");
	wm_text_notes(a, d);
	put_duration(a, d);
	wm_doc_print(d, "\n");
	if (o->by)
		wm_layers_text(a, l, rows, d);
	else
		tell_points(a, &p, d);
	wm_points_release(&p);
	return o->at ? put_moment(a, d, err) : WM_OK;
}

/* Makes the layers that --by asks for in @l, which is empty without --by. */
static enum wm_status make_layers(struct wm_layers *l,
				  const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_err *err)
{
	enum wm_by by = wm_timeline_by(o);

	memset(l, 0, sizeof(*l));
	return by == WM_BY_NOTHING ? WM_OK : wm_layers_make(l, a, by, err);
}

static enum wm_status timeline_svg(const struct wm_analysis *a,
				   const struct wm_opts *o, FILE *out,
				   struct wm_err *err)
{
	struct wm_layers l;
	enum wm_status s = make_layers(&l, a, o, err);

	if (!s)
		s = wm_timeline_svg(a,
				    wm_timeline_by(o) != WM_BY_NOTHING ? &l :
									 NULL,
				    out, err);
	wm_layers_release(&l);
	return s;
}

#define STRETCHES 1000 /* the most stretches on the page */
#define SAMPLES 400 /* the most samples of resident memory on the page */

static int longest_first(const void *a, const void *b)
{
	const struct wm_stretch *x = *(const struct wm_stretch *const *)a;
	const struct wm_stretch *y = *(const struct wm_stretch *const *)b;
	double l = x->to - x->from, m = y->to - y->from;

	return WM_KEYS(WM_ORDER(m, l), WM_ORDER(x, y));
}

static int in_order(const void *a, const void *b)
{
	const struct wm_stretch *x = *(const struct wm_stretch *const *)a;
	const struct wm_stretch *y = *(const struct wm_stretch *const *)b;

	return WM_ORDER(x, y);
}

/* Writes times in phases; the page has only the longest. */
static void put_stretches(const struct wm_annotations *n, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "name", "", WM_UNIT_TEXT },
		{ "start_s", "", WM_UNIT_SECONDS },
		{ "end_s", "", WM_UNIT_SECONDS },
	};
	const struct wm_stretch **list = calloc(n->stretch_count + 1,
						sizeof(*list));
	size_t count = n->stretch_count, i;
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	t.short_of_memory = !list;
	for (i = 0; list && i < n->stretch_count; i++)
		list[i] = &n->stretch[i];
	if (list && d->data.tight && count > STRETCHES) {
		WM_SORT(list, count, longest_first);
		d->left_out += count - STRETCHES;
		count = STRETCHES;
		WM_SORT(list, count, in_order);
	}
	for (i = 0; list && i < count; i++) {
		WM_TABLE_ADD(&t, n->phase[list[i]->phase].name, list[i]->from,
			     list[i]->to);
	}
	free(list);
	wm_doc_table(d, &t, "phases", 0, WM_FOR_DATA);
}

/* Writes samples of resident memory: of every @step samples the highest. */
static void put_resident(const struct wm_usage *u, size_t step,
			 struct wm_json *j)
{
	for (size_t bytes = 0; bytes < 2; bytes++) {
		wm_json_flat_array(j, bytes ? "rss_bytes" : "rss_time_s");
		for (size_t i = 0; i < u->rss_count; i += step) {
			const struct wm_resident *best = &u->rss[i];

			for (size_t k = i; k < u->rss_count && k < i + step;
			     k++)
				if (u->rss[k].bytes > best->bytes)
					best = &u->rss[k];
			if (bytes)
				wm_json_uint(j, NULL, best->bytes);
			else
				wm_json_real(j, NULL, (double)best->ns * 1e-9,
					     6);
		}
		wm_json_end_array(j);
	}
}

void wm_timeline_data(const struct wm_analysis *a, size_t rank, bool points,
		      struct wm_doc *d)
{
	const struct wm_rank *r = &a->ranks[rank];
	const struct wm_timeline *t = &r->timeline;
	struct wm_json *j = &d->data;

	WM_JSON_ADD(j, "rank start_s.9", r->rank, r->begin);
	wm_json_real(j, "bin_s", t->seconds, 12);
	WM_JSON_LIST(j, "max_bytes", i, t->count, t->bin[i].max);
	WM_JSON_LIST(j, "end_bytes", i, t->count, t->bin[i].end);
	if (points) {
		wm_json_real(j, "point_s", t->seconds / WM_POINTS_OF_BIN, 12);
		WM_JSON_LIST(j, "point_bytes", i, t->points, t->point[i]);
	}
	put_resident(&r->usage,
		     d->data.tight ? r->usage.rss_count / SAMPLES + 1 : 1, j);
	if (rank == a->chosen)
		put_stretches(&a->annotations, d);
}

static void put_data(const struct wm_analysis *a, const struct wm_layers *l,
		     const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_json *j = &d->data;

	wm_json_array(j, "timeline");
	for (size_t i = 0; i < a->rank_count; i++) {
		if (a->chosen != WM_ALL_RANKS && a->chosen != i)
			continue;
		wm_json_object(j, NULL);
		wm_timeline_data(a, i, a->chosen == i, d);
		if (o->by)
			wm_layers_data(l, wm_timeline_by(o), d);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

static void put_bins(const struct wm_analysis *a, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "rank", "rank", WM_UNIT_NUMBER },
		{ "start_s", "start", WM_UNIT_SECONDS },
		{ "max_bytes", "highest", WM_UNIT_BYTES },
		{ "end_bytes", "at its end", WM_UNIT_BYTES },
	};
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_timeline *l = &a->ranks[i].timeline;

		if (a->chosen != WM_ALL_RANKS && a->chosen != i)
			continue;
		for (size_t k = 0; k < l->count; k++) {
			WM_TABLE_ADD(&t, a->ranks[i].rank,
				     wm_rank_bin(&a->ranks[i], k),
				     l->bin[k].max, l->bin[k].end);
		}
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
}

static enum wm_status timeline_build(const struct wm_analysis *a,
				     const struct wm_opts *o, struct wm_doc *d,
				     struct wm_err *err)
{
	struct wm_layers l = { .count = 0 };
	enum wm_status s = WM_OK;

	if (o->by)
		s = wm_layers_make(&l, a, wm_timeline_by(o), err);
	if (!s && wm_doc_wants(d, WM_FOR_TEXT))
		s = put_people(a, &l, o, d, err);
	if (!s && wm_doc_wants(d, WM_FOR_DATA))
		put_data(a, &l, o, d);
	if (!s && wm_doc_wants(d, WM_FOR_CSV)) {
		if (o->by)
			wm_layers_table(a, &l, d);
		else
			put_bins(a, d);
	}
	wm_layers_release(&l);
	return s;
}

const struct wm_report wm_timeline_report = {
	.name = "timeline",
	.help = "live bytes over time (--by, --svg)",
	.needs = WM_NEEDS(heap) | WM_NEEDS(timeline),
	.wants = wm_timeline_wants,
	.check = wm_timeline_check,
	.build = timeline_build,
	.svg = timeline_svg,
};
