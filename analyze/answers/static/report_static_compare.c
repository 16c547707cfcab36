/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --static-report A B: growth between two builds, by section and by variable.
 *
 * A variable is identified by its section, its name and the base name of its
 * object file.  The number that the compiler gives to a static variable of a
 * function ("buffer.3") changes between builds and does not count, so variables
 * that differ only in this number are one row.
 */
#include "analyze/answers/gates/report_gates.h"
#include "analyze/answers/static/report_static.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answers/compare/compare.h"
#include "analyze/answers/static/statics.h"
#include "analyze/render/doc.h"
#include "analyze/answers/summary/notes_json.h"
#include "analyze/answers/text.h"
#include "wm/search.h"

#define ROWS_SHOWN 20

struct row {
	const struct wm_census_section *section;
	const char *name; /* NULL: padding; not ended at length */
	size_t length;
	const char *object; /* base name; NULL */
	uint64_t bytes[2];
	int there[2];
};

struct rows {
	struct row *row;
	size_t count;
};

/* Returns the length of @name without ".12" at its end. */
static size_t plain_length(const char *name)
{
	size_t n = name ? strlen(name) : 0, k = n;

	while (k > 1 && isdigit((unsigned char)name[k - 1]))
		k--;
	return k < n && k > 1 && name[k - 1] == '.' ? k - 1 : n;
}

static int text_order(const char *a, const char *b)
{
	if (!a || !b)
		return !a - !b;
	return strcmp(a, b);
}

static int name_order(const struct row *a, const struct row *b)
{
	size_t n = a->length < b->length ? a->length : b->length;

	if (!a->name || !b->name)
		return !a->name - !b->name;
	return WM_KEYS(strncmp(a->name, b->name, n),
		       WM_ORDER(a->length, b->length));
}

static int by_key(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	return WM_KEYS(strcmp(a->section->name, b->section->name),
		       name_order(a, b), text_order(a->object, b->object));
}

static uint64_t size_of_change(const struct row *r)
{
	return r->bytes[0] > r->bytes[1] ? r->bytes[0] - r->bytes[1] :
					   r->bytes[1] - r->bytes[0];
}

static int by_change(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;
	uint64_t x = size_of_change(a), y = size_of_change(b);

	return WM_KEYS(WM_ORDER(y, x), WM_ORDER(b->bytes[1], a->bytes[1]),
		       by_key(a, b));
}

static const char *status_of(const struct row *r)
{
	struct wm_difference d = {
		.bytes_a = r->bytes[0],
		.blocks_a = (uint64_t)r->there[0],
		.bytes_b = r->bytes[1],
		.blocks_b = (uint64_t)r->there[1],
	};

	return wm_difference_status(&d);
}

/* Joins rows with the same key. */
static void join_rows(struct rows *rows)
{
	size_t i, n = 0;

	WM_SORT(rows->row, rows->count, by_key);
	for (i = 0; i < rows->count; i++) {
		struct row *r = &rows->row[i], *last;

		last = n ? &rows->row[n - 1] : NULL;
		if (!last || by_key(last, r) != 0) {
			rows->row[n++] = *r;
			continue;
		}
		last->bytes[0] += r->bytes[0];
		last->bytes[1] += r->bytes[1];
		last->there[0] |= r->there[0];
		last->there[1] |= r->there[1];
	}
	rows->count = n;
	WM_SORT(rows->row, n, by_change);
}

static void add_variables(struct rows *rows, const struct wm_census *c,
			  size_t side)
{
	for (size_t i = 0; i < c->section_count; i++)
		for (size_t k = 0; k < c->sections[i].rows; k++) {
			const struct wm_census_row *from =
				&c->rows[c->sections[i].first_row + k];
			struct row *r = &rows->row[rows->count++];

			memset(r, 0, sizeof(*r));
			r->section = &c->sections[i];
			r->name = from->name;
			r->length = plain_length(from->name);
			if (from->name && from->object)
				r->object = wm_static_object(from->object);
			r->bytes[side] = from->bytes;
			r->there[side] = 1;
		}
}

