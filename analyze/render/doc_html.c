/* SPDX-License-Identifier: Apache-2.0 */
/* A report in the part of a page for browsers without scripts. */
#include "analyze/render/doc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/render/svg.h"

#define ROWS 2000 /* of a table */

/* A blank line ends a paragraph. */
static void put_lines(struct wm_doc *d)
{
	FILE *out = d->out;
	char *text = d->text, *line;
	bool open = false;

	while ((line = strsep(&text, "\n"))) {
		line += strspn(line, " ");
		if (*line) {
			fputs(open ? "<br>\n" : "<p>", out);
			wm_svg_text(out, line);
		} else if (open) {
			fputs("</p>\n", out);
		}
		open = *line != 0;
	}
	if (open)
		fputs("</p>\n", out);
}

__attribute__((format(printf, 3, 0))) static void
page_heading(struct wm_doc *d, bool blank, const char *fmt, va_list ap)
{
	char *text;

	(void)blank;
	if (vasprintf(&text, fmt, ap) < 0) {
		wm_doc_no_memory(d);
		return;
	}
	fputs("<h3>", d->out);
	wm_svg_text(d->out, text);
	fputs("</h3>\n", d->out);
	free(text);
}

static void put_title(const struct wm_table_column *c, FILE *out)
{
	fprintf(out, "<th%s>", wm_unit_is_text(c->unit) ? "" : " class=n");
	wm_svg_text(out, c->title + strspn(c->title, " "));
	fputs("</th>", out);
}

static void put_cell(const struct wm_table *t, size_t row, size_t column,
		     FILE *out)
{
	const struct wm_cell *c = wm_table_cell(t, row, column);
	const char *more = wm_cell_more(c);
	enum wm_unit unit = wm_table_unit(t, row, column);
	char number[WM_CELL_NUMBER];
	struct wm_figure b;

	/* the script sorts by the number itself */
	if (wm_unit_is_text(unit))
		fputs("<td>", out);
	else
		fprintf(out, "<td class=n data-v=\"%s\">",
			wm_cell_number(c, unit, number));
	wm_svg_text(out, wm_cell_show(c, unit, &b));
	if (*more) {
		fputs(" <small>", out);
		wm_svg_text(out, more + strspn(more, " "));
		fputs("</small>", out);
	}
	fputs("</td>", out);
}

static void page_table(struct wm_doc *d, const struct wm_table *t,
		       const char *key, size_t top)
{
	size_t *column = wm_doc_columns(d, t), n, i, r;
	size_t rows = wm_table_rows(t), shown = rows < ROWS ? rows : ROWS;

	(void)key;
	(void)top;
	if (!column)
		return;
	n = wm_table_people(t, 0, column);
	fputs("<table><thead><tr>", d->out);
	for (i = 0; i < n; i++)
		put_title(&t->column[column[i]], d->out);
	fputs("</tr></thead><tbody>\n", d->out);
	for (r = 0; r < shown; r++) {
		fputs("<tr>", d->out);
		for (i = 0; i < n; i++)
			put_cell(t, r, column[i], d->out);
		fputs("</tr>\n", d->out);
	}
	fputs("</tbody></table>\n", d->out);
	if (shown < rows)
		fprintf(d->out, "<p>... %zu more</p>\n", rows - shown);
	free(column);
}

const struct wm_form wm_page_form = {
	.readers = WM_FOR_TEXT,
	.heading = page_heading,
	.print = wm_doc_wait,
	.table = page_table,
	.lines = put_lines,
};
