/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --compare A B: functions and call paths that grew, shrank, appeared and
 * vanished between two runs or two ranks.
 */
#include "analyze/answers/gates/report_gates.h"
#include "analyze/answers/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/job/outside.h"
#include "analyze/answers/compare/compare.h"
#include "analyze/answers/compare/pair.h"
#include "analyze/render/table.h"
#include "analyze/answers/exit.h"
#include "analyze/answers/summary/notes_json.h"
#include "analyze/answers/compare/pair_page.h"
#include "analyze/answers/summary/provenance.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"
#include "input/path.h"

#define ROWS_SHOWN 10
#define FRAMES_SHOWN 8
/* Text sums up changes that are smaller than this part of the higher peak. */
#define NOISE 1000

struct comparison {
	struct wm_half half[2];
	struct wm_renames renames;
	struct wm_differences functions[2], paths[2]; /* by moment */
	struct wm_findings gates;
};

static const char *const moments[] = {
	[WM_AT_PEAK] = "peak", [WM_AT_END] = "end"
};

/* A number that is compared in addition to functions and call paths. */
struct number {
	const char *key, *title;
	enum wm_unit unit;
	bool known;
	uint64_t a, b;
};

#define NUMBERS 11

static uint64_t static_bytes(const struct wm_half *h)
{
	return h->census ? h->census->static_bytes : 0;
}

/* Returns whether one of the halves is at a moment other than its peak. */
static bool at_moments(const struct comparison *c)
{
	return c->half[0].a.at_time || c->half[1].a.at_time;
}

static void list_numbers(const struct comparison *c, struct number *n)
{
	const struct wm_half *a = &c->half[0], *b = &c->half[1];
	bool one = a->a.chosen != WM_ALL_RANKS && b->a.chosen != WM_ALL_RANKS;
	uint64_t x = static_bytes(a), y = static_bytes(b);
	enum wm_unit bytes = WM_UNIT_BYTES, count = WM_UNIT_COUNT;
	bool both = a->census && b->census;
	const struct number all[NUMBERS] = {
		{ "peak_bytes", "high-water mark", bytes, true, a->peak_bytes,
		  b->peak_bytes },
		{ "static_bytes", "static memory", bytes, both, x, y },
		{ "total_bytes", "heap and static", bytes, both && one,
		  a->peak_bytes + x, b->peak_bytes + y },
		{ "unfreed_bytes", "never freed", bytes, true, a->unfreed_bytes,
		  b->unfreed_bytes },
		{ "unfreed_blocks", "  blocks", count, true, a->unfreed_blocks,
		  b->unfreed_blocks },
		{ "held_bytes", "held, no leak", bytes, true, a->held_bytes,
		  b->held_bytes },
		{ "held_blocks", "  blocks", count, true, a->held_blocks,
		  b->held_blocks },
		{ "peak_rss_bytes", "resident at most", bytes,
		  a->resident && b->resident, a->resident, b->resident },
		{ "footprint_bytes", "from the system", bytes,
		  a->footprint && b->footprint, a->footprint, b->footprint },
		{ "events", "events", count, true, a->events, b->events },
		{ "moment_bytes", "at that moment", bytes, at_moments(c),
		  a->bytes_then, b->bytes_then },
	};

	memcpy(n, all, sizeof(all));
}

static void add_number(struct wm_table *t, const struct number *n)
{
	bool bytes = n->unit == WM_UNIT_BYTES;

	if (!n->known)
		return;
	wm_table_at(t, NULL);
	WM_TABLE_ADD(t, n->title, n->a);
	wm_table_as(t, n->unit);
	wm_table_uint(t, n->b);
	wm_table_as(t, n->unit);
	WM_TABLE_ADD(t, wm_change(n->a, n->b));
	wm_table_as(t, bytes ? WM_UNIT_CHANGE : WM_UNIT_GAIN);
	if (n->a && n->a != n->b)
		wm_table_format(t, "%+.1f %%",
				100.0 * ((double)n->b - (double)n->a) /
					(double)n->a);
}

static void add_times(struct wm_table *t, const struct comparison *c, bool then)
{
	const struct wm_half *a = &c->half[0], *b = &c->half[1];

	if (a->a.chosen == WM_ALL_RANKS || b->a.chosen == WM_ALL_RANKS)
		return;
	wm_table_at(t, NULL);
	WM_TABLE_ADD(t, then ? "which is at" : "reached at",
		     then ? a->seconds_then : a->peak_seconds);
	wm_table_as(t, WM_UNIT_SECONDS);
	WM_TABLE_ADD(t, then ? b->seconds_then : b->peak_seconds);
	wm_table_as(t, WM_UNIT_SECONDS);
}

