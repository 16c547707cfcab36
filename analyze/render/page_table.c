/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/page_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/render/svg.h"

#define TABLE_ROWS 2000 /* of a table; CSV has all */
#define OPEN_LEVELS 4 /* of a tree, before anybody clicks */

/* A table while it is written, or one level of its rows. */
struct page {
	const struct wm_table *t;
	size_t *column, columns;
	bool people;
	FILE *out;
};

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
static struct row *choose_rows(const struct wm_table *t, size_t *shown)
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

static void put_text(const struct wm_cell *c, enum wm_unit unit, FILE *out)
{
	const char *more = wm_cell_more(c);
	struct wm_buf b;

	wm_svg_text(out, wm_cell_show(c, unit, &b));
	if (*more) {
		fputs(" <small>", out);
		wm_svg_text(out, more + strspn(more, " "));
		fputs("</small>", out);
	}
}

static void put_bar(const struct wm_cell *c, FILE *out)
{
	double v = c->kind == WM_CELL_REAL && isfinite(c->real) ? c->real : 0;

	fprintf(out, "<i class=b style=\"width:%.1f%%\"></i>",
		v < 0 ? 0 :
		v > 1 ? 100 :
			100 * v);
}

/* The number by which a cell is sorted, and as which programs see it. */
static void put_number(const struct wm_cell *c, enum wm_unit unit,
		       const char *tag, bool people, FILE *out)
{
	char raw[WM_CELL_NUMBER];
	const char *number = wm_cell_number(c, unit, raw);
	struct wm_buf b;

	if (people && *number)
		fprintf(out, "<%s class=n data-v=\"%s\">", tag, number);
	else
		fprintf(out, "<%s class=n>", tag);
	fputs(people ? wm_cell_show(c, unit, &b) : number, out);
}

/* A cell as element @tag; @indent: of a name, in levels. */
static void put_cell(const struct page *p, size_t row, size_t column,
		     const char *tag, size_t indent)
{
	const struct wm_cell *c = wm_table_cell(p->t, row, column);
	enum wm_unit unit = wm_table_unit(p->t, row, column);

	if (wm_unit_is_text(unit) || unit == WM_UNIT_BAR) {
		fprintf(p->out, "<%s%s", tag,
			wm_unit_is_text(p->t->column[column].unit) ? "" :
			unit == WM_UNIT_BAR ? " class=w" :
					      " class=n");
		if (indent)
			fprintf(p->out, " style=\"padding-left:%zuem\"",
				indent);
		putc('>', p->out);
		if (unit == WM_UNIT_BAR)
			put_bar(c, p->out);
		else
			put_text(c, unit, p->out);
	} else {
		put_number(c, unit, tag, p->people, p->out);
	}
	fprintf(p->out, "</%s>", tag);
}

static bool has_titles(const struct page *p)
{
	size_t i;

	for (i = 0; i < p->columns; i++) {
		const char *title = p->t->column[p->column[i]].title;

		if (!p->people || title[strspn(title, " ")])
			return true;
	}
	return false;
}

static void put_titles(const struct page *p, const char *tag)
{
	size_t i;

	for (i = 0; i < p->columns; i++) {
		const struct wm_table_column *c = &p->t->column[p->column[i]];
		const char *title = p->people ? c->title : c->key;
		bool number = !wm_unit_is_text(c->unit) &&
			      c->unit != WM_UNIT_BAR;

		fprintf(p->out, "<%s%s>", tag, number ? " class=n" : "");
		wm_svg_text(p->out, title + strspn(title, " "));
		fprintf(p->out, "</%s>", tag);
	}
}

static void put_rows(const struct page *p, const struct row *row, size_t n)
{
	size_t i, k;

	fputs("<table>", p->out);
	if (has_titles(p)) {
		fputs("<thead><tr>", p->out);
		put_titles(p, "th");
		fputs("</tr></thead>", p->out);
	}
	fputs("<tbody>\n", p->out);
	for (i = 0; i < n; i++) {
		fputs("<tr>", p->out);
		for (k = 0; k < p->columns; k++)
			put_cell(p, row[i].row, p->column[k], "td", 0);
		fputs("</tr>\n", p->out);
	}
	fputs("</tbody></table>\n", p->out);
}

static bool put_table(const struct page *p)
{
	size_t n = wm_table_rows(p->t), shown, column = weight_column(p->t);
	struct row *row = choose_rows(p->t, &shown);

	if (!row)
		return false;
	fputs(p->people ? "<div class=t>" : "<details><summary>table</summary>",
	      p->out);
	put_rows(p, row, shown);
	if (shown < n && column < p->t->columns)
		fprintf(p->out,
			"<p>The %zu rows with the highest %s of %zu; "
			"--csv has all.</p>",
			shown, p->t->column[column].key, n);
	else if (shown < n)
		fprintf(p->out,
			"<p>The first %zu rows of %zu; --csv has all."
			"</p>",
			shown, n);
	fputs(p->people ? "</div>\n" : "</details>\n", p->out);
	free(row);
	return true;
}

/* A row of a list, without those below it. */
static void put_line(struct page *p, size_t row, size_t depth)
{
	size_t indent = p->t->deep ? depth : 0, i;

	p->columns = wm_table_people(p->t, depth, p->column);
	for (i = 0; i < p->columns; i++)
		put_cell(p, row, p->column[i], "span",
			 i + 1 == p->columns ? indent : 0);
}

/* The rows of @depth from @row on, with those below them; the first row that
 * is none. */
static size_t put_list(struct page *p, size_t row, size_t depth)
{
	size_t all = wm_table_rows(p->t);
	bool open = p->t->deep ? depth < OPEN_LEVELS : depth > 0;

	for (; row < all && wm_table_depth(p->t, row) >= depth;) {
		bool folds = row + 1 < all &&
			     wm_table_depth(p->t, row + 1) > depth;

		fputs(!folds ? "<div>" :
		      open   ? "<details open><summary>" :
			       "<details><summary>",
		      p->out);
		put_line(p, row++, depth);
		if (folds) {
			fputs("</summary>\n", p->out);
			row = put_list(p, row, depth + 1);
		}
		fputs(folds ? "</details>\n" : "</div>\n", p->out);
	}
	return row;
}

static bool has_folds(const struct wm_table *t)
{
	size_t r;

	for (r = 0; r < wm_table_rows(t); r++)
		if (wm_table_depth(t, r))
			return true;
	return false;
}

bool wm_page_table(const struct wm_table *t, bool people, FILE *out)
{
	struct page p = { t, NULL, 0, people, out };
	bool good = true;

	p.column = calloc(t->columns + 1, sizeof(*p.column));
	if (!p.column)
		return false;
	p.columns = people ? wm_table_people(t, 0, p.column) :
			     wm_table_list(t, t->csv_view, p.column);
	if (people && has_folds(t)) {
		fputs(t->deep ? "<div class=o>" : "<div class=\"o l\">", out);
		if (has_titles(&p)) {
			fputs("<div class=h>", out);
			put_titles(&p, "span");
			fputs("</div>\n", out);
		}
		put_list(&p, 0, 0);
		fputs("</div>\n", out);
	} else {
		good = put_table(&p);
	}
	free(p.column);
	return good;
}
