/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of --pages: addresses from top to bottom, epochs from left to
 * right.  Colours show accessed and written pages.  The largest structures have
 * an outline, with their names beside it.  Plain SVG 1.1.
 *
 * The colours also differ in brightness, and colour-blind people can tell them
 * apart (Okabe and Ito).
 */
#include "analyze/answers/reports.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyze/lib/base/units.h"
#include "analyze/answers/pages/page_bands.h"
#include "analyze/answers/pages/page_sites.h"
#include "analyze/render/svg.h"
#include "analyze/answers/text.h"
#include "input/path.h"
#include "wm/search.h"

#define TOP 64
#define BOTTOM 66
#define LINE 14 /* of text */
#define LABEL 34 /* columns of a name */
#define NAME (8 * LABEL + 16)
#define GAPS 48 /* with more gaps than this, each is narrow */
#define NOT_ACCESSED "#e6e6e6"
#define ACCESSED "#56b4e9"
#define WRITTEN "#b34700"

struct picture {
	struct wm_svg svg; /* columns */
	const struct wm_analysis *a;
	const struct wm_page_chart *c;
	const struct wm_page_bands *b;
	double *y; /* by row: upper edge */
	double *height;
};

static double x_of(const struct picture *p, size_t column)
{
	return wm_svg_x(&p->svg, (double)column);
}

/* Returns whether the row does not begin at the end of the previous row. */
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
	p->svg.bottom = y;
}

/* Returns 'w': written, 'a': accessed, 'n': owned, or 0: nothing. */
static char kind_of(const struct picture *p, size_t row, size_t column)
{
	size_t cell = row * p->c->columns + column;

	if (p->c->access[cell] == WM_CHART_WRITTEN)
		return 'w';
	if (p->c->access[cell] == WM_CHART_ACCESSED)
		return 'a';
	return p->b->cell[cell] == WM_BAND_NOBODY ? 0 : 'n';
}

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
			fprintf(p->svg.out,
				"<path class=\"%c\" stroke-width=\"%g\" d=\"",
				kind, p->height[row]);
		any = true;
		fprintf(p->svg.out, "M%.1f %.1fH%.1f", x_of(p, from),
			p->y[row] + p->height[row] / 2, x_of(p, k));
	}
	if (any)
		fputs("\"/>\n", p->svg.out);
}

static void put_row(const struct picture *p, size_t row)
{
	static const char kinds[] = "naw";
	const struct wm_chart_row *r = &p->c->row[row];
	uint64_t page = p->a->ranks[p->a->chosen].page_totals.page_bytes;
	struct wm_figure b;

	for (const char *k = kinds; *k; k++)
		put_cells(p, row, *k);
	if (r->folded && p->height[row] >= LINE)
		wm_svg_label(&p->svg, "m", (p->svg.left + p->svg.right) / 2,
			     p->y[row] + LINE - 3, "%s never accessed",
			     wm_bytes(&b, r->pages * page));
}

static bool has(const struct picture *p, unsigned band, size_t row,
		size_t column)
{
	return row < p->c->rows && column < p->c->columns &&
	       p->b->cell[row * p->c->columns + column] == band + 1;
}

/* Returns 2 if @place of line @at lies within the band, plus 1 if @place of the
 * line before does.  Lines are rows, or, if @columns is set, columns. */
static int edge(const struct picture *p, unsigned band, bool columns, size_t at,
		size_t place)
{
	return columns ? 2 * has(p, band, place, at) +
				 (at && has(p, band, place, at - 1)) :
			 2 * has(p, band, at, place) +
				 (at && has(p, band, at - 1, place));
}

static void put_edges(const struct picture *p, unsigned band, bool columns,
		      size_t at)
{
	size_t places = columns ? p->c->rows : p->c->columns, from, k;

	for (k = 0; k < places;) {
		int is = edge(p, band, columns, at, k);

		from = k++;
		if (is == 0 || is == 3)
			continue;
		while (k < places && edge(p, band, columns, at, k) == is)
			k++;
		if (columns)
			fprintf(p->svg.out, "M%.1f %.1fV%.1f", x_of(p, at),
				p->y[from], p->y[k - 1] + p->height[k - 1]);
		else
			fprintf(p->svg.out, "M%.1f %.1fH%.1f", x_of(p, from),
				is == 2 ? p->y[at] :
					  p->y[at - 1] + p->height[at - 1],
				x_of(p, k));
	}
}

static const char *name_of(const struct wm_page_site *s, char text[NAME])
{
	char name[4 * LABEL + 1], file[4 * LABEL + 1];

	snprintf(text, NAME, "%s", wm_cut(s->name, LABEL, name));
	if (s->file && s->line)
		snprintf(text, NAME, "%s  %s:%" PRIu32, name,
			 wm_cut(wm_basename(s->file), LABEL, file), s->line);
	return text;
}

static void put_outline(const struct picture *p, unsigned band)
{
	const struct wm_page_site *s = p->b->site[band];
	char name[NAME];
	struct wm_figure b;

	fputs("<path class=\"o\" d=\"", p->svg.out);
	for (size_t i = 0; i <= p->c->rows; i++)
		put_edges(p, band, false, i);
	for (size_t i = 0; i <= p->c->columns; i++)
		put_edges(p, band, true, i);
	fputs("\">", p->svg.out);
	wm_svg_title(&p->svg, "%s  %s %s", name_of(s, name), s->kind,
		     wm_bytes(&b, s->bytes));
	fputs("</path>\n", p->svg.out);
}

struct label {
	unsigned band;
	double x, y; /* place of the structure */
	double at; /* place of its name */
};

/* Finds the longest stretch of rows of a structure in its last column. */
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