static void tell_numbers(const struct comparison *c, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "what", "                  ", WM_UNIT_WORDS },
		{ "a", "            A", WM_UNIT_BYTES },
		{ "b", "            B", WM_UNIT_BYTES },
		{ "change", "        change", WM_UNIT_CHANGE },
		{ "percent", "", WM_UNIT_WORDS },
	};
	struct number n[NUMBERS];
	struct wm_table t;

	list_numbers(c, n);
	WM_TABLE_INIT(&t, columns);
	add_number(&t, &n[0]);
	add_times(&t, c, false);
	if (at_moments(c)) {
		add_number(&t, &n[NUMBERS - 1]);
		add_times(&t, c, true);
	}
	for (size_t i = 1; i + 1 < NUMBERS; i++)
		if ((i != 5 && i != 6) || n[6].a || n[6].b)
			add_number(&t, &n[i]);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

static void put_totals(const struct comparison *c, struct wm_doc *d)
{
	struct wm_figure b;
	char when[WM_WHEN_TEXT];

	for (size_t i = 0; i < 2; i++) {
		const struct wm_analysis *a = &c->half[i].a;

		wm_doc_title(d, "%c: %s  run %s, %s of %" PRIu64 "%s%s  (%s)",
			     i ? 'B' : 'A', a->name, a->id, wm_chosen(&b, a),
			     a->job_size, at_moments(c) ? ", at " : "",
			     at_moments(c) ? wm_moment_text(a, when) : "",
			     c->half[i].shown);
		wm_tell_provenance(a, d);
	}
	for (size_t i = 0; i < 2; i++)
		wm_text_notes(&c->half[i].a, d);
	wm_doc_print(d, "\n");
	tell_numbers(c, d);
	for (size_t i = 0; i < c->renames.count; i++)
		wm_doc_print(d,
			     "%s  %s of A is %s of B: called from the same %zu "
			     "places\n",
			     i ? "" : "\n", c->renames.row[i].from,
			     c->renames.row[i].to, c->renames.row[i].callers);
}

static int64_t change_of(const struct wm_difference *d)
{
	return wm_change(d->bytes_a, d->bytes_b);
}

