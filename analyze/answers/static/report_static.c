/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/static/report_static.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/units.h"
#include "analyze/answers/static/statics.h"
#include "analyze/render/doc.h"
#include "analyze/answers/summary/notes_json.h"
#include "analyze/answers/report.h"
#include "wm/search.h"

struct report {
	const struct wm_census *census;
	/* NULL: the report is about no run */
	const struct wm_static_share *share;
	size_t top; /* variables that people see; 0: all */
	struct wm_doc *doc;
	const struct wm_census_section **sections; /* as they are shown */
};

/* Compares by bytes, most first; equal sections stay in the program's order. */
static int compare_sections(const void *pa, const void *pb)
{
	const struct wm_census_section *a, *b;

	a = *(const struct wm_census_section *const *)pa;
	b = *(const struct wm_census_section *const *)pb;
	return WM_KEYS(WM_ORDER(b->bytes, a->bytes), WM_ORDER(a, b));
}

static uint64_t common_bytes(const struct wm_census *c,
			     const struct wm_census_section *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->rows; i++)
		if (c->rows[s->first_row + i].common)
			sum += c->rows[s->first_row + i].bytes;
	return sum;
}

/* Sections with their variables.  For people the variables are listed below
 * their object files, and the sections are listed apart. */
static const struct wm_table_column columns[] = {
	{ "section", "section", WM_UNIT_TEXT },
	{ "class", "class", WM_UNIT_TEXT },
	{ "name", "object file, and below it section and variable",
	  WM_UNIT_TEXT },
	{ "bytes", "bytes", WM_UNIT_COUNT },
	{ "object", NULL, WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ "common", NULL, WM_UNIT_FLAG },
	{ ".share", "share", WM_UNIT_PERCENT },
};

static void add_section(struct wm_table *t, const struct report *r,
			const struct wm_census_section *s)
{
	wm_table_row(t, 0);
	WM_TABLE_ADD(t, s->name, wm_static_class(s->class), s->name, s->bytes);
	wm_table_at(t, "common");
	wm_table_uint(t, common_bytes(r->census, s));
	wm_table_as(t, WM_UNIT_NUMBER);
	if (wm_static_is_counted(s->class))
		WM_TABLE_ADD(t, wm_share(s->bytes, r->census->static_bytes));
}

static void add_variable(struct wm_table *t, const struct wm_census_row *row)
{
	char *name = wm_static_name(row->name, 0), *more = NULL;
	char line[16] = "";

	if (row->file && row->line)
		snprintf(line, sizeof(line), ":%u", row->line);
	if (asprintf(&more, "%s%s%s%s", row->common ? " (COMMON)" : "",
		     row->file ? "  " : "",
		     row->file ? wm_static_object(row->file) : "", line) < 0)
		more = NULL;
	t->short_of_memory |= !more || (row->name && !name);
	wm_table_row(t, 1);
	wm_table_text(t, row->section);
	wm_table_at(t, "name");
	if (name)
		wm_table_name(t, name, more);
	else
		wm_table_text_or(t, NULL, "(gaps, and bytes without a name)");
	WM_TABLE_ADD(t, row->bytes, row->object, row->file, row->line,
		     row->common);
	free(more);
	free(name);
}

/* For programs: writes variables with @least bytes or more, about @most of
 * them. */
static void tell_census(const struct report *r, uint64_t least, size_t most,
			unsigned audience)
{
	const struct wm_census *c = r->census;
	size_t i, k, shown = 0;
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t, NULL, 0, NULL);
	wm_table_level(&t, NULL, 0, "rows");
	t.data_view = "name class bytes object file line common";
	t.csv_view = "section class name bytes object file line common";
	for (i = 0; i < c->section_count; i++) {
		add_section(&t, r, r->sections[i]);
		for (k = 0; k < r->sections[i]->rows; k++) {
			const struct wm_census_row *v =
				&c->rows[r->sections[i]->first_row + k];

			if (v->bytes < least || shown == most)
				continue;
			add_variable(&t, v);
			shown++;
		}
	}
	wm_doc_table(r->doc, &t, "sections", 0, audience);
}

