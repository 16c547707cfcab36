/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report as a part of a page for the browser: headings, lines as they come,
 * and tables that a click on a heading sorts (html.c has the script).
 *
 * A table for people has their columns and numbers; data-v is what it is sorted
 * by.  One for spreadsheets has all columns, as they are, behind a fold.
 */
#include "analyze/render/doc.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/render/svg.h"

#define TABLE_ROWS 2000 /* of a table; CSV has all */

static void no_memory(struct wm_doc *d)
{
	if (!d->status)
		d->status = wm_err_set(d->err, WM_NO_MEMORY,
				       "no memory for a page");
}

/* @text between tags, lines as they are; blank ones around them are left out. */
static void put_lines(char *text, FILE *out)
{
	char *line, *rest = text + strspn(text, "\n");
	size_t n = strlen(rest);

	while (n && rest[n - 1] == '\n')
		rest[--n] = 0;
	if (!n)
		return;
	fputs("<pre>", out);
	while (rest) {
		line = strsep(&rest, "\n");
		wm_svg_text(out, line);
		putc('\n', out);
	}
	fputs("</pre>\n", out);
}

/* What has been printed since the last table or heading. */
static void flush_lines(struct wm_doc *d)
{
	if (!d->lines)
		return;
	if (fclose(d->lines))
		no_memory(d);
	else
		put_lines(d->text, d->out);
	free(d->text);
	d->lines = NULL;
	d->text = NULL;
}

static void page_print(struct wm_doc *d, const char *fmt, va_list ap)
{
	if (!d->lines)
		d->lines = open_memstream(&d->text, &d->size);
	if (d->lines)
		vfprintf(d->lines, fmt, ap);
	else
		no_memory(d);
}

static void page_heading(struct wm_doc *d, int blank, const char *fmt,
			 va_list ap)
{
	char *text;

	(void)blank;
	flush_lines(d);
	if (vasprintf(&text, fmt, ap) < 0) {
		no_memory(d);
		return;
	}
	fputs("<h3>", d->out);
	wm_svg_text(d->out, text);
	fputs("</h3>\n", d->out);
	free(text);
}

/* A row, and the number by which it is chosen where there are too many. */
struct row {
	size_t row;
	double weight;
};

/* The first column of bytes; that many columns when there is none. */
static size_t weight_column(const struct wm_table *t)
{
	size_t c;

	for (c = 0; c < t->columns; c++)
		if (t->column[c].unit == WM_UNIT_BYTES)
			break;
	return c;
}

static double weight_of(const struct wm_cell *c)
{
	return c->kind == WM_CELL_UINT ? (double)c->u :
	       c->kind == WM_CELL_INT  ? (double)c->i :
					 0;
}

static int by_weight(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return (x->row > y->row) - (x->row < y->row);
}

static int by_place(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->row > y->row) - (x->row < y->row);
}

/* All rows, or those with the most bytes in the order that they have: what is
 * cut away must never be the worst rank.  NULL: no memory. */
static struct row *choose(const struct wm_table *t, size_t *shown)
{
	size_t n = wm_table_rows(t), column = weight_column(t), i;
	struct row *row = calloc(n + 1, sizeof(*row));

	if (!row)
		return NULL;
	for (i = 0; i < n; i++) {
		row[i].row = i;
		if (column < t->columns)
			row[i].weight = weight_of(wm_table_cell(t, i, column));
	}
	*shown = n < TABLE_ROWS ? n : TABLE_ROWS;
	if (*shown < n) {
		qsort(row, n, sizeof(*row), by_weight);
		qsort(row, *shown, sizeof(*row), by_place);
	}
	return row;
}

/* @people: as they read it. */
static void put_cell(const struct wm_table *t, size_t row, size_t column,
		     int people, FILE *out)
{
	const struct wm_cell *c = wm_table_cell(t, row, column);
	enum wm_unit unit = t->column[column].unit;
	const char *number;
	char raw[WM_CELL_NUMBER];
	struct wm_buf b;

	if (wm_unit_is_text(unit)) {
		fputs("<td>", out);
		wm_svg_text(out, wm_cell_show(c, unit, &b));
	} else {
		number = wm_cell_number(c, unit, raw);
		if (people && *number)
			fprintf(out, "<td class=n data-v=\"%s\">", number);
		else
			fputs("<td class=n>", out);
		fputs(people ? wm_cell_show(c, unit, &b) : number, out);
	}
	fputs("</td>", out);
}

static void put_rows(const struct wm_table *t, const struct row *row, size_t n,
		     int people, FILE *out)
{
	size_t i, c;

	fputs("<table><thead><tr>", out);
	for (c = 0; c < t->columns; c++)
		if (!people || wm_table_in_text(t, c)) {
			fputs("<th>", out);
			wm_svg_text(out, people ? t->column[c].title :
						  t->column[c].key);
			fputs("</th>", out);
		}
	fputs("</tr></thead><tbody>\n", out);
	for (i = 0; i < n; i++) {
		fputs("<tr>", out);
		for (c = 0; c < t->columns; c++)
			if (!people || wm_table_in_text(t, c))
				put_cell(t, row[i].row, c, people, out);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table>\n", out);
}

static void page_table(struct wm_doc *d, const struct wm_table *t,
		       const char *key, size_t top, unsigned audience)
{
	size_t n = wm_table_rows(t), shown, column = weight_column(t);
	int people = (audience & WM_FOR_TEXT) != 0;
	struct row *row = choose(t, &shown);

	(void)key;
	(void)top;
	flush_lines(d);
	if (!row) {
		no_memory(d);
		return;
	}
	fputs(people ? "<div class=t>" : "<details><summary>table</summary>",
	      d->out);
	put_rows(t, row, shown, people, d->out);
	if (shown < n && column < t->columns)
		fprintf(d->out,
			"<p>The %zu rows with the highest %s of %zu; "
			"--csv has all.</p>",
			shown, t->column[column].key, n);
	else if (shown < n)
		fprintf(d->out,
			"<p>The first %zu rows of %zu; --csv has all."
			"</p>",
			shown, n);
	fputs(people ? "</div>\n" : "</details>\n", d->out);
	free(row);
}

const struct wm_form wm_page_form = {
	.readers = WM_FOR_TEXT | WM_FOR_CSV,
	.heading = page_heading,
	.print = page_print,
	.table = page_table,
	.end = flush_lines,
};