static void add_sections(struct rows *rows, const struct wm_census *c,
			 size_t side)
{
	for (size_t i = 0; i < c->section_count; i++) {
		struct row *r = &rows->row[rows->count++];

		memset(r, 0, sizeof(*r));
		r->section = &c->sections[i];
		r->bytes[side] = c->sections[i].bytes;
		r->there[side] = 1;
	}
}

#define CHANGES                                                                \
	{ "bytes_a", "A", WM_UNIT_BYTES }, { "bytes_b", "B", WM_UNIT_BYTES },  \
		{ "change", "change", WM_UNIT_CHANGE },                        \
	{                                                                      \
		"status", "status", WM_UNIT_TEXT                               \
	}

static const struct wm_table_column section_columns[] = {
	{ "name", "section", WM_UNIT_TEXT },
	{ "class", "class", WM_UNIT_TEXT },
	CHANGES,
};
static const struct wm_table_column variable_columns[] = {
	CHANGES,
	{ "section", "section", WM_UNIT_TEXT },
	{ "class", NULL, WM_UNIT_TEXT },
	{ "name", "variable", WM_UNIT_TEXT },
	{ "object", "object", WM_UNIT_TEXT },
};

static void put_changes(struct wm_table *t, const struct row *r)
{
	WM_TABLE_ADD(t, r->bytes[0], r->bytes[1],
		     wm_change(r->bytes[0], r->bytes[1]), status_of(r));
}

/* Adds sections; with @brief, as in text, only sections that differ. */
static void fill_sections(struct wm_table *t, const struct rows *rows,
			  bool brief)
{
	WM_TABLE_INIT(t, section_columns);
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *r = &rows->row[i];

		if (brief && !size_of_change(r))
			continue;
		WM_TABLE_ADD(t, r->section->name,
			     wm_static_class(r->section->class));
		put_changes(t, r);
	}
}

/* Adds variables; with @brief, as in text, only those of static memory that
 * differ. */
static void fill_variables(struct wm_table *t, const struct rows *rows,
			   bool brief)
{
	WM_TABLE_INIT(t, variable_columns);
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *r = &rows->row[i];
		char *name;

		if (brief && (!size_of_change(r) ||
			      !wm_static_is_counted(r->section->class)))
			continue;
		name = wm_static_name(r->name, r->length);
		put_changes(t, r);
		WM_TABLE_ADD(t, r->section->name,
			     wm_static_class(r->section->class),
			     name || !brief ? name : "(padding)", r->object);
		free(name);
	}
}

static void put_numbers(struct wm_json *j, const char *key,
			const struct wm_census *c, const char *program)
{
	wm_json_object(j, key);
	wm_json_text(j, "program", program);
	wm_json_static(c, j);
	wm_json_end_object(j);
}

static void put_data(const struct wm_static_pair *pair,
		     const struct rows *sections, const struct rows *variables,
		     struct wm_doc *d)
{
	const struct wm_census *const *c = pair->census;
	struct wm_json *j = &d->data;
	struct wm_table t;

	wm_json_object(j, NULL);
	wm_json_text(j, "schema", WM_JSON_SCHEMA);
	wm_json_object(j, "static_compare");
	put_numbers(j, "a", c[0], pair->given[0]);
	put_numbers(j, "b", c[1], pair->given[1]);
	wm_json_int(j, "change",
		    wm_change(c[0]->static_bytes, c[1]->static_bytes));
	fill_sections(&t, sections, false);
	wm_doc_table(d, &t, "sections", 0, WM_FOR_DATA);
	fill_variables(&t, variables, false);
	wm_doc_table(d, &t, "variables", 0, WM_FOR_DATA);
	wm_json_end_object(j);
	wm_findings_json(pair->findings, j);
	wm_json_end_object(j);
}

