/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of the timeline.  One rank has an area for each of the largest
 * layers and one area for all other layers.  All ranks together have a band
 * from the lowest to the highest bytes, and the mean.  Plain SVG 1.1 without
 * scripts or fonts of its own.
 */
#include "analyze/answers/reports.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "analyze/answers/heap/layers.h"
#include "analyze/answers/time/timeline.h"
#include "analyze/render/svg.h"
#include "analyze/answers/text.h"

#define HEIGHT 420 /* without the legend */
#define PHASE 24 /* columns of a name */
#define LAYERS (WM_SVG_COLOURS - 1) /* with a colour of their own */
#define LEGEND 18 /* height of a line */

/* Edges of areas: the curves of ranks; from 0 on, the sum of so many layers. */
enum { EDGE_LOW = -3, EDGE_MEAN, EDGE_MAX };

struct picture {
	struct wm_svg svg;
	const struct wm_points *points;
	const struct wm_layers *layers; /* NULL: none */
};

/* Returns the number of areas; the last one may be for all other layers. */
static int area_count(const struct wm_layers *l)
{
	return l->count > LAYERS ? LAYERS + 1 : (int)l->count;
}

static double edge(const struct picture *p, int which, size_t bin)
{
	const struct wm_timeline_point *t = &p->points->point[bin];
	uint64_t sum = 0;

	for (int i = 0; i < which; i++)
		sum += p->layers->layer[i].bytes[bin];
	return which == EDGE_MAX || which > LAYERS ? (double)t->max :
	       which == EDGE_LOW		   ? (double)t->low :
	       which == EDGE_MEAN		   ? (double)t->mean :
						     (double)sum;
}

/* Writes steps along an edge, forwards or backwards. */
static void put_steps(const struct picture *p, int which, bool back)
{
	size_t n = p->points->count, i, bin;

	for (i = 0; i < n; i++) {
		double from, to, y;

		bin = back ? n - 1 - i : i;
		from = p->points->point[bin].from;
		to = from + p->points->step;
		y = edge(p, which, bin);
		wm_svg_to(&p->svg, !i && !back, back ? to : from, y);
		wm_svg_to(&p->svg, false, back ? from : to, y);
	}
}

static void put_area(const struct picture *p, const char *colour, int low,
		     int high, const char *title)
{
	fprintf(p->svg.out, "<path fill=\"%s\" d=\"", colour);
	put_steps(p, high, false);
	put_steps(p, low, true);
	fputs("Z\">", p->svg.out);
	wm_svg_title(&p->svg, "%s", title);
	fputs("</path>\n", p->svg.out);
}

static void put_layers(const struct picture *p)
{
	const struct wm_layers *l = p->layers;
	char name[WM_LAYER_TEXT];

	for (int k = 0; k < area_count(l); k++)
		put_area(p, wm_svg_colour[k], k, k + 1,
			 k < LAYERS ? wm_layer_name(&l->layer[k], name) :
				      "others");
}

static void put_legend(const struct picture *p)
{
	const struct wm_layers *l = p->layers;
	char name[WM_LAYER_TEXT];
	struct wm_figure b;
	int k;

	for (k = 0; k < area_count(l); k++) {
		int y = HEIGHT + LEGEND * k;

		if (k == LAYERS)
			wm_svg_legend(&p->svg, wm_svg_colour[k], p->svg.left, y,
				      "%zu others", l->count - LAYERS);
		else
			wm_svg_legend(&p->svg, wm_svg_colour[k], p->svg.left, y,
				      "%s  (at most %s)",
				      wm_layer_name(&l->layer[k], name),
				      wm_bytes(&b, l->layer[k].most));
	}
}

static void put_ranks(const struct picture *p)
{
	bool all = p->points->all;

	put_area(p, "#85abd3", all ? EDGE_LOW : 0, EDGE_MAX,
		 all ? "lowest to highest" : "live bytes");
	if (!all)
		return;
	fputs("<path class=\"line\" stroke=\"#1d3f66\" d=\"", p->svg.out);
	put_steps(p, EDGE_MEAN, false);
	fputs("\"/>\n", p->svg.out);
}