/* Adds @bytes of a section, or of all sections. */
static void add_sum(struct wm_table *t, const char *what, uint64_t bytes)
{
	wm_table_row(t, 0);
	wm_table_text(t, what);
	wm_table_at(t, "bytes");
	wm_table_uint(t, bytes);
}

/* With @counted, lists the sections of static memory and their sum, else the
 * other sections. */
static void tell_sections(const struct report *r, bool counted)
{
	const struct wm_census *c = r->census;
	const struct wm_census_section *s;
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t,
		       counted ? "section class bytes .share" :
				 "section class bytes",
		       0, NULL);
	for (size_t i = 0; i < c->section_count; i++) {
		s = r->sections[i];
		if (wm_static_is_counted(s->class) != counted || !s->bytes)
			continue;
		add_section(&t, r, s);
		if (!common_bytes(c, s))
			continue;
		add_sum(&t, "  of it COMMON", common_bytes(c, s));
		wm_table_at(&t, ".share");
		WM_TABLE_ADD(&t, wm_share(common_bytes(c, s), c->static_bytes));
	}
	if (counted)
		add_sum(&t, "static memory", c->static_bytes);
	wm_doc_table(r->doc, &t, NULL, 0, WM_FOR_TEXT);
}

/* Returns the share of static memory in the need of the rank, in percent. */
static double share_percent(const struct report *r, uint64_t *total)
{
	*total = r->census->static_bytes + r->share->peak_bytes;
	return *total ? 100.0 * (double)r->census->static_bytes /
				(double)*total :
			0;
}

static void text_share(const struct report *r)
{
	struct wm_figure n;
	uint64_t total;
	double percent;

	if (!r->share)
		return;
	percent = share_percent(r, &total);
	wm_doc_print(r->doc,
		     "%.1f %% of the %s that rank %" PRIu64 " needs for static "
		     "memory and for the heap at its peak\n",
		     percent, wm_bytes(&n, total), r->share->rank);
}

static void text_sections(const struct report *r)
{
	const struct wm_census *c = r->census;
	struct wm_figure n;

	wm_doc_print(r->doc, "static memory of %s, per process: %s\n",
		     c->program, wm_bytes(&n, c->static_bytes));
	text_share(r);
	wm_doc_print(r->doc, "\n");
	tell_sections(r, true);
	wm_doc_print(r->doc,
		     "\n  data: initialized variables; bss: variables that "
		     "begin as 0; tls: one copy for each thread\n");
}

static void text_others(const struct report *r)
{
	wm_doc_print(r->doc,
		     "\nnot counted, because it does not change while the "
		     "program runs: code, constants (rodata), tables of "
		     "addresses (relro) and the like\n"
		     "\n");
	tell_sections(r, false);
}

/* Rows of static memory, grouped by object. */
struct group {
	const char *object; /* NULL: unknown */
	const struct wm_census_row **rows; /* by bytes descending */
	size_t count;
	uint64_t bytes;
};

static int compare_groups(const void *pa, const void *pb)
{
	const struct group *a = pa, *b = pb;

	return WM_KEYS(WM_ORDER(b->bytes, a->bytes),
		       WM_ORDER(a->rows, b->rows));
}

static int compare_bytes(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return WM_ORDER(b, a);
}

static size_t list_rows(const struct wm_census *c,
			const struct wm_census_row **rows)
{
	const struct wm_census_section *s = c->sections;
	size_t i, j, n = 0;

	for (i = 0; i < c->section_count; i++)
		for (j = 0; wm_static_is_counted(s[i].class) && j < s[i].rows;
		     j++)
			rows[n++] = &c->rows[s[i].first_row + j];
	WM_SORT(rows, n, wm_census_by_object);
	return n;
}

static size_t make_groups(const struct wm_census_row **rows, size_t n,
			  struct group *groups)
{
	struct group *g = groups;

