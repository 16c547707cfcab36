/* SPDX-License-Identifier: Apache-2.0 */
/* --accesses: variables that are loaded and stored, and the code for this. */
#include "analyze/answers/reports.h"

#include <string.h>

#include "analyze/answers/accesses/access_rows.h"
#include "analyze/render/table.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

#define SHOWN 20
#define FEW_SHOWN 10

static const struct {
	const char *by, *heading, *key;
} lists[] = {
	[WM_ACCESS_VARIABLE] = { "variable", "By variable", "variables" },
	[WM_ACCESS_MEMBER] = { "member", "By member and element", "members" },
	[WM_ACCESS_FUNCTION] = { "function", "By function", "functions" },
	[WM_ACCESS_LINE] = { "line", "By line", "lines" },
	[WM_ACCESS_PAIR] = { NULL, "By function and variable",
			     "function_variables" },
};
#define LISTS (sizeof(lists) / sizeof(*lists))

static const struct wm_table_column columns[] = {
	{ "loads", "loads", WM_UNIT_COUNT },
	{ "stores", "stores", WM_UNIT_COUNT },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "threads", "threads", WM_UNIT_COUNT },
	{ "first_s", "first", WM_UNIT_SECONDS },
	{ "last_s", "last", WM_UNIT_SECONDS },
	{ "pattern", "pattern", WM_UNIT_WORDS },
	{ "kind", "kind", WM_UNIT_TEXT },
	{ "variable", NULL, WM_UNIT_TEXT },
	{ "variable_file", NULL, WM_UNIT_TEXT },
	{ "variable_line", NULL, WM_UNIT_NUMBER },
	{ "member", NULL, WM_UNIT_TEXT },
	{ "function", NULL, WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ "accesses", NULL, WM_UNIT_COUNT },
	{ "sequential", NULL, WM_UNIT_COUNT },
	{ "strided", NULL, WM_UNIT_COUNT },
	{ "same", NULL, WM_UNIT_COUNT },
	{ "first_access", NULL, WM_UNIT_COUNT },
	{ "last_access", NULL, WM_UNIT_COUNT },
	{ "first_thread", NULL, WM_UNIT_NUMBER },
	{ "blocks", NULL, WM_UNIT_COUNT },
	{ "blocks_accessed", NULL, WM_UNIT_COUNT },
	{ ".who", "function", WM_UNIT_TEXT },
	{ ".place", "function", WM_UNIT_TEXT },
	{ ".what", "variable or allocation site", WM_UNIT_TEXT },
	{ ".member", "member", WM_UNIT_TEXT },
};

#define PEOPLE "loads stores bytes threads first_s last_s pattern "
#define NUMBERS                                                                \
	"loads stores bytes threads first_s last_s pattern accesses "          \
	"sequential strided same first_access last_access first_thread "

static const char *const people[LISTS] = {
	[WM_ACCESS_VARIABLE] = PEOPLE "kind .what",
	[WM_ACCESS_MEMBER] = PEOPLE "kind .member",
	[WM_ACCESS_FUNCTION] = PEOPLE ".who",
	[WM_ACCESS_LINE] = PEOPLE ".place",
	[WM_ACCESS_PAIR] = "loads stores bytes threads pattern .who .what",
};
static const char *const programs[LISTS] = {
	[WM_ACCESS_VARIABLE] = "variable variable_file variable_line kind "
			       "blocks blocks_accessed " NUMBERS,
	[WM_ACCESS_MEMBER] = "member variable variable_file variable_line "
			     "kind " NUMBERS,
	[WM_ACCESS_FUNCTION] = "function file " NUMBERS,
	[WM_ACCESS_LINE] = "function file line " NUMBERS,
	[WM_ACCESS_PAIR] = "function file variable variable_file "
			   "variable_line kind " NUMBERS,
};

static void put_row(struct wm_table *t, const struct wm_access_row *r)
{
	const struct wm_access_named *v = &r->variable;
	struct wm_access_named place = { NULL, r->function, r->file, r->line };
	char buf[32];

	WM_TABLE_ADD(t, r->loads, r->stores, r->bytes, r->threads, r->first_s,
		     r->last_s, wm_access_pattern(r, buf), v->kind, v->name,
		     v->file, wm_nonzero(v->line), r->member, r->function,
		     r->file, wm_nonzero(r->line), r->accesses, r->sequential,
		     r->strided, r->same, r->first, r->last, r->first_thread,
		     r->blocks, r->touched);
	WM_TABLE_ADD(t, r->function);
	wm_simulated_name(t, &place);
	wm_simulated_name(t, v);
	wm_table_text(t, r->member);
}