static uint64_t size_of(const struct wm_difference *d)
{
	int64_t v = change_of(d);

	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

static const struct wm_table_column columns[] = {
	{ "moment", NULL, WM_UNIT_TEXT },
	{ "kind", NULL, WM_UNIT_TEXT },
	{ "name", "", WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ "bytes_a", NULL, WM_UNIT_BYTES },
	{ "bytes_b", NULL, WM_UNIT_BYTES },
	{ "change", "            ", WM_UNIT_CHANGE },
	{ "blocks_a", NULL, WM_UNIT_COUNT },
	{ "blocks_b", NULL, WM_UNIT_COUNT },
	{ "status", "        ", WM_UNIT_WORDS },
	{ "path", NULL, WM_UNIT_TEXT },
	{ ".bytes", "", WM_UNIT_WORDS },
	{ ".blocks", "", WM_UNIT_WORDS },
	{ ".callers", "", WM_UNIT_WORDS },
};

/* A list that is reported. */
struct list {
	const struct wm_differences *of;
	enum wm_moment moment;
	bool paths;
	bool chosen; /* the moment is not the peak */
};

static void add_values(struct wm_table *t, const struct list *l,
		       const struct wm_difference *r)
{
	char *more = NULL;

	if (!l->paths && r->file && r->line &&
	    asprintf(&more, "  %s:%u", wm_basename(r->file), r->line) < 0)
		more = NULL;
	wm_table_row(t, 0);
	WM_TABLE_ADD(t,
		     l->chosen && l->moment == WM_AT_PEAK ? "at" :
							    moments[l->moment],
		     l->paths ? "path" : "function");
	wm_table_name(t, r->name, more);
	WM_TABLE_ADD(t, r->file, r->line, r->bytes_a, r->bytes_b, change_of(r),
		     r->blocks_a, r->blocks_b, wm_difference_status(r),
		     r->path);
	free(more);
}

/* Adds the text of a row for people and, below it, the names of the row's path,
 * the allocation site first. */
static void add_words(struct wm_table *t, const struct wm_difference *r,
		      size_t frames)
{
	struct wm_figure a, b;
	char *callers;

	wm_table_at(t, ".bytes");
	wm_table_format(t, "%11s -> %-11s", wm_bytes(&a, r->bytes_a),
			wm_bytes(&b, r->bytes_b));
	if (!r->path)
		return;
	wm_table_format(t, "%s -> %s blocks", wm_count(&a, r->blocks_a),
			wm_count(&b, r->blocks_b));
	callers = wm_callers_text(r->path, frames, WM_NAME_COLUMNS);
	t->short_of_memory |= !callers;
	wm_table_row(t, 1);
	wm_table_at(t, ".callers");
	wm_table_text(t, callers && *callers ? callers : "unknown");
	free(callers);
}

/* Sums up the rows from number @i on in a line. */
static void tell_rest(const struct wm_differences *list, size_t i,
		      struct wm_doc *d)
{
	uint64_t more = 0, less = 0, n = 0;
	struct wm_figure b, c;

	for (; i < list->count && size_of(&list->row[i]); i++, n++) {
		if (change_of(&list->row[i]) > 0)
			more += size_of(&list->row[i]);
		else
			less += size_of(&list->row[i]);
	}
	if (n)
		wm_doc_print(d, "  %" PRIu64 " smaller change%s: +%s, %s%s%s\n",
			     n, n == 1 ? "" : "s", wm_bytes(&b, more),
			     less ? "-" : "", wm_bytes(&c, less),
			     d->top_given ? "" : " (--top all)");
	if (i < list->count)
		wm_doc_print(d, "  %zu without change\n", list->count - i);
}

static void tell_list(const struct comparison *c, const struct list *l,
		      const struct wm_opts *o, struct wm_doc *d)
{
	const struct wm_differences *of = l->of;
	size_t top = wm_top(o, ROWS_SHOWN), i;
	uint64_t high = c->half[0].bytes_then > c->half[1].bytes_then ?
				c->half[0].bytes_then :
				c->half[1].bytes_then;
	uint64_t least = o->top_given ? 1 : high / NOISE + 1;
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t,
		       l->paths ? "change status .bytes .blocks" :
				  "change status .bytes name",
		       0, NULL);
	wm_table_level(&t, ".callers", 14, NULL);
	t.spare = "status";
	for (i = 0; i < of->count && (!top || i < top); i++) {
		if (size_of(&of->row[i]) < least)
			break;
		add_values(&t, l, &of->row[i]);
		add_words(&t, &of->row[i], top ? FRAMES_SHOWN : 0);
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
	tell_rest(of, i, d);
}

static void tell_moment(const struct comparison *c, enum wm_moment m,
			const struct wm_opts *o, struct wm_doc *d)
{
	const char *const what[] = { at_moments(c) ? "At these moments" :
						     "At the peak",
				     "Never freed" };
	struct list functions = { &c->functions[m], m, false, at_moments(c) };
	struct list paths = { &c->paths[m], m, true, at_moments(c) };

	if (!c->functions[m].count)
		return;
	wm_doc_heading(d, "%s, by function", what[m]);
	tell_list(c, &functions, o, d);
	if (!size_of(&c->paths[m].row[0])) /* nothing has changed */
		return;
	wm_doc_heading(d, "%s, by call path", what[m]);
	tell_list(c, &paths, o, d);
}

static void add_list(struct wm_table *t, const struct list *l)
{
	for (size_t i = 0; i < l->of->count; i++)
		add_values(t, l, &l->of->row[i]);
}

/* Writes all lists as one, for spreadsheets. */
static void tell_rows(const struct comparison *c, struct wm_doc *d)
{
	struct wm_table t;
	enum wm_moment m;

	WM_TABLE_INIT(&t, columns);
	for (m = WM_AT_PEAK; m <= WM_AT_END; m++) {
		add_list(&t, &(struct list){ &c->functions[m], m, false,
					     at_moments(c) });
		add_list(&t, &(struct list){ &c->paths[m], m, true,
					     at_moments(c) });
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
}

void wm_differences_data(const struct wm_differences *list, bool paths,
			 const char *key, struct wm_doc *d)
{
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	t.data_view = paths ? "name file line bytes_a bytes_b change blocks_a "
			      "blocks_b status path" :
			      "name file line bytes_a bytes_b change blocks_a "
			      "blocks_b status";
	add_list(&t, &(struct list){ list, WM_AT_PEAK, paths, false });
	wm_doc_table(d, &t, key, 0, WM_FOR_DATA);
}

static void data_half(const struct comparison *c, size_t side,
		      struct wm_json *j)
{
	const struct wm_half *h = &c->half[side];
	const struct wm_analysis *a = &h->a;
	struct number n[NUMBERS];

	wm_json_object(j, side ? "b" : "a");
	WM_JSON_ADD(j, "run program id ranks", h->shown, a->name, a->id,
		    a->job_size);
	wm_json_rank(j, a);
	wm_json_provenance(a, j);
	WM_JSON_ADD(j, "complete! peak_time_s.6", a->complete,
		    a->chosen == WM_ALL_RANKS ? NAN : h->peak_seconds);
	wm_json_moment(j, a);
	list_numbers(c, n);
	n[1].known = h->census != NULL;
	n[2].known = h->census && a->chosen != WM_ALL_RANKS;
	n[7].known = h->resident != 0;
	n[8].known = h->footprint != 0;
	n[10].known = true;
	for (size_t i = 0; i < NUMBERS; i++)
		wm_json_known(j, n[i].key, n[i].known, side ? n[i].b : n[i].a);
	WM_JSON_LIST(j, "notes", i, a->note_count, a->notes[i]);
	wm_json_end_object(j);
}

static void data_changes(const struct comparison *c, struct wm_json *j)
{
	struct number n[NUMBERS];

	list_numbers(c, n);
	wm_json_object(j, "change");
	for (size_t i = 0; i < NUMBERS; i++) {
		if (n[i].known)
			wm_json_int(j, n[i].key, wm_change(n[i].a, n[i].b));
		else
			wm_json_text(j, n[i].key, NULL);
	}
	wm_json_end_object(j);
	wm_json_array(j, "renamed");
	for (size_t i = 0; i < c->renames.count; i++) {
		WM_JSON_ROW(j, NULL, "name_a name_b callers",
			    c->renames.row[i].from, c->renames.row[i].to,
			    c->renames.row[i].callers);
	}
	wm_json_end_array(j);
}

static void put_keys(const struct comparison *c, struct wm_doc *d)
{
	struct wm_json *j = &d->data;

	wm_json_object(j, "compare");
	data_half(c, 0, j);
	data_half(c, 1, j);
	data_changes(c, j);
	wm_differences_data(&c->functions[WM_AT_PEAK], false, "functions", d);
	wm_differences_data(&c->paths[WM_AT_PEAK], true, "paths", d);
	wm_differences_data(&c->functions[WM_AT_END], false, "leaks", d);
	wm_differences_data(&c->paths[WM_AT_END], true, "leak_paths", d);
	wm_json_end_object(j);
	wm_findings_json(&c->gates, j);
}

static void put_data(const struct comparison *c, struct wm_doc *d)
{
	wm_json_object(&d->data, NULL);
	wm_json_text(&d->data, "schema", WM_JSON_SCHEMA);
	put_keys(c, d);
	wm_json_end_object(&d->data);
}

/* Evaluates gates: growth of the high-water mark, or from one moment to
 * another, for both runs, and all other gates for the second run. */
static enum wm_status judge_gates(struct comparison *c, const struct wm_opts *o,
				  struct wm_err *err)
{
	const struct wm_difference *most = NULL,
				   *d = c->functions[WM_AT_PEAK].row;
	enum wm_status s;

	for (size_t i = 0; i < c->functions[WM_AT_PEAK].count && !most; i++)
		if (change_of(&d[i]) > 0)
			most = &d[i];
	s = wm_gates_grown(&c->gates, &o->gates, c->half[0].bytes_then,
			   c->half[1].bytes_then, most ? most->name : NULL,
			   most ? size_of(most) : 0, err);
	return s ? s : wm_gates_judge(&c->gates, &o->gates, &c->half[1].a, err);
}

static enum wm_status make_comparison(struct comparison *c,
				      const struct wm_opts *o, bool fold,
				      struct wm_err *err)
{
	const struct wm_profile *a = &c->half[0].profile;
	const struct wm_profile *b = &c->half[1].profile;
	enum wm_moment m;
	enum wm_status s = wm_pair_read(c->half, &o->request, fold, err);

	if (!s)
		s = wm_renames_find(&c->renames, a, b, err);
	for (m = WM_AT_PEAK; m <= WM_AT_END && !s; m++) {
		s = wm_compare(&c->functions[m], a, b, &c->renames, false, m,
			       err);
		if (!s)
			s = wm_compare(&c->paths[m], a, b, &c->renames, true, m,
				       err);
	}
	return s ? s : judge_gates(c, o, err);
}

static void tell_comparison(const struct comparison *c, const struct wm_opts *o,
			    struct wm_doc *d)
{
	if (wm_doc_wants(d, WM_FOR_TEXT)) {
		put_totals(c, d);
		tell_moment(c, WM_AT_PEAK, o, d);
		tell_moment(c, WM_AT_END, o, d);
	}
	if (wm_doc_wants(d, WM_FOR_DATA))
		put_data(c, d);
	if (wm_doc_wants(d, WM_FOR_CSV))
		tell_rows(c, d);
}

static void page_text(const void *told, const struct wm_opts *o,
		      struct wm_doc *d)
{
	tell_comparison(told, o, d);
}

static void page_data(const void *told, struct wm_doc *d)
{
	put_keys(told, d);
}

static enum wm_status put_page(const struct comparison *c,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err)
{
	const struct wm_pair_page p = { .half = c->half,
					.o = o,
					.told = c,
					.text = page_text,
					.data = page_data };

	return wm_pair_page_put(&p, out, err);
}

static void release_comparison(struct comparison *c)
{
	for (size_t m = WM_AT_PEAK; m <= WM_AT_END; m++) {
		wm_differences_release(&c->functions[m]);
		wm_differences_release(&c->paths[m]);
	}
	wm_findings_release(&c->gates);
	wm_renames_release(&c->renames);
	wm_pair_release(c->half);
}

static enum wm_status compare_check(const struct wm_opts *o, struct wm_err *err)
{
	size_t runs = o->request.run_count;

	if (runs == 2)
		return WM_OK;
	if (runs < 2)
		return wm_err_set(err, WM_USAGE,
				  "--%s needs two: two runs, A B, two ranks "
				  "of one, A:0 A:1, or two moments, A@50%% "
				  "A@end",
				  o->report->name);
	return wm_err_set(err, WM_USAGE, "--%s needs two runs, not %zu",
			  o->report->name, runs);
}

/* Prints the notes of both halves, as wm_print_notes() does. */
static void print_notes(const struct wm_half *pair, bool quiet)
{
	for (size_t i = 0; i < 2; i++) {
		if (quiet && !pair[i].a.partial)
			continue;
		for (size_t k = 0; k < pair[i].a.note_count; k++)
			fprintf(stderr, "wm-analyze: %s: %s\n", pair[i].shown,
				pair[i].a.notes[k]);
	}
}

static int compare_main(const struct wm_opts *o, struct wm_doc *d)
{
	struct comparison c;
	enum wm_status s;
	int status;
	bool partial;

	memset(&c, 0, sizeof(c));
	s = make_comparison(&c, o, wm_doc_wants(d, WM_FOR_TEXT) && !o->page,
			    d->err);
	print_notes(c.half, o->quiet);
	if (!s && o->page)
		s = put_page(&c, o, d->out, d->err);
	else if (!s)
		tell_comparison(&c, o, d);
	s = wm_doc_close(d, s);
	wm_print_outside(&c.half[0].a, o->quiet);
	wm_print_outside(&c.half[1].a, o->quiet);
	partial = c.half[0].a.partial || c.half[1].a.partial;
	status = wm_exit_gates(o, s, partial, &c.gates, d->err);
	release_comparison(&c);
	return status;
}

/* The page has the curves of both. */
static unsigned compare_wants(const struct wm_opts *o)
{
	return o->page ? WM_NEEDS(timeline) | WM_NEEDS(node) : 0;
}

const struct wm_report wm_compare_report = {
	.name = "compare",
	.help = "A B: growth between two runs, ranks RUN:0 RUN:1, or\n"
		"moments RUN@assembled RUN@end",
	.needs = WM_NEEDS(heap),
	.check = compare_check,
	.wants = compare_wants,
	.alone = compare_main,
	.forms = WM_GATES | WM_HAS_PAGE,
};
