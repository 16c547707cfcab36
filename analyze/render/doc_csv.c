/* SPDX-License-Identifier: Apache-2.0 */
/* A report as CSV, RFC 4180: the one table of it that is for spreadsheets.
 * A line of keys, then a line for each row; LF ends lines. */
#include "analyze/render/doc.h"

#include <inttypes.h>
#include <string.h>

/*
 * Spreadsheets take a cell that begins so for a formula, which may run
 * commands; an apostrophe before it makes it text.
 */
static int is_formula(const char *s)
{
	return *s && strchr("=+-@\t\r", *s);
}

static void put_text(const char *s, FILE *out)
{
	int quote = s[strcspn(s, ",\"\r\n")] != 0;

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

static void csv_table(struct wm_doc *d, const struct wm_table *t,
		      const char *key, size_t top, unsigned audience)
{
	size_t r, c;

	(void)key;
	(void)top;
	(void)audience;
	for (c = 0; c < t->columns; c++) {
		put_text(t->column[c].key, d->out);
		putc(c + 1 < t->columns ? ',' : '\n', d->out);
	}
	for (r = 0; r < wm_table_rows(t); r++)
		for (c = 0; c < t->columns; c++) {
			put_cell(wm_table_cell(t, r, c), t->column[c].unit,
				 d->out);
			putc(c + 1 < t->columns ? ',' : '\n', d->out);
		}
}

const struct wm_form wm_csv_form = {
	.readers = WM_FOR_CSV,
	.table = csv_table,
};