static enum wm_status put_list(const struct wm_analysis *a,
			       struct wm_access_names *n, enum wm_access_by by,
			       size_t top, unsigned audience, struct wm_doc *d,
			       struct wm_err *err)
{
	struct wm_access_rows l;
	enum wm_status s = wm_access_rows_make(&l, a, n, by, err);
	struct wm_table t;

	if (s)
		return s;
	if (audience & WM_FOR_TEXT)
		wm_doc_heading(d, "%s", lists[by].heading);
	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t, people[by], 0, NULL);
	t.data_view = t.csv_view = programs[by];
	t.spare = "first_s last_s kind threads bytes pattern";
	for (size_t i = 0; i < l.count; i++) {
		wm_table_row(&t, 0);
		put_row(&t, &l.row[i]);
	}
	wm_doc_table(d, &t, lists[by].key, top, audience);
	wm_access_rows_release(&l);
	return WM_OK;
}

static void put_losses(const struct wm_analysis *a, struct wm_doc *d)
{
	const struct wm_access_table *t = &a->accesses;
	struct wm_figure b;

	if (t->gaps)
		wm_doc_print(d,
			     "  Accesses are missing at %s place%s of the "
			     "recording: they were lost, or the\n"
			     "  program had switched recording off\n",
			     wm_count(&b, t->gaps), t->gaps == 1 ? "" : "s");
	if (t->cells && t->cell[0].accesses)
		wm_doc_print(d,
			     "  %s accesses are listed as (unknown): this "
			     "report has no room for more places\n"
			     "  and variables\n",
			     wm_count(&b, t->cell[0].accesses));
}

/* Lists object files without access hooks: the program's own or, if @all,
 * all. */
static size_t put_hookless(const struct wm_census *c, bool all, const char *key,
			   size_t top, unsigned audience, struct wm_doc *d)
{
	static const struct wm_table_column of_objects[] = {
		{ "objects", "objects", WM_UNIT_COUNT },
		{ "name", "name", WM_UNIT_TEXT },
		{ "system", NULL, WM_UNIT_FLAG },
	};
	struct wm_table t;
	size_t n;

	WM_TABLE_INIT(&t, of_objects);
	for (size_t i = 0; c && i < c->hookless_count; i++) {
		if (c->hookless[i].system && !all)
			continue;
		WM_TABLE_ADD(&t, c->hookless[i].objects, c->hookless[i].name,
			     c->hookless[i].system);
	}
	n = wm_table_rows(&t);
	if (n || audience != WM_FOR_TEXT)
		wm_doc_table(d, &t, key, top, audience);
	else
		wm_table_release(&t);
	return n;
}

static void put_unseen(const struct wm_analysis *a, size_t top,
		       struct wm_doc *d)
{
	const struct wm_census *c = wm_analysis_census(a, a->chosen);
	uint64_t own = 0, system = 0;
	struct wm_figure b, e;

	for (size_t i = 0; c && i < c->hookless_count; i++)
		*(c->hookless[i].system ? &system :
					  &own) += c->hookless[i].objects;
	if (!c || !c->hooked) {
		wm_doc_print(d, "\n  It is not known which objects of the "
				"program have no access hooks.\n");
		return;
	}
	wm_doc_heading(d, "Not seen: accesses by object files without "
			  "access hooks");
	(void)put_hookless(c, false, NULL, top, WM_FOR_TEXT, d);
	if (!own)
		wm_doc_print(d,
			     "  none of these is the program's own: %s of %s "
			     "have hooks\n",
			     wm_count(&b, c->hooked), wm_count(&e, c->hooked));
	if (system)
		wm_doc_print(d,
			     "  %s of the compiler, the C library and other "
			     "libraries of the system\n",
			     wm_count(&b, system));
}

static void put_head(const struct wm_analysis *a, struct wm_doc *d)
{
	const struct wm_access_table *t = &a->accesses;
	struct wm_figure b, c, e, f;

	wm_doc_title(d, "%s  run %s: loads and stores of %s", a->name, a->id,
		     wm_chosen(&b, a));
	wm_text_notes(a, d);
	if (!t->accesses) {
		wm_accesses_none(a, d);
		return;
	}
	wm_doc_print(d, "  %s loads and %s stores, %s, by %s thread%s\n",
		     wm_count(&b, t->loads), wm_count(&c, t->stores),
		     wm_bytes(&e, t->bytes), wm_count(&f, t->threads),
		     t->threads == 1 ? "" : "s");
	wm_accesses_limits(a, d);
	put_losses(a, d);
}