	for (size_t i = 0; i < n; i++) {
		if (!i ||
		    (rows[i]->object != rows[i - 1]->object &&
		     (!rows[i]->object ||
		      strcmp(rows[i]->object, rows[i - 1]->object) != 0))) {
			g = &groups[i ? g - groups + 1 : 0];
			g->object = rows[i]->object;
			g->rows = rows + i;
			g->count = 0;
			g->bytes = 0;
		}
		g->count++;
		g->bytes += rows[i]->bytes;
	}
	n = n ? (size_t)(g - groups) + 1 : 0;
	WM_SORT(groups, n, compare_groups);
	return n;
}

/* Returns the size of the smallest of the @top largest variables. */
static uint64_t least_top_size(uint64_t *sizes, size_t n, size_t top)
{
	if (!top || top >= n)
		return 0;
	WM_SORT(sizes, n, compare_bytes);
	return sizes[top - 1];
}

static void add_object(struct wm_table *t, const struct group *g)
{
	wm_table_row(t, 0);
	wm_table_at(t, "name");
	wm_table_text_or(t, g->object ? wm_static_object(g->object) : NULL,
			 "(unknown object file)");
	wm_table_uint(t, g->bytes);
}

static void text_groups(const struct report *r, const struct group *g,
			size_t groups, uint64_t least)
{
	size_t i, j, left_out = 0;
	struct wm_table t;
	uint64_t rest = 0;
	struct wm_figure c;

	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t, "bytes name", 0, NULL);
	wm_table_level(&t, "bytes section name", 0, NULL);
	t.airy = true;
	for (i = 0; i < groups; i++) {
		for (j = 0; j < g[i].count; j++) {
			if (g[i].rows[j]->bytes < least)
				break;
			if (!j)
				add_object(&t, &g[i]);
			add_variable(&t, g[i].rows[j]);
		}
		left_out += g[i].count - j;
		for (; j < g[i].count; j++)
			rest += g[i].rows[j]->bytes;
	}
	if (left_out) {
		wm_table_row(&t, 0);
		wm_table_at(&t, "name");
		wm_table_format(&t, "%s smaller%s", wm_count(&c, left_out),
				r->doc->top_given ? "" : " (--top all)");
		wm_table_uint(&t, rest);
	}
	wm_doc_print(r->doc, "\n");
	wm_doc_table(r->doc, &t, NULL, 0, WM_FOR_TEXT);
}

static enum wm_status text_variables(const struct report *r, struct wm_err *err)
{
	size_t n = r->census->row_count + 1, groups, i;
	const struct wm_census_row **rows = calloc(n, sizeof(*rows));
	struct group *g = calloc(n, sizeof(*g));
	uint64_t *sizes = calloc(n, sizeof(*sizes));
	enum wm_status status = WM_OK;

	if (rows && g && sizes) {
		n = list_rows(r->census, rows);
		for (i = 0; i < n; i++)
			sizes[i] = rows[i]->bytes;
		groups = make_groups(rows, n, g);
		wm_doc_print(r->doc, "\nvariables by object file:\n");
		text_groups(r, g, groups, least_top_size(sizes, n, r->top));
		if (!r->census->has_lines)
			wm_doc_print(r->doc, "\nno source file and line of "
					     "variables: compile with -g\n");
	} else {
		status = wm_err_set(err, WM_NO_MEMORY, "out of memory");
	}
	free(sizes);
	free(g);
	free(rows);
	return status;
}

