/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of --imbalance: ranks from top to bottom, time from left to
 * right, colour says how many bytes are live.  Plain SVG 1.1.
 */
#include "analyze/report/reports.h"

#include <inttypes.h>
#include <stdbool.h>

#include "analyze/base/units.h"
#include "analyze/base/whole.h"
#include "analyze/queries/imbalance.h"
#include "analyze/render/output.h"
#include "analyze/render/svg.h"

#define WIDTH 960
#define LEFT 90
#define RIGHT 150
#define TOP 60
#define BOTTOM 50
#define MAX_ROWS 256
#define MIN_HEIGHT 120 /* of the map */
#define COLOURS 32
/* How far a cell reaches below the next one, which is drawn later: pixels do
 * not end where cells do, and white would shine through. */
#define OVERLAP 0.6

struct picture {
	FILE *out;
	const struct wm_imbalance *m;
	const struct wm_analysis *a;
	size_t each; /* ranks in a row */
	size_t rows;
	double height; /* of a row */
	double bottom;
};

static double x_of(const struct picture *p, size_t bin)
{
	return LEFT +
	       (double)bin / (double)p->m->map.bins * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct picture *p, double row)
{
	return TOP + row * p->height;
}

/* Highest of the ranks in a row; WM_NO_CELL: none is there. */
static uint64_t cell_bytes(const struct picture *p, size_t row, size_t bin)
{
	const struct wm_heatmap *h = &p->m->map;
	size_t i, end = (row + 1) * p->each;
	uint64_t high = WM_NO_CELL;

	for (i = row * p->each; i < end && i < h->rows; i++) {
		uint64_t v = h->cell[i * h->bins + bin];

		if (v != WM_NO_CELL && (high == WM_NO_CELL || v > high))
			high = v;
	}
	return high;
}

/* 0: not there; from 1 on, so many shares of the highest. */
static unsigned int colour_of(const struct picture *p, uint64_t bytes)
{
	double share;

	if (bytes == WM_NO_CELL)
		return 0;
	share = p->m->map.high ? (double)bytes / (double)p->m->map.high : 0;
	return 1 + (unsigned int)(share * (COLOURS - 1) + 0.5);
}

/* From pale yellow over orange to dark red: also darker and darker. */
static void put_colours(FILE *out)
{
	static const double stop[][3] = {
		{ 255, 251, 213 }, { 254, 204, 92 }, { 240, 88, 40 },
		{ 165, 15, 38 },   { 62, 4, 30 },
	};
	unsigned int i, k, c[3];

	for (i = 1; i <= COLOURS; i++) {
		double at = (double)(i - 1) / (COLOURS - 1) * 4;
		unsigned int s = at < 4 ? (unsigned int)at : 3;

		for (k = 0; k < 3; k++)
			c[k] = (unsigned int)(stop[s][k] +
					      (stop[s + 1][k] - stop[s][k]) *
						      (at - s) +
					      0.5);
		fprintf(out, ".c%u{fill:#%02x%02x%02x}", i, c[0], c[1], c[2]);
	}
}

static void put_cells(const struct picture *p, size_t row, size_t from,
		      size_t to, unsigned int colour, bool more)
{
	double down = row + 1 < p->rows ? OVERLAP : 0;

	fprintf(p->out,
		"<rect class=\"c%u\" x=\"%.2f\" y=\"%.2f\" "
		"width=\"%.2f\" height=\"%.2f\"/>\n",
		colour, x_of(p, from), y_of(p, (double)row),
		x_of(p, to) - x_of(p, from) + (more ? OVERLAP : 0),
		p->height + down);
}

/* Neighbours of the same colour are one. */
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