static enum wm_access_by chosen_by(const struct wm_opts *o)
{
	size_t by = 0;

	while (by < WM_ACCESS_PAIR && o->by && strcmp(o->by, lists[by].by) != 0)
		by++;
	return (enum wm_access_by)by;
}

static enum wm_status put_text(const struct wm_analysis *a,
			       struct wm_access_names *n,
			       const struct wm_opts *o, struct wm_doc *d,
			       struct wm_err *err)
{
	enum wm_status s;

	s = put_list(a, n, chosen_by(o), wm_top(o, SHOWN), WM_FOR_TEXT, d, err);
	if (!s && !o->by)
		s = put_list(a, n, WM_ACCESS_PAIR, wm_top(o, SHOWN),
			     WM_FOR_TEXT, d, err);
	if (!s && chosen_by(o) == WM_ACCESS_MEMBER)
		s = wm_structures_tell(a, n, wm_top(o, FEW_SHOWN), WM_FOR_TEXT,
				       d, err);
	if (!s && chosen_by(o) == WM_ACCESS_MEMBER && n->why.text[0])
		wm_doc_print(d, "\n  No names of members: %s\n", n->why.text);
	if (!s)
		put_unseen(a, wm_top(o, FEW_SHOWN), d);
	return s;
}

static enum wm_status put_data(const struct wm_analysis *a,
			       struct wm_access_names *n, struct wm_doc *d,
			       struct wm_err *err)
{
	const struct wm_access_table *t = &a->accesses;
	const struct wm_rank *r = &a->ranks[a->chosen];
	struct wm_json *j = &d->data;
	enum wm_status s = WM_OK;

	wm_json_object(j, "accesses");
	WM_JSON_ADD(j,
		    "rank accesses loads stores bytes threads lost samples! "
		    "only",
		    r->rank, t->accesses, t->loads, t->stores, t->bytes,
		    t->threads, r->accesses_lost, r->samples, r->access_only);
	wm_accesses_bursts(r, j);
	WM_JSON_ADD(j, "gaps no_room", t->gaps,
		    t->cells ? t->cell[0].accesses : 0);
	for (size_t by = 0; by < LISTS && !s; by++)
		s = put_list(a, n, (enum wm_access_by)by, 0, WM_FOR_DATA, d,
			     err);
	if (!s)
		s = wm_structures_tell(a, n, 0, WM_FOR_DATA, d, err);
	if (!s)
		(void)put_hookless(wm_analysis_census(a, a->chosen), true,
				   "hookless", 0, WM_FOR_DATA, d);
	wm_json_end_object(j);
	return s;
}

static enum wm_status accesses_build(const struct wm_analysis *a,
				     const struct wm_opts *o, struct wm_doc *d,
				     struct wm_err *err)
{
	struct wm_access_names n;
	enum wm_status s;

	if (a->chosen == WM_ALL_RANKS) {
		wm_one_rank_only(a, "loads and stores", d);
		wm_json_text(&d->data, "accesses", NULL);
		return WM_OK;
	}
	s = wm_access_names_make(&n, a, err);
	if (s)
		return s;
	put_head(a, d);
	if (a->accesses.accesses && wm_doc_wants(d, WM_FOR_TEXT))
		s = put_text(a, &n, o, d, err);
	if (!s && wm_doc_wants(d, WM_FOR_CSV))
		s = put_list(a, &n, chosen_by(o), 0, WM_FOR_CSV, d, err);
	if (!s && a->accesses.accesses && wm_doc_wants(d, WM_FOR_DATA))
		s = put_data(a, &n, d, err);
	else
		wm_json_text(&d->data, "accesses", NULL);
	wm_access_names_release(&n);
	return s;
}

static enum wm_status accesses_check(const struct wm_opts *o,
				     struct wm_err *err)
{
	if (o->by && chosen_by(o) == WM_ACCESS_PAIR)
		return wm_err_set(err, WM_USAGE,
				  "--by %s: not variable, member, function or "
				  "line",
				  o->by);
	return wm_one_rank_check(o, err);
}

const struct wm_report wm_accesses_report = {
	.name = "accesses",
	.help = "variables that are loaded and stored, and where (app.wma)",
	.needs = WM_NEEDS(heap) | WM_NEEDS(accesses),
	.usual_rank = WM_RANK_ACCESSES,
	.build = accesses_build,
	.check = accesses_check,
};
