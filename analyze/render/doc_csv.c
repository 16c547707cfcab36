/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a report for spreadsheets: CSV (RFC 4180) with a line of keys,
 * then a line for each row.  Lines end with LF. */
#include "analyze/render/doc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Spreadsheets may run a cell with such a beginning as a formula, which may run
 * commands; an apostrophe makes it a text. */
static bool is_formula(const char *s)
{
	return *s && strchr("=+-@\t\r", *s);
}

static void put_text(const char *s, FILE *out)
{
	bool quote = s[strcspn(s, ",\"\r\n")] != 0;

	if (quote)
		putc('"', out);
	if (is_formula(s))
		putc('\'', out);
	for (; *s; s++) {
		if (*s == '"')
			putc('"', out);
		putc(*s, out);
	}
	if (quote)
		putc('"', out);
}

static void put_cell(const struct wm_cell *c, enum wm_unit unit, FILE *out)
{
	char number[WM_CELL_NUMBER];

	if (c->kind == WM_CELL_TEXT)
		put_text(c->text, out);
	else
		fputs(wm_cell_number(c, unit, number), out);
}

/* Returns @row, or the nearest row above it in the tree with the column. */
static size_t row_with(const struct wm_table *t, size_t row, size_t column,
		       const size_t *last)
{
	size_t depth = wm_table_depth(t, row);

	while (depth-- && wm_table_cell(t, row, column)->kind == WM_CELL_ABSENT)
		row = last[depth];
	return row;
}

static void csv_table(struct wm_doc *d, const struct wm_table *t,
		      const char *key, size_t top)
{
	size_t *column = wm_doc_columns(d, t), count, depth, r, i, c, from;
	size_t last[WM_TABLE_LEVELS] = { 0 };

	(void)key;
	(void)top;
	if (!column)
		return;
	count = wm_table_list(t, t->csv_view, column);
	for (i = 0; i < count; i++) {
		put_text(t->column[column[i]].key, d->out);
		putc(i + 1 < count ? ',' : '\n', d->out);
	}
	for (r = 0; r < wm_table_rows(t); r++) {
		depth = wm_table_depth(t, r);
		if (depth < WM_TABLE_LEVELS)
			last[depth] = r;
		/* with several levels, only innermost rows are written */
		if (!t->deep && depth + 1 < t->levels)
			continue;
		for (i = 0; i < count; i++) {
			c = column[i];
			from = t->deep ? r : row_with(t, r, c, last);
			put_cell(wm_table_cell(t, from, c),
				 wm_table_unit(t, from, c), d->out);
			putc(i + 1 < count ? ',' : '\n', d->out);
		}
	}
	free(column);
}

const struct wm_form wm_csv_form = {
	.readers = WM_FOR_CSV,
	.table = csv_table,
};