static void put_axes(const struct picture *p)
{
	double step = wm_svg_step(p->a->seconds, 8, false), v;
	double every = wm_svg_step((double)p->rows, 10, false);
	size_t row;

	for (v = 0; step > 0 && v <= p->a->seconds * 1.0001; v += step) {
		double x = LEFT + v / p->a->seconds * (WIDTH - LEFT - RIGHT);

		fprintf(p->out,
			"<path class=\"axis\" d=\"M%.1f %.1fv5\"/>"
			"<text x=\"%.1f\" y=\"%.1f\" class=\"m\">%g s"
			"</text>\n",
			x, p->bottom, x, p->bottom + 20, v);
	}
	if (every < 1)
		every = 1;
	for (row = 0; row < p->rows; row += (size_t)every)
		fprintf(p->out,
			"<text x=\"%d\" y=\"%.1f\" class=\"r\">"
			"%" PRIu64 "</text>\n",
			LEFT - 8, y_of(p, (double)row + 0.5) + 4,
			p->a->ranks[row * p->each].rank);
	fprintf(p->out,
		"<text x=\"%d\" y=\"%d\" class=\"r\">rank</text>\n"
		"<path class=\"axis\" d=\"M%d %dV%.1fH%d\"/>\n",
		LEFT - 8, TOP - 8, LEFT, TOP, p->bottom, WIDTH - RIGHT);
}

static void put_legend(const struct picture *p)
{
	double x = WIDTH - RIGHT + 30, step = (p->bottom - TOP) / COLOURS;
	struct wm_buf b;
	unsigned int i;

	for (i = 1; i <= COLOURS; i++)
		fprintf(p->out,
			"<rect class=\"c%u\" x=\"%.1f\" y=\"%.2f\" "
			"width=\"16\" height=\"%.2f\"/>\n",
			i, x, p->bottom - i * step, step);
	for (i = 0; i <= 4; i++)
		fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
			x + 22, p->bottom - i * (p->bottom - TOP) / 4 + 4,
			wm_bytes(&b, wm_whole((double)p->m->map.high * i / 4)));
}

static void put_title(const struct picture *p)
{
	FILE *out = p->out;

	fputs("<text x=\"90\" y=\"24\" class=\"t\">", out);
	wm_svg_text(out, p->a->name);
	fputs("  run ", out);
	wm_svg_text(out, p->a->id);
	fprintf(out,
		"</text>\n<text x=\"90\" y=\"44\">live bytes of %zu "
		"ranks over time",
		p->a->rank_count);
	if (p->each > 1)
		fprintf(out, "; a row: the highest of %zu ranks", p->each);
	if (p->a->run.clock == WM_JOB_CLOCK_NODES)
		fputs("; each node from its own start", out);
	fputs(p->a->partial ? " (incomplete)</text>\n" : "</text>\n", out);
}

void wm_heatmap_svg(const struct wm_imbalance *m, const struct wm_analysis *a,
		    FILE *out)
{
	size_t n = m->map.rows, row;
	struct picture p = {
		.out = out,
		.m = m,
		.a = a,
		.each = (n + MAX_ROWS - 1) / MAX_ROWS,
	};

	p.rows = (n + p.each - 1) / p.each;
	p.height = p.rows < 20 ? 18 : p.rows < 64 ? 8 : 3;
	if (p.height * (double)p.rows < MIN_HEIGHT)
		p.height = (double)MIN_HEIGHT / (double)p.rows;
	p.bottom = y_of(&p, (double)p.rows);
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
		"<!-- " WM_OUTPUT_MARK " -->\n"
		"<style>text{font:12px sans-serif;fill:#333}"
		".t{font-size:16px;font-weight:bold}.r{text-anchor:end}"
		".m{text-anchor:middle}.axis{stroke:#333;fill:none}"
		"rect{shape-rendering:crispEdges}",
		WIDTH, p.bottom + BOTTOM, WIDTH, p.bottom + BOTTOM);
	put_colours(out);
	fputs("</style>\n<rect width=\"100%\" height=\"100%\" "
	      "fill=\"#fff\"/>\n",
	      out);
	put_title(&p);
	for (row = 0; row < p.rows; row++)
		put_row(&p, row);
	put_axes(&p);
	put_legend(&p);
	fputs("</svg>\n", out);
}