/* Names that would overlap are put one below another. */
static void put_labels(const struct picture *p)
{
	struct label label[WM_BANDS];
	unsigned n = p->b->count, i;
	double last = TOP - LINE / 2, right = p->svg.right;
	char name[NAME];

	for (i = 0; i < n; i++) {
		label[i] = (struct label){ .band = i };
		find_label(p, &label[i]);
	}
	/* cppcheck-suppress uninitvar ; the first n are set */
	WM_SORT(label, n, by_place);
	for (i = 0; i < n; i++) {
		last = label[i].y < last + LINE ? last + LINE : label[i].y;
		label[i].at = last;
	}
	for (i = 0; i < n; i++) {
		fprintf(p->svg.out,
			"<path class=\"l\" d=\"M%.1f %.1fH%.0fL%.0f %.1f\"/>",
			label[i].x, label[i].y, right + 4, right + 14,
			label[i].at);
		wm_svg_label(&p->svg, "", right + 17, label[i].at + 4, "%s",
			     name_of(p->b->site[label[i].band], name));
	}
}

static void put_addresses(const struct picture *p)
{
	uint64_t page = p->a->ranks[p->a->chosen].page_totals.page_bytes;
	double last = 0;

	for (size_t i = 0; i < p->c->rows; i++) {
		double y = p->y[i] + (p->height[i] < 10 ? 5 : 10);

		if ((i && !is_jump(p->c, i)) || y < last + LINE)
			continue;
		last = y;
		wm_svg_label(&p->svg, "r", p->svg.left - 6, y, "0x%" PRIx64,
			     p->c->row[i].first * page);
	}
}

/* Writes at some right edges when the epochs of the column were over. */
static void put_times(const struct picture *p)
{
	const struct wm_page_chart *c = p->c;
	size_t every = (c->columns + 7) / 8;
	struct wm_figure b;

	for (size_t k = every; k <= c->columns; k += every) {
		uint64_t e = k * c->each < c->epochs ? k * c->each : c->epochs;
		double s = (double)p->a->pages.epoch[e - 1].end_ns * 1e-9;

		wm_svg_tick(&p->svg, (double)k, "%s", wm_seconds(&b, s));
	}
}

static void put_legend(const struct picture *p)
{
	double x = p->svg.left, y = p->svg.bottom + 48;

	wm_svg_legend(&p->svg, NOT_ACCESSED, x, y, "allocated, not accessed");
	wm_svg_legend(&p->svg, ACCESSED, x + 180, y, "accessed");
	wm_svg_legend(&p->svg, WRITTEN, x + 360, y, "written");
}

static void put_title(const struct picture *p)
{
	const struct wm_rank *r = &p->a->ranks[p->a->chosen];
	const struct wm_page_totals *t = &r->page_totals;
	uint64_t most = 0;
	struct wm_figure b;

	for (size_t i = 0; i < p->c->rows; i++)
		if (!p->c->row[i].folded && p->c->row[i].pages > most)
			most = p->c->row[i].pages;
	wm_svg_label(&p->svg, "t", p->svg.left, 24, "%s  run %s", p->a->name,
		     p->a->id);
	wm_svg_label(&p->svg, "", p->svg.left, 44,
		     "pages of rank %" PRIu64
		     " over time; a row: up to %s, a column: %" PRIu64
		     " epoch%s%s%s",
		     r->rank, wm_bytes(&b, most * t->page_bytes), p->c->each,
		     p->c->each == 1 ? "" : "s",
		     !t->written_alone ?
			     "" :
		     t->written_alone == t->epochs ?
			     "; reads are not known" :
			     "; reads are known only in some epochs",
		     p->a->partial ? " (incomplete)" : "");
}

static void put_picture(const struct picture *p)
{
	double bottom = p->svg.bottom + BOTTOM;
	double labels = TOP + LINE * (double)p->b->count + BOTTOM;

	wm_svg_begin(&p->svg, bottom < labels ? labels : bottom,
		     ".n{stroke:" NOT_ACCESSED "}.a{stroke:" ACCESSED "}"
		     ".w{stroke:" WRITTEN "}"
		     ".n,.a,.w{fill:none;shape-rendering:crispEdges}"
		     ".o{stroke:#222;stroke-width:.5;fill:none}"
		     ".l{stroke:#777;stroke-width:.6;fill:none}");
	put_title(p);
	for (size_t i = 0; i < p->c->rows; i++)
		put_row(p, i);
	for (size_t i = 0; i < p->b->count; i++)
		put_outline(p, (unsigned)i);
	put_labels(p);
	put_addresses(p);
	put_times(p);
	wm_svg_axes(&p->svg);
	put_legend(p);
	wm_svg_end(&p->svg);
}

static enum wm_status put_nothing(const struct wm_opts *o,
				  const struct wm_svg *p)
{
	if (o->svg) {
		wm_svg_begin(p, 60, "");
		wm_svg_label(
			p, "", 20, 36,
			"No pages were watched: WM_PAGES=auto watches them.");
		wm_svg_end(p);
	}
	return WM_OK;
}

enum wm_status wm_pages_svg(const struct wm_analysis *a,
			    const struct wm_opts *o, FILE *out,
			    struct wm_err *err)
{
	struct picture p = {
		.svg = { .out = out,
			 .left = 120,
			 .right = WM_SVG_WIDTH - 260,
			 .top = TOP },
		.a = a,
		.c = &a->pages.chart,
	};
	struct wm_page_bands b;
	struct wm_page_sites l;
	enum wm_status s;

	if (a->chosen == WM_ALL_RANKS || !p.c->rows || !p.c->columns ||
	    a->pages.epochs < p.c->epochs)
		return put_nothing(o, &p.svg);
	p.svg.to = (double)p.c->columns;
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
