/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of --imbalance: ranks from top to bottom, time from left to
 * right.  Colours show live bytes.  Plain SVG 1.1. */
#include "analyze/answers/reports.h"

#include <inttypes.h>
#include <stdbool.h>

#include "analyze/lib/base/units.h"
#include "analyze/lib/base/whole.h"
#include "analyze/answers/ranks/imbalance.h"
#include "analyze/render/svg.h"

#define MAX_ROWS 256
#define MIN_HEIGHT 120 /* of the map */
#define COLOURS 32
/* How much of a cell the next one, drawn later, covers: edges of cells lie
 * between pixels, so white would shine through. */
#define OVERLAP 0.6

struct picture {
	struct wm_svg svg; /* in seconds */
	const struct wm_imbalance *m;
	const struct wm_analysis *a;
	size_t each; /* ranks in a row */
	size_t rows;
	double height; /* of a row */
};

static double x_of(const struct picture *p, size_t bin)
{
	return p->svg.left + (double)bin / (double)p->m->map.bins *
				     (p->svg.right - p->svg.left);
}

static double y_of(const struct picture *p, double row)
{
	return p->svg.top + row * p->height;
}

/* Returns the most bytes in a row's ranks, or WM_NO_CELL if none ran. */
static uint64_t cell_bytes(const struct picture *p, size_t row, size_t bin)
{
	const struct wm_heatmap *h = &p->m->map;
	size_t end = (row + 1) * p->each;

	return wm_heatmap_most(h, row * p->each, end < h->rows ? end : h->rows,
			       bin);
}

/* Returns a colour from 1 on by the share of the maximum; 0: no rank ran. */
static unsigned int colour_of(const struct picture *p, uint64_t bytes)
{
	double share;

	if (bytes == WM_NO_CELL)
		return 0;
	share = p->m->map.high ? (double)bytes / (double)p->m->map.high : 0;
	return 1 + (unsigned int)(share * (COLOURS - 1) + 0.5);
}

/* From pale yellow over orange to dark red, so that colours also get darker. */
#define CLASS "rect{shape-rendering:crispEdges}"
static const char *colours(char text[sizeof(CLASS) + COLOURS * 24])
{
	static const double stop[][3] = {
		{ 255, 251, 213 }, { 254, 204, 92 }, { 240, 88, 40 },
		{ 165, 15, 38 },   { 62, 4, 30 },
	};
	char *end = stpcpy(text, CLASS);
	unsigned int i, k, c[3];

	for (i = 1; i <= COLOURS; i++) {
		double at = (double)(i - 1) / (COLOURS - 1) * 4;
		unsigned int s = at < 4 ? (unsigned int)at : 3;

		for (k = 0; k < 3; k++)
			c[k] = (unsigned int)(stop[s][k] +
					      (stop[s + 1][k] - stop[s][k]) *
						      (at - s) +
					      0.5);
		end += sprintf(end, ".c%u{fill:#%02x%02x%02x}", i, c[0], c[1],
			       c[2]);
	}
	return text;
}

static void put_cells(const struct picture *p, size_t row, size_t from,
		      size_t to, unsigned int colour, bool more)
{
	double down = row + 1 < p->rows ? OVERLAP : 0;

	fprintf(p->svg.out,
		"<rect class=\"c%u\" x=\"%.2f\" y=\"%.2f\" "
		"width=\"%.2f\" height=\"%.2f\"/>\n",
		colour, x_of(p, from), y_of(p, (double)row),
		x_of(p, to) - x_of(p, from) + (more ? OVERLAP : 0),
		p->height + down);
}

/* Draws a row; neighbours with the same colour are one rectangle. */
static void put_row(const struct picture *p, size_t row)
{
	size_t bins = p->m->map.bins, from = 0, i;
	unsigned int last = 0, c;

	for (i = 0; i <= bins; i++) {
		c = i < bins ? colour_of(p, cell_bytes(p, row, i)) : 0;
		if (c == last)
			continue;
		if (last)
			put_cells(p, row, from, i, last, c != 0);
		last = c;
		from = i;
	}
}

static void put_ranks(const struct picture *p)
{
	double every = wm_svg_step((double)p->rows, 10, 1), left = p->svg.left;

	for (size_t row = 0; row<p->rows; row += every> 1 ? (size_t)every : 1)
		wm_svg_label(&p->svg, "r", left - 8,
			     y_of(p, (double)row + 0.5) + 4, "%" PRIu64,
			     p->a->ranks[row * p->each].rank);
	wm_svg_label(&p->svg, "r", left - 8, p->svg.top - 8, "rank");
}

static void put_legend(const struct picture *p)
{
	double whole = p->svg.bottom - p->svg.top, step = whole / COLOURS;
	double x = p->svg.right + 30;
	struct wm_figure b;
	unsigned int i;

	for (i = 1; i <= COLOURS; i++)
		fprintf(p->svg.out,
			"<rect class=\"c%u\" x=\"%.1f\" y=\"%.2f\" "
			"width=\"16\" height=\"%.2f\"/>\n",
			i, x, p->svg.bottom - i * step, step);
	for (i = 0; i <= 4; i++)
		wm_svg_label(&p->svg, "", x + 22,
			     p->svg.bottom - i * whole / 4 + 4, "%s",
			     wm_bytes(&b, wm_whole((double)p->m->map.high * i /
						   4)));
}

static void put_title(const struct picture *p)
{
	const struct wm_analysis *a = p->a;
	char each[64] = "";

	if (p->each > 1)
		snprintf(each, sizeof(each),
			 "; a row: the highest of %zu ranks", p->each);
	wm_svg_label(&p->svg, "t", p->svg.left, 24, "%s  run %s", a->name,
		     a->id);
	wm_svg_label(&p->svg, "", p->svg.left, 44,
		     "live bytes of %zu ranks over time%s%s%s", a->rank_count,
		     each,
		     a->run.clock == WM_JOB_CLOCK_NODES ?
			     "; each node from its own start" :
			     "",
		     a->partial ? " (incomplete)" : "");
}

void wm_heatmap_svg(const struct wm_imbalance *m, const struct wm_analysis *a,
		    FILE *out)
{
	size_t n = m->map.rows, row;
	struct picture p = {
		{ out, 90, WM_SVG_WIDTH - 150, 60, .to = a->seconds },
		.m = m,
		.a = a,
		.each = (n + MAX_ROWS - 1) / MAX_ROWS,
	};
	char classes[sizeof(CLASS) + COLOURS * 24];

	p.rows = (n + p.each - 1) / p.each;
	p.height = p.rows < 20 ? 18 : p.rows < 64 ? 8 : 3;
	if (p.height * (double)p.rows < MIN_HEIGHT)
		p.height = (double)MIN_HEIGHT / (double)p.rows;
	p.svg.bottom = y_of(&p, (double)p.rows);
	wm_svg_begin(&p.svg, p.svg.bottom + 50, colours(classes));
	put_title(&p);
	for (row = 0; row < p.rows; row++)
		put_row(&p, row);
	wm_svg_seconds(&p.svg);
	put_ranks(&p);
	wm_svg_axes(&p.svg);
	put_legend(&p);
	wm_svg_end(&p.svg);
}
