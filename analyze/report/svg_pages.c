/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of --pages: addresses from top to bottom, epochs from left to
 * right, colour says what is accessed and what is written; the largest
 * structures have an outline and their names beside it.  Plain SVG 1.1.
 *
 * The colours differ in brightness, too, and are of those that the
 * colour-blind tell apart (Okabe and Ito).
 */
#include "analyze/report/reports.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyze/base/units.h"
#include "analyze/queries/page_bands.h"
#include "analyze/queries/page_sites.h"
#include "analyze/render/output.h"
#include "analyze/render/svg.h"
#include "analyze/report/text.h"
#include "wm/search.h"

#define WIDTH 960
#define LEFT 120
#define RIGHT 260
#define TOP 64
#define BOTTOM 66
#define MAP (WIDTH - LEFT - RIGHT)
#define LINE 14 /* of text */
#define LABEL 34 /* columns of a name */
#define GAPS 48 /* more of them are narrow */

struct picture {
	FILE *out;
	const struct wm_analysis *a;
	const struct wm_page_chart *c;
	const struct wm_page_bands *b;
	double *y; /* upper edge of each row, */
	double *height;
	double bottom;
};

static double x_of(const struct picture *p, size_t column)
{
	return LEFT + (double)column / (double)p->c->columns * MAP;
}

/* Does the row begin where the one before it does not end? */
static bool is_jump(const struct wm_page_chart *c, size_t row)
{
	return row && c->row[row - 1].end != c->row[row].first;
}

static void place_rows(struct picture *p)
{
	const struct wm_page_chart *c = p->c;
	size_t folded = 0, jumps = 0, rows, i;
	double y = TOP, each, gap, fold;

	for (i = 0; i < c->rows; i++) {
		folded += c->row[i].folded;
		jumps += is_jump(c, i);
	}
	rows = c->rows - folded;
	each = rows <= 24 ? 14 : rows <= 96 ? 5 : rows <= 384 ? 2 : 1;
	gap = jumps <= GAPS ? 4 : 1;
	fold = folded <= GAPS ? LINE : each;
	for (i = 0; i < c->rows; i++) {
		y += is_jump(c, i) ? gap : 0;
		p->y[i] = y;
		p->height[i] = c->row[i].folded ? fold : each;
		y += p->height[i];
	}
	p->bottom = y;
}

/* ---- cells ---- */

/* 'w' written, 'a' accessed, 'n' somebody's and not accessed; 0: nothing. */
static char kind_of(const struct picture *p, size_t row, size_t column)
{
	size_t cell = row * p->c->columns + column;

	if (p->c->access[cell] == WM_CHART_WRITTEN)
		return 'w';
	if (p->c->access[cell] == WM_CHART_ACCESSED)
		return 'a';
	return p->b->cell[cell] == WM_BAND_NOBODY ? 0 : 'n';
}

/* All cells of one kind in a row: one path. */
static void put_cells(const struct picture *p, size_t row, char kind)
{
	size_t columns = p->c->columns, from;
	bool any = false;

	for (size_t k = 0; k < columns;) {
		for (; k < columns && kind_of(p, row, k) != kind; k++)
			;
		for (from = k; k < columns && kind_of(p, row, k) == kind; k++)
			;
		if (from == k)
			continue;
		if (!any)
			fprintf(p->out,
				"<path class=\"%c\" stroke-width=\"%g\" d=\"",
				kind, p->height[row]);
		any = true;
		fprintf(p->out, "M%.1f %.1fH%.1f", x_of(p, from),
			p->y[row] + p->height[row] / 2, x_of(p, k));
	}
	if (any)
		fputs("\"/>\n", p->out);
}

static void put_row(const struct picture *p, size_t row)
{
	static const char kinds[] = "naw";
	const struct wm_chart_row *r = &p->c->row[row];
	uint64_t page = p->a->ranks[p->a->chosen].page_totals.page_bytes;
	struct wm_buf b;

	for (const char *k = kinds; *k; k++)
		put_cells(p, row, *k);
	if (r->folded && p->height[row] >= LINE)
		fprintf(p->out,
			"<text class=\"f\" x=\"%d\" y=\"%.1f\">%s never "
			"accessed</text>\n",
			LEFT + MAP / 2, p->y[row] + LINE - 3,
			wm_bytes(&b, r->pages * page));
}

/* ---- structures ---- */

static bool has(const struct picture *p, unsigned band, size_t row,
		size_t column)
{
	return row < p->c->rows && column < p->c->columns &&
	       p->b->cell[row * p->c->columns + column] == band + 1;
}

/* Edges above row @row, or below the one before it, left to right. */
static void put_edges(const struct picture *p, unsigned band, size_t row)
{
	size_t columns = p->c->columns, from;

	for (size_t k = 0; k < columns;) {
		bool below = has(p, band, row, k);
		bool above = row && has(p, band, row - 1, k);

		from = k++;
		if (below == above)
			continue;
		while (k < columns && has(p, band, row, k) == below &&
		       (row && has(p, band, row - 1, k)) == above)
			k++;
		fprintf(p->out, "M%.1f %.1fH%.1f", x_of(p, from),
			below ? p->y[row] : p->y[row - 1] + p->height[row - 1],
			x_of(p, k));
	}
}

