/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --false-sharing: cache lines that one thread writes while other threads use
 * other bytes of the line; and, for comparison, lines of which they use the
 * same bytes.
 *
 * Lines that moved only a few times are only counted, in a sentence: one thread
 * may have filled in data for others.
 */
#include "analyze/answers/reports.h"

#include "analyze/answers/accesses/simulated_rows.h"
#include "analyze/render/table.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

#define ROWS_SHOWN 10
#define LEAST_MOVES 100 /* fewest moves of a line that text lists */

static const struct wm_table_column columns[] = {
	{ "kind", NULL, WM_UNIT_TEXT },
	{ "false", NULL, WM_UNIT_FLAG },
	{ "lines", "lines", WM_UNIT_COUNT },
	{ "moves", "moves at most", WM_UNIT_COUNT },
	{ "line_moves", "of one line", WM_UNIT_COUNT },
	{ "threads", "threads", WM_UNIT_COUNT },
	{ "address", NULL, WM_UNIT_NUMBER },
	{ "variable", NULL, WM_UNIT_TEXT },
	{ "other_variable", NULL, WM_UNIT_TEXT },
	{ ".whose", "variables", WM_UNIT_TEXT },
	{ "thread", "thread", WM_UNIT_NUMBER },
	{ "from", NULL, WM_UNIT_NUMBER },
	{ "to", NULL, WM_UNIT_NUMBER },
	{ "loads", "loads", WM_UNIT_COUNT },
	{ "stores", "stores", WM_UNIT_COUNT },
	{ "part_variable", NULL, WM_UNIT_TEXT },
	{ "member", NULL, WM_UNIT_TEXT },
	{ "function", NULL, WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ ".bytes", "bytes", WM_UNIT_WORDS },
	{ ".where", "where", WM_UNIT_TEXT },
};

static void put_whose(struct wm_table *t, const struct wm_shared_row *r)
{
	if (r->variable[0] == r->variable[1])
		wm_simulated_name(t, r->variable[0]);
	else
		wm_table_format(t, "%s and %s", r->variable[0]->name,
				r->variable[1]->name);
}

static void put_part(struct wm_table *t, const struct wm_analysis *a,
		     struct wm_access_names *n, const struct wm_sharing_part *p)
{
	const struct wm_access_cell *c = &a->accesses.cell[p->cell];
	const struct wm_symbol *s = n->spot[c->spot];
	struct wm_access_named where = { .name = s ? s->name : "(unknown)",
					 .file = s ? s->file : NULL,
					 .line = s ? s->line : 0 };

	wm_table_row(t, 1);
	wm_table_at(t, "thread");
	WM_TABLE_ADD(t, p->thread, p->from, p->to, p->loads, p->stores,
		     n->variable[c->variable].name,
		     wm_access_member(n, a, p->cell), where.name, where.file,
		     wm_nonzero(where.line));
	wm_table_format(t, "%u..%u", p->from, p->to);
	wm_simulated_name(t, &where);
}

static void put_row(struct wm_table *t, const struct wm_analysis *a,
		    struct wm_access_names *n, const struct wm_shared_row *r)
{
	const struct wm_sharing_row *m = r->most;

	wm_table_row(t, 0);
	WM_TABLE_ADD(t, m->overlaps ? "true" : "false", !m->overlaps, r->lines,
		     r->moves, m->most_moves, m->threads, m->address,
		     r->variable[0]->name, r->variable[1]->name);
	put_whose(t, r);
	for (uint32_t i = 0; i < m->parts; i++)
		put_part(t, a, n, &m->part[i]);
}

/* Text lists only lines that moved often.  Returns the number of rows. */
static size_t put_rows(const struct wm_shared_rows *l,
		       const struct wm_analysis *a, struct wm_access_names *n,
		       const char *key, size_t top, unsigned audience,
		       struct wm_doc *d)
{
	struct wm_table t;
	size_t told = 0;

	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t, ".whose lines moves line_moves threads", 0, NULL);
	wm_table_level(&t, "thread .bytes loads stores .where", 4, "parts");
	t.data_view = "lines moves line_moves threads address variable "
		      "other_variable thread from to loads stores "
		      "part_variable member function file line";
	t.csv_view = "kind lines moves line_moves threads address variable "
		     "other_variable thread from to loads stores "
		     "part_variable member function file line";
	t.airy = true;
	for (size_t i = 0; i < l->count; i++) {
		if (audience == WM_FOR_TEXT &&
		    l->row[i].most->most_moves < LEAST_MOVES)
			break;
		put_row(&t, a, n, &l->row[i]);
		told++;
	}
	if (told || audience != WM_FOR_TEXT)
		wm_doc_table(d, &t, key, top, audience);
	else
		wm_table_release(&t);
	return told;
}

