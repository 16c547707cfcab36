/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of the timeline: for one rank an area for each of the largest
 * layers and one for the others; for all ranks the band from the lowest to the
 * highest and the mean.  Plain SVG 1.1 without scripts or fonts of its own.
 */
#include "analyze/report/reports.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "analyze/queries/layers.h"
#include "analyze/queries/timeline.h"
#include "analyze/render/output.h"
#include "analyze/render/svg.h"
#include "analyze/report/text.h"

#define WIDTH 960
#define HEIGHT 420
#define LEFT 90
#define RIGHT 20
#define TOP 60
#define BOTTOM 50
#define PHASE 24 /* columns of a name */
#define LAYERS 9 /* with a colour of their own */
#define LEGEND 18 /* height of a line */

struct canvas {
	FILE *out;
	double seconds, bytes; /* at the right and upper edge */
};

static double x_of(const struct canvas *c, double s)
{
	return LEFT + s / c->seconds * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct canvas *c, double bytes)
{
	return HEIGHT - BOTTOM - bytes / c->bytes * (HEIGHT - TOP - BOTTOM);
}

static void put_axes(const struct canvas *c)
{
	static const struct wm_svg_plot plot = { LEFT, WIDTH - RIGHT, TOP,
						 HEIGHT - BOTTOM };
	double step = wm_svg_step(c->seconds, 8, false), v;

	wm_svg_bytes(&plot, c->bytes, 5, c->out);
	for (v = 0; v <= c->seconds * 1.0001; v += step)
		fprintf(c->out,
			"<path class=\"axis\" d=\"M%.1f %dv5\"/>"
			"<text x=\"%.1f\" y=\"%d\" class=\"m\">%g s</text>\n",
			x_of(c, v), HEIGHT - BOTTOM, x_of(c, v),
			HEIGHT - BOTTOM + 20, v);
}

static double value_of(const struct wm_timeline_point *p, int which)
{
	return (double)(which == 0 ? p->max : which == 1 ? p->low : p->mean);
}

static const char *const colour[LAYERS + 1] = {
	"#4878a8", "#e49444", "#6a9f58", "#d1615d", "#85b6b2",
	"#e7ca60", "#a87c9f", "#967662", "#f1a2a9", "#b8b0ac",
};

/* So many areas: the last one may be of all others. */
static size_t area_count(const struct wm_layers *l)
{
	return l->count > LAYERS ? LAYERS + 1 : l->count;
}

/* The sum of the layers below area @k; of all with @k = area_count(). */
static double bytes_below(const struct wm_layers *l, const struct wm_points *p,
			  size_t k, size_t bin)
{
	uint64_t sum = 0;
	size_t i;

	if (k > LAYERS)
		return (double)p->point[bin].max;
	for (i = 0; i < k; i++)
		sum += l->layer[i].bytes[bin];
	return (double)sum;
}

static void layer_areas(const struct canvas *c, const struct wm_points *p,
			const struct wm_layers *l)
{
	size_t i, k, n = area_count(l);
	char name[WM_LAYER_TEXT];

	for (k = 0; k < n; k++) {
		fprintf(c->out, "<path fill=\"%s\" d=\"", colour[k]);
		for (i = 0; i < 2 * p->count; i++) {
			size_t bin = i < p->count ? i : 2 * p->count - 1 - i;
			double from = p->point[bin].from, to = from + p->step;
			bool back = i >= p->count;
			double y = y_of(c, bytes_below(l, p, back ? k : k + 1,
						       bin));

			fprintf(c->out, "%c%.1f %.1fL%.1f %.1f", i ? 'L' : 'M',
				x_of(c, back ? to : from), y,
				x_of(c, back ? from : to), y);
		}
		fputs("Z\"><title>", c->out);
		wm_svg_text(c->out, k < LAYERS ?
					    wm_layer_name(&l->layer[k], name) :
					    "others");
		fputs("</title></path>\n", c->out);
	}
}

static void put_legend(const struct canvas *c, const struct wm_layers *l)
{
	char name[WM_LAYER_TEXT];
	struct wm_buf b;
	size_t k;

	for (k = 0; k < area_count(l); k++) {
		int y = HEIGHT + LEGEND * (int)k;

		fprintf(c->out,
			"<rect x=\"%d\" y=\"%d\" width=\"12\" "
			"height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">",
			LEFT, y - 10, colour[k], LEFT + 20, y);
		if (k == LAYERS) {
			fprintf(c->out, "%zu others</text>\n",
				l->count - LAYERS);
			continue;
		}
		wm_svg_text(c->out, wm_layer_name(&l->layer[k], name));
		fprintf(c->out, "  (at most %s)</text>\n",
			wm_bytes(&b, l->layer[k].most));
	}
}

/* Steps along one of the values, forth or back. */
static void put_steps(const struct canvas *c, const struct wm_points *p,
		      int which, bool back)
{
	size_t i, n = p->count;

	for (i = 0; i < n; i++) {
		size_t k = back ? n - 1 - i : i;
		double from = p->point[k].from, to = from + p->step;
		double y = y_of(c, value_of(&p->point[k], which));

		fprintf(c->out, "L%.1f %.1fL%.1f %.1f",
			x_of(c, back ? to : from), y, x_of(c, back ? from : to),
			y);
	}
}