/* For app.wma: lists the objects with loads and stores that are not seen. */
static void tell_hookless(const struct report *r, unsigned audience)
{
	static const struct wm_table_column of_objects[] = {
		{ "objects", "objects", WM_UNIT_COUNT },
		{ "name", "without access hooks", WM_UNIT_TEXT },
		{ "system", "of the system", WM_UNIT_FLAG },
	};
	const struct wm_census *c = r->census;
	struct wm_table t;

	if (!c->hooked)
		return;
	WM_TABLE_INIT(&t, of_objects);
	wm_table_level(&t, NULL, 0, NULL);
	/* the user's own objects come first */
	for (size_t k = 0; c->hookless_count && k < 2 * c->hookless_count;
	     k++) {
		size_t i = k % c->hookless_count;

		if (c->hookless[i].system != (k >= c->hookless_count))
			continue;
		wm_table_row(&t, 0);
		WM_TABLE_ADD(&t, c->hookless[i].objects, c->hookless[i].name,
			     c->hookless[i].system);
	}
	if (audience == WM_FOR_TEXT)
		wm_doc_print(r->doc,
			     "\naccesses of %" PRIu64 " object%s are seen\n\n",
			     c->hooked, c->hooked == 1 ? "" : "s");
	wm_doc_table(r->doc, &t, "hookless", 0, audience);
}

static void json_share(const struct report *r, struct wm_json *j)
{
	uint64_t total;
	double percent;

	if (!r->share)
		return;
	percent = share_percent(r, &total);
	WM_JSON_ROW(j, "share",
		    "rank static_bytes peak_bytes total_bytes percent.3",
		    r->share->rank, r->census->static_bytes,
		    r->share->peak_bytes, total, percent);
}

static void put_data(const struct report *r)
{
	struct wm_json *j = &r->doc->data;
	const struct wm_census *c = r->census;

	wm_json_object(j, NULL);
	WM_JSON_ADD(j, "schema program", WM_JSON_SCHEMA, c->program);
	wm_json_flat_object(j, "static");
	wm_json_static(c, j);
	wm_json_end_object(j);
	json_share(r, j);
	tell_census(r, 0, SIZE_MAX, WM_FOR_DATA);
	if (c->hooked)
		wm_json_uint(j, "hooked", c->hooked);
	tell_hookless(r, WM_FOR_DATA);
	wm_json_end_object(j);
}

enum wm_status wm_static_largest(const struct wm_census *c, size_t most,
				 struct wm_doc *d, struct wm_err *err)
{
	const struct wm_census_section **s = calloc(c->section_count + 1,
						    sizeof(*s));
	uint64_t *sizes = calloc(c->row_count + 1, sizeof(*sizes));
	struct report r = { .census = c, .doc = d, .sections = s };

	for (size_t i = 0; s && i < c->section_count; i++)
		s[i] = &c->sections[i];
	for (size_t i = 0; sizes && i < c->row_count; i++)
		sizes[i] = c->rows[i].bytes;
	if (s && sizes)
		tell_census(&r, least_top_size(sizes, c->row_count, most), most,
			    WM_FOR_DATA);
	free(sizes);
	free(s);
	return s && sizes ? WM_OK : wm_no_memory(err, "variables");
}

enum wm_status wm_static_build(const struct wm_bundle *bundle,
			       const struct wm_static_share *share, size_t top,
			       struct wm_doc *d, struct wm_err *err)
{
	struct report r = { wm_bundle_census(bundle), share, top, d, NULL };
	size_t n = r.census->section_count, i;
	enum wm_status s = WM_OK;

	r.sections = calloc(n + 1, sizeof(*r.sections));
	if (!r.sections)
		return wm_err_set(err, WM_NO_MEMORY, "out of memory");
	for (i = 0; i < n; i++)
		r.sections[i] = &r.census->sections[i];
	/* spreadsheets have variables in the order of the program */
	if (!wm_doc_wants(d, WM_FOR_CSV))
		WM_SORT(r.sections, n, compare_sections);
	if (wm_doc_wants(d, WM_FOR_TEXT)) {
		text_sections(&r);
		s = text_variables(&r, err);
		tell_hookless(&r, WM_FOR_TEXT);
		text_others(&r);
	}
	if (!s && wm_doc_wants(d, WM_FOR_DATA))
		put_data(&r);
	if (wm_doc_wants(d, WM_FOR_CSV))
		tell_census(&r, 0, SIZE_MAX, WM_FOR_CSV);
	free(r.sections);
	return s;
}