/* Edges left of column @column, from top to bottom. */
static void put_sides(const struct picture *p, unsigned band, size_t column)
{
	size_t rows = p->c->rows, from;

	for (size_t i = 0; i < rows;) {
		bool right = has(p, band, i, column);
		bool left = column && has(p, band, i, column - 1);

		from = i++;
		if (right == left)
			continue;
		while (i < rows && has(p, band, i, column) == right &&
		       (column && has(p, band, i, column - 1)) == left)
			i++;
		fprintf(p->out, "M%.1f %.1fV%.1f", x_of(p, column), p->y[from],
			p->y[i - 1] + p->height[i - 1]);
	}
}

static void put_name(const struct picture *p, const struct wm_page_site *s)
{
	const char *base = s->file;
	char buf[4 * LABEL + 1];

	for (const char *c = s->file; c && *c; c++)
		if (*c == '/')
			base = c + 1;
	wm_svg_text(p->out, wm_cut(s->name, LABEL, buf));
	if (!base || !s->line)
		return;
	fputs("  ", p->out);
	wm_svg_text(p->out, wm_cut(base, LABEL, buf));
	fprintf(p->out, ":%" PRIu32, s->line);
}

static void put_outline(const struct picture *p, unsigned band)
{
	const struct wm_page_site *s = p->b->site[band];
	struct wm_buf b;
	size_t i;

	fputs("<path class=\"o\" d=\"", p->out);
	for (i = 0; i <= p->c->rows; i++)
		put_edges(p, band, i);
	for (i = 0; i <= p->c->columns; i++)
		put_sides(p, band, i);
	fputs("\"><title>", p->out);
	put_name(p, s);
	fprintf(p->out, "  %s %s</title></path>\n", s->kind,
		wm_bytes(&b, s->bytes));
}

struct label {
	unsigned band;
	double x, y; /* what it is about */
	double at; /* where it stands */
};

/* The longest stretch of rows that a structure has in its last column. */
static void find_label(const struct picture *p, struct label *l)
{
	size_t column = p->c->columns, from, most = 0;

	while (column && !most) {
		column--;
		for (size_t i = 0; i < p->c->rows; i++) {
			for (from = i; has(p, l->band, i, column); i++)
				;
			if (i - from <= most)
				continue;
			most = i - from;
			l->x = x_of(p, column + 1);
			l->y = (p->y[from] + p->y[i - 1] + p->height[i - 1]) /
			       2;
		}
	}
}

static int by_place(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->y, y->y), WM_ORDER(x->band, y->band));
}

/* Names beside the bands, one below the other where they would meet. */
static void put_labels(const struct picture *p)
{
	struct label label[WM_BANDS];
	unsigned n = p->b->count, i;
	double last = TOP - LINE / 2;

	for (i = 0; i < n; i++) {
		label[i] = (struct label){ .band = i };
		find_label(p, &label[i]);
	}
	/* cppcheck-suppress uninitvar ; the first n are set */
	qsort(label, n, sizeof(*label), by_place);
	for (i = 0; i < n; i++) {
		last = label[i].y < last + LINE ? last + LINE : label[i].y;
		label[i].at = last;
	}
	for (i = 0; i < n; i++) {
		fprintf(p->out,
			"<path class=\"l\" d=\"M%.1f %.1fH%dL%d %.1f\"/>"
			"<text x=\"%d\" y=\"%.1f\">",
			label[i].x, label[i].y, LEFT + MAP + 4, LEFT + MAP + 14,
			label[i].at, LEFT + MAP + 17, label[i].at + 4);
		put_name(p, p->b->site[label[i].band]);
		fputs("</text>\n", p->out);
	}
}

/* ---- around it ---- */

static void put_addresses(const struct picture *p)
{
	uint64_t page = p->a->ranks[p->a->chosen].page_totals.page_bytes;
	double last = 0;

	for (size_t i = 0; i < p->c->rows; i++) {
		double y = p->y[i] + (p->height[i] < 10 ? 5 : 10);

		if ((i && !is_jump(p->c, i)) || y < last + LINE)
			continue;
		last = y;
		fprintf(p->out,
			"<text class=\"r\" x=\"%d\" y=\"%.1f\">0x%" PRIx64
			"</text>\n",
			LEFT - 6, y, p->c->row[i].first * page);
	}
}

/* When the epochs of a column were over, at some of its right edges. */
static void put_times(const struct picture *p)
{
	const struct wm_page_chart *c = p->c;
	size_t every = (c->columns + 7) / 8;
	struct wm_buf b;

	for (size_t k = every; k <= c->columns; k += every) {
		uint64_t e = k * c->each < c->epochs ? k * c->each : c->epochs;
		double s = (double)p->a->pages.epoch[e - 1].end_ns * 1e-9;

		fprintf(p->out,
			"<path class=\"x\" d=\"M%.1f %.1fv5\"/>"
			"<text class=\"m\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
			x_of(p, k), p->bottom, x_of(p, k), p->bottom + 20,
			wm_seconds(&b, s));
	}
	fprintf(p->out, "<path class=\"x\" d=\"M%d %dV%.1fH%d\"/>\n", LEFT, TOP,
		p->bottom, LEFT + MAP);
}