static void put_curves(const struct canvas *c, const struct wm_points *p)
{
	double base = y_of(c, 0);

	if (!p->count)
		return;
	if (!p->all) {
		fprintf(c->out, "<path class=\"area\" d=\"M%.1f %.1f",
			x_of(c, p->point[0].from), base);
		put_steps(c, p, 0, false);
		fprintf(c->out, "L%.1f %.1fZ\"/>\n", x_of(c, c->seconds), base);
		return;
	}
	fprintf(c->out, "<path class=\"area\" d=\"M%d %.1f", LEFT,
		y_of(c, value_of(&p->point[0], 0)));
	put_steps(c, p, 0, false);
	put_steps(c, p, 1, true);
	fprintf(c->out, "Z\"/>\n<path class=\"mean\" d=\"M%d %.1f", LEFT,
		y_of(c, value_of(&p->point[0], 2)));
	put_steps(c, p, 2, false);
	fputs("\"/>\n", c->out);
}

/* Where each phase begins; names where there is place for them. */
static void put_phases(const struct canvas *c, const struct wm_analysis *a)
{
	const struct wm_annotations *n = &a->annotations;
	double end = LEFT, last = -1;
	size_t i;

	for (i = 0; i < n->stretch_count; i++) {
		const struct wm_stretch *s = &n->stretch[i];
		const char *name = n->phase[s->phase].name;
		double x = x_of(c, s->from), to = x_of(c, s->to);
		char buf[4 * PHASE + 1];

		if (x - last < 1)
			continue;
		last = x;
		if (i)
			fprintf(c->out,
				"<path class=\"phase\" d=\"M%.1f "
				"%dV%d\"/>\n",
				x, TOP - 4, HEIGHT - BOTTOM);
		if (!name || x < end || to - x < 6)
			continue;
		name = wm_cut(name, PHASE, buf);
		fprintf(c->out, "<text x=\"%.1f\" y=\"%d\" class=\"p\">", x + 3,
			TOP + 8);
		wm_svg_text(c->out, name);
		fputs("</text>\n", c->out);
		end = x + 7.0 * (double)strlen(name) + 6;
	}
}

/* A line for each mark of the program; its text is what a pointer shows. */
static void put_marks(const struct canvas *c, const struct wm_analysis *a)
{
	const struct wm_annotations *n = &a->annotations;
	double last = -1;
	size_t i;

	for (i = 0; i < n->text_count; i++) {
		const char *text = n->text[i].text;
		double x = x_of(c, n->text[i].seconds);
		char buf[4 * PHASE + 1];

		if (x - last < 1)
			continue;
		last = x;
		fprintf(c->out,
			"<path class=\"mark\" d=\"M%.1f %dV%d\"><title>", x,
			TOP, HEIGHT - BOTTOM);
		wm_svg_text(c->out, text ? wm_cut(text, PHASE, buf) : "mark");
		fputs("</title></path>\n", c->out);
	}
}

static void put_title(const struct wm_analysis *a, FILE *out)
{
	const struct wm_rank *r;
	struct wm_buf b, d;

	fputs("<text x=\"90\" y=\"24\" class=\"t\">", out);
	wm_svg_text(out, a->name);
	fputs("  run ", out);
	wm_svg_text(out, a->id);
	fputs("</text>\n<text x=\"90\" y=\"44\">", out);
	if (a->chosen == WM_ALL_RANKS) {
		fprintf(out,
			"live heap bytes of %zu ranks: lowest to "
			"highest, and mean",
			a->rank_count);
	} else {
		r = &a->ranks[a->chosen];
		fprintf(out,
			"live heap bytes of rank %" PRIu64 ": highest %s at %s",
			r->rank, wm_bytes(&b, r->peak_bytes),
			wm_seconds(&d, r->peak_seconds));
	}
	fputs(a->partial ? " (incomplete)</text>\n" : "</text>\n", out);
}

static void peak_mark(const struct canvas *c, const struct wm_analysis *a)
{
	const struct wm_rank *r;

	if (a->chosen == WM_ALL_RANKS)
		return;
	r = &a->ranks[a->chosen];
	if (r->peak_bytes)
		fprintf(c->out,
			"<circle class=\"peak\" cx=\"%.1f\" "
			"cy=\"%.1f\" r=\"4\"/>\n",
			x_of(c, r->peak_seconds),
			y_of(c, (double)r->peak_bytes));
}

enum wm_status wm_timeline_svg(const struct wm_analysis *a,
			       const struct wm_layers *l, FILE *out,
			       struct wm_err *err)
{
	int height = HEIGHT + (l ? LEGEND * (int)area_count(l) : 0);
	struct canvas c = { .out = out };
	struct wm_points p;
	enum wm_status s;

	s = wm_points_make(&p, a, 0, err);
	if (s)
		return s;
	c.seconds = p.count ? p.point[p.count - 1].from + p.step : 0;
	if (!(c.seconds > 0))
		c.seconds = 1;
	c.bytes = p.max ? (double)p.max * 1.05 : 1024;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
		"<!-- " WM_OUTPUT_MARK " -->\n"
		"<style>text{font:12px sans-serif;fill:#333}"
		".t{font-size:16px;font-weight:bold}.r{text-anchor:end}"
		".m{text-anchor:middle}.grid{stroke:#ddd;fill:none}"
		".axis{stroke:#333;fill:none}"
		".area{fill:#7aa6d6;stroke:#3b6ea5;fill-opacity:.7}"
		".mean{fill:none;stroke:#1d3f66;stroke-width:1.5}"
		".phase{stroke:#888;stroke-dasharray:4 3;fill:none}"
		".mark{stroke:#a40;stroke-dasharray:1 3;fill:none}"
		".p{font-size:11px;fill:#555}"
		".peak{fill:#c33}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		WIDTH, height, WIDTH, height);
	put_title(a, out);
	put_axes(&c);
	if (l)
		layer_areas(&c, &p, l);
	else
		put_curves(&c, &p);
	put_phases(&c, a);
	put_marks(&c, a);
	peak_mark(&c, a);
	if (l)
		put_legend(&c, l);
	fputs("</svg>\n", out);
	wm_points_release(&p);
	return WM_OK;
}