static void put_rest(const struct wm_shared_rows *l, size_t told,
		     struct wm_doc *d)
{
	uint64_t lines = 0;
	struct wm_figure b;

	for (size_t i = told; i < l->count; i++)
		lines += l->row[i].lines;
	if (!told)
		wm_doc_print(d, "  none\n");
	if (lines)
		wm_doc_print(d,
			     "  %s line%s that moved fewer than %d times%s not "
			     "listed (--json has %s)\n",
			     wm_count(&b, lines), lines == 1 ? "" : "s",
			     LEAST_MOVES, lines == 1 ? " is" : " each are",
			     lines == 1 ? "it" : "them");
}

static enum wm_status put_kind(const struct wm_analysis *a,
			       struct wm_access_names *n, bool overlaps,
			       const struct wm_opts *o, struct wm_doc *d,
			       struct wm_err *err)
{
	struct wm_shared_rows l;
	enum wm_status s = wm_shared_rows_make(&l, a, n, overlaps, err);

	if (s)
		return s;
	if (wm_doc_wants(d, WM_FOR_TEXT)) {
		wm_doc_heading(d, "%s",
			       overlaps ? "True sharing: threads use the same "
					  "bytes of a line" :
					  "False sharing: threads use "
					  "different bytes of a line");
		put_rest(&l,
			 put_rows(&l, a, n, NULL, wm_top(o, ROWS_SHOWN),
				  WM_FOR_TEXT, d),
			 d);
	}
	put_rows(&l, a, n, overlaps ? "true_sharing" : "false_sharing", 0,
		 WM_FOR_DATA, d);
	if (!overlaps)
		put_rows(&l, a, n, NULL, 0, WM_FOR_CSV, d);
	wm_shared_rows_release(&l);
	return WM_OK;
}

static enum wm_status sharing_build(const struct wm_analysis *a,
				    const struct wm_opts *o, struct wm_doc *d,
				    struct wm_err *err)
{
	const struct wm_simulated *x = &a->simulated;
	struct wm_access_names n;
	struct wm_figure b;
	enum wm_status s;

	if (!wm_simulated_head(a, "shared cache lines", x->line != 0, d)) {
		struct wm_shared_rows none = { .count = 0 };

		wm_json_text(&d->data, "sharing", NULL);
		put_rows(&none, a, NULL, NULL, 0, WM_FOR_CSV, d);
		return WM_OK;
	}
	s = wm_access_names_make(&n, a, err);
	if (s)
		return s;
	wm_doc_print(d,
		     "  Lines of %u bytes that one thread writes and other "
		     "threads use. A line moves\n"
		     "  when a thread other than its last user uses it. The "
		     "trace does not order the\n"
		     "  accesses of two threads between two events, so moves "
		     "are upper limits.\n",
		     x->line);
	if (x->sharing_left_out)
		wm_doc_print(d,
			     "  %s accesses are left out: this report has no "
			     "memory for all of their lines;\n"
			     "  a larger --line makes fewer lines\n",
			     wm_count(&b, x->sharing_left_out));
	wm_json_object(&d->data, "sharing");
	WM_JSON_ADD(&d->data, "rank line_bytes no_room",
		    a->ranks[a->chosen].rank, x->line, x->sharing_left_out);
	s = put_kind(a, &n, false, o, d, err);
	if (!s)
		s = put_kind(a, &n, true, o, d, err);
	wm_json_end_object(&d->data);
	wm_access_names_release(&n);
	return s;
}

const struct wm_report wm_false_sharing_report = {
	.name = "false-sharing",
	.help = "cache lines that threads write and use in turn (app.wma)",
	.needs = WM_NEEDS(heap) | WM_NEEDS(accesses) | WM_NEEDS(sharing),
	.usual_rank = WM_RANK_ACCESSES,
	.build = sharing_build,
	.check = wm_one_rank_check,
};