/* Draws where each phase begins, and names where there is room. */
static void put_phases(const struct wm_svg *p, const struct wm_annotations *n)
{
	double end = p->left, last = -1;

	for (size_t i = 0; i < n->stretch_count; i++) {
		const struct wm_stretch *s = &n->stretch[i];
		const char *name = n->phase[s->phase].name;
		double x = wm_svg_x(p, s->from), to = wm_svg_x(p, s->to);
		char buf[4 * PHASE + 1];

		if (x - last < 1)
			continue;
		last = x;
		if (i)
			fprintf(p->out,
				"<path class=\"phase\" d=\"M%.1f %.0fV%.0f\"/>\n",
				x, p->top - 4, p->bottom);
		if (!name || x < end || to - x < 6)
			continue;
		name = wm_cut(name, PHASE, buf);
		wm_svg_label(p, "s", x + 3, p->top + 8, "%s", name);
		end = x + 7.0 * (double)strlen(name) + 6;
	}
}

/* Draws a line for each mark of the program; the pointer shows its text. */
static void put_marks(const struct wm_svg *p, const struct wm_annotations *n)
{
	double last = -1;

	for (size_t i = 0; i < n->text_count; i++) {
		const char *text = n->text[i].text;
		double x = wm_svg_x(p, n->text[i].seconds);
		char buf[4 * PHASE + 1];

		if (x - last < 1)
			continue;
		last = x;
		fprintf(p->out, "<path class=\"mark\" d=\"M%.1f %.0fV%.0f\">",
			x, p->top, p->bottom);
		wm_svg_title(p, "%s", text ? wm_cut(text, PHASE, buf) : "mark");
		fputs("</path>\n", p->out);
	}
}

static void put_title(const struct wm_svg *p, const struct wm_analysis *a)
{
	const char *partial = a->partial ? " (incomplete)" : "";
	const struct wm_rank *r;
	struct wm_figure b, d;

	wm_svg_label(p, "t", p->left, 24, "%s  run %s", a->name, a->id);
	if (a->chosen == WM_ALL_RANKS) {
		wm_svg_label(p, "", p->left, 44,
			     "live heap bytes of %zu ranks: lowest to highest, "
			     "and mean%s",
			     a->rank_count, partial);
		return;
	}
	r = &a->ranks[a->chosen];
	wm_svg_label(p, "", p->left, 44,
		     "live heap bytes of rank %" PRIu64 ": highest %s at %s%s",
		     r->rank, wm_bytes(&b, r->in[WM_HOST].peak_bytes),
		     wm_seconds(&d, r->in[WM_HOST].peak_seconds), partial);
}

static void peak_mark(const struct wm_svg *p, const struct wm_rank *r)
{
	struct wm_figure b, d;

	if (r->in[WM_HOST].peak_bytes)
		wm_svg_point(p, "peak", r->in[WM_HOST].peak_seconds,
			     (double)r->in[WM_HOST].peak_bytes, "%s at %s",
			     wm_bytes(&b, r->in[WM_HOST].peak_bytes),
			     wm_seconds(&d, r->in[WM_HOST].peak_seconds));
}

enum wm_status wm_timeline_svg(const struct wm_analysis *a,
			       const struct wm_layers *l, FILE *out,
			       struct wm_err *err)
{
	struct wm_points points;
	struct picture p = { { out, 90, WM_SVG_WIDTH - 20, 60, HEIGHT - 50,
			       .high = 1024 },
			     &points,
			     l };
	enum wm_status s = wm_points_make(&points, a, 0, err);

	if (s)
		return s;
	if (points.count)
		p.svg.to = points.point[points.count - 1].from + points.step;
	if (!(p.svg.to > 0))
		p.svg.to = 1;
	if (points.max)
		p.svg.high = (double)points.max * 1.05;
	wm_svg_begin(&p.svg, HEIGHT + (l ? LEGEND * area_count(l) : 0),
		     ".phase{stroke:#888;stroke-dasharray:4 3}"
		     ".mark{stroke:#a40;stroke-dasharray:1 3}.peak{fill:#c33}");
	put_title(&p.svg, a);
	wm_svg_bytes(&p.svg, 5);
	wm_svg_seconds(&p.svg);
	if (l)
		put_layers(&p);
	else if (points.count)
		put_ranks(&p);
	put_phases(&p.svg, &a->annotations);
	put_marks(&p.svg, &a->annotations);
	if (a->chosen != WM_ALL_RANKS)
		peak_mark(&p.svg, &a->ranks[a->chosen]);
	if (l)
		put_legend(&p);
	wm_svg_end(&p.svg);
	wm_points_release(&points);
	return WM_OK;
}