static void put_legend(const struct picture *p)
{
	static const char *const what[] = { "allocated, not accessed",
					    "accessed", "written" };
	static const char kinds[] = "naw";

	for (size_t i = 0; kinds[i]; i++)
		fprintf(p->out,
			"<path class=\"%c\" stroke-width=\"12\" d=\"M%zu %.1f"
			"h12\"/><text x=\"%zu\" y=\"%.1f\">%s</text>\n",
			kinds[i], LEFT + 180 * i, p->bottom + 44,
			LEFT + 180 * i + 18, p->bottom + 48, what[i]);
}

static void put_title(const struct picture *p)
{
	const struct wm_page_totals *t = &p->a->ranks[p->a->chosen].page_totals;
	uint64_t most = 0;
	struct wm_buf b;

	for (size_t i = 0; i < p->c->rows; i++)
		if (!p->c->row[i].folded && p->c->row[i].pages > most)
			most = p->c->row[i].pages;
	fprintf(p->out, "<text x=\"%d\" y=\"24\" class=\"t\">", LEFT);
	wm_svg_text(p->out, p->a->name);
	fputs("  run ", p->out);
	wm_svg_text(p->out, p->a->id);
	fprintf(p->out,
		"</text>\n<text x=\"%d\" y=\"44\">pages of rank %" PRIu64
		" over time; a row: up to %s, a column: %" PRIu64 " epoch%s",
		LEFT, p->a->ranks[p->a->chosen].rank,
		wm_bytes(&b, most * t->page_bytes), p->c->each,
		p->c->each == 1 ? "" : "s");
	if (t->written_alone)
		fputs(t->written_alone == t->epochs ?
			      "; what is read is not known" :
			      "; what is read is known in some epochs alone",
		      p->out);
	fputs(p->a->partial ? " (incomplete)</text>\n" : "</text>\n", p->out);
}

static void put_picture(const struct picture *p)
{
	double bottom = p->bottom + BOTTOM;
	double labels = TOP + LINE * (double)p->b->count + BOTTOM;
	size_t i;

	if (bottom < labels)
		bottom = labels;
	fprintf(p->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
		"<!-- " WM_OUTPUT_MARK " -->\n"
		"<style>text{font:12px sans-serif;fill:#333}"
		".t{font-size:16px;font-weight:bold}.r{text-anchor:end}"
		".m,.f{text-anchor:middle}.x{stroke:#333;fill:none}"
		".n{stroke:#e6e6e6}.a{stroke:#56b4e9}.w{stroke:#b34700}"
		".n,.a,.w{fill:none;shape-rendering:crispEdges}"
		".o{stroke:#222;stroke-width:.5;fill:none}"
		".l{stroke:#777;stroke-width:.6;fill:none}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		WIDTH, bottom, WIDTH, bottom);
	put_title(p);
	for (i = 0; i < p->c->rows; i++)
		put_row(p, i);
	for (i = 0; i < p->b->count; i++)
		put_outline(p, (unsigned)i);
	put_labels(p);
	put_addresses(p);
	put_times(p);
	put_legend(p);
	fputs("</svg>\n", p->out);
}

/* On the page of all reports there may be nothing to draw. */
static enum wm_status put_nothing(const struct wm_opts *o, FILE *out)
{
	if (o->svg)
		fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" "
		      "width=\"600\" height=\"60\">\n"
		      "<!-- " WM_OUTPUT_MARK " -->\n"
		      "<text x=\"20\" y=\"36\">Nobody watched pages: "
		      "WM_PAGES=auto does.</text>\n</svg>\n",
		      out);
	return WM_OK;
}

enum wm_status wm_pages_svg(const struct wm_analysis *a,
			    const struct wm_opts *o, FILE *out,
			    struct wm_err *err)
{
	struct picture p = { .out = out, .a = a, .c = &a->pages.chart };
	struct wm_page_bands b;
	struct wm_page_sites l;
	enum wm_status s;

	if (a->chosen == WM_ALL_RANKS || !p.c->rows || !p.c->columns ||
	    a->pages.epochs < p.c->epochs)
		return put_nothing(o, out);
	s = wm_page_sites_make(&l, a, err);
	if (s)
		return s;
	s = wm_page_bands_make(&b, a, &l, err);
	p.b = &b;
	p.y = malloc(p.c->rows * sizeof(*p.y));
	p.height = malloc(p.c->rows * sizeof(*p.height));
	if (!s && p.y && p.height) {
		place_rows(&p);
		put_picture(&p);
	} else if (!s) {
		s = wm_no_memory(err, NULL);
	}
	free(p.y);
	free(p.height);
	wm_page_bands_release(&b);
	wm_page_sites_release(&l);
	return s;
}