/* Writes the rows that differ, if there are any. */
static void put_rows(struct wm_table *t, size_t top, struct wm_doc *d)
{
	if (wm_table_rows(t))
		wm_doc_table(d, t, NULL, top, WM_FOR_TEXT);
	else
		wm_table_release(t);
}

static void put_people(const struct wm_static_pair *pair,
		       const struct rows *sections,
		       const struct rows *variables, const struct wm_opts *o,
		       struct wm_doc *d)
{
	uint64_t a = pair->census[0]->static_bytes;
	uint64_t b = pair->census[1]->static_bytes;
	struct wm_figure from, to, by;
	struct wm_table t;

	wm_doc_title(d, "static memory, per process: %s -> %s (%s%s)",
		     wm_bytes(&from, a), wm_bytes(&to, b),
		     a == b ? "" :
		     b > a  ? "+" :
			      "-",
		     a == b ? "the same" :
			      wm_bytes(&by, b > a ? b - a : a - b));
	for (size_t i = 0; i < 2; i++) {
		wm_doc_print(d, "  %c: ", i ? 'B' : 'A');
		wm_text_plain(pair->given[i], d);
		wm_doc_print(d, "\n");
	}
	fill_sections(&t, sections, true);
	wm_doc_print(d, wm_table_rows(&t) ? "\n" :
					    "\nall sections have the same "
					    "size\n");
	put_rows(&t, 0, d);
	fill_variables(&t, variables, true);
	if (wm_table_rows(&t))
		wm_doc_print(d, "\n");
	put_rows(&t, wm_top(o, ROWS_SHOWN), d);
}

/* Evaluates --fail-on growth, with the variable that grew most. */
static enum wm_status find_growth(struct wm_static_pair *pair,
				  const struct rows *variables,
				  const struct wm_opts *o, struct wm_err *err)
{
	const struct row *most = NULL;
	enum wm_status s;
	char *name;

	for (size_t i = 0; i < variables->count && !most; i++) {
		const struct row *r = &variables->row[i];

		if (r->name && r->bytes[1] > r->bytes[0] &&
		    wm_static_is_counted(r->section->class))
			most = r;
	}
	name = most ? wm_static_name(most->name, most->length) : NULL;
	s = wm_gates_grown(pair->findings, &o->gates,
			   pair->census[0]->static_bytes,
			   pair->census[1]->static_bytes, name,
			   most ? size_of_change(most) : 0, err);
	free(name);
	return s;
}

enum wm_status wm_static_compare(struct wm_static_pair *pair,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err)
{
	const struct wm_census *const *c = pair->census;
	struct rows sections = { .count = 0 }, variables = { .count = 0 };
	struct wm_table t;
	enum wm_status s;

	sections.row = calloc(c[0]->section_count + c[1]->section_count + 1,
			      sizeof(*sections.row));
	variables.row = calloc(c[0]->row_count + c[1]->row_count + 1,
			       sizeof(*variables.row));
	if (!sections.row || !variables.row) {
		free(sections.row);
		free(variables.row);
		return wm_err_set(err, WM_NO_MEMORY, "out of memory");
	}
	for (size_t i = 0; i < 2; i++) {
		add_sections(&sections, c[i], i);
		add_variables(&variables, c[i], i);
	}
	join_rows(&sections);
	join_rows(&variables);
	s = find_growth(pair, &variables, o, err);
	if (!s && wm_doc_wants(d, WM_FOR_TEXT))
		put_people(pair, &sections, &variables, o, d);
	if (!s && wm_doc_wants(d, WM_FOR_DATA))
		put_data(pair, &sections, &variables, d);
	if (!s && wm_doc_wants(d, WM_FOR_CSV)) {
		fill_variables(&t, &variables, false);
		wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
	}
	free(sections.row);
	free(variables.row);
	return s;
}
