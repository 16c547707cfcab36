/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of --model: what a rank needs over the ranks of the job, on a
 * logarithmic scale (over the size of the problem where all jobs have as many
 * ranks).  Points are what was measured, the line is the model, the band its
 * interval; where nothing was measured the ground is hatched.  Plain SVG 1.1.
 */
#include "analyze/model/report_model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyze/base/units.h"
#include "analyze/render/output.h"
#include "analyze/render/svg.h"

#define WIDTH 960
#define HEIGHT 520
#define LEFT 100
#define RIGHT 40
#define TOP 84
#define BOTTOM 60
/* An interval may be a thousand times what is predicted: it is cut off there. */
#define MOST_BAND 2.0

struct picture {
	FILE *out;
	const struct wm_model_report *m;
	double low, high; /* of x */
	double top; /* bytes at the upper edge */
};

static double x_of(const struct picture *p, double v)
{
	double share = p->high > p->low ?
			       log(v / p->low) / log(p->high / p->low) :
			       0.5;

	return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct picture *p, double bytes)
{
	double share = p->top > 0 ? fmin(bytes / p->top, 1) : 0;

	return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

static void put_band(const struct picture *p)
{
	size_t i;

	if (!p->m->steps || !p->m->step[0].said[WM_VIEW_worst].has_range)
		return;
	fputs("<path class=\"band\" d=\"", p->out);
	for (i = 0; i < p->m->steps; i++)
		fprintf(p->out, "%c%.1f %.1f", i ? 'L' : 'M',
			x_of(p, wm_model_curve_x(p->m, &p->m->step[i].point)),
			y_of(p, p->m->step[i].said[WM_VIEW_worst].high));
	for (i = p->m->steps; i-- > 0;)
		fprintf(p->out, "L%.1f %.1f",
			x_of(p, wm_model_curve_x(p->m, &p->m->step[i].point)),
			y_of(p, p->m->step[i].said[WM_VIEW_worst].low));
	fputs("z\"><title>the interval of predictions</title></path>\n",
	      p->out);
}

static void put_line(const struct picture *p, enum wm_view v)
{
	size_t i;

	fprintf(p->out, "<path class=\"v%d\" d=\"", (int)v);
	for (i = 0; i < p->m->steps; i++)
		fprintf(p->out, "%c%.1f %.1f", i ? 'L' : 'M',
			x_of(p, wm_model_curve_x(p->m, &p->m->step[i].point)),
			y_of(p, p->m->step[i].said[v].bytes));
	fprintf(p->out, "\"><title>%s</title></path>\n", wm_view_what[v]);
}

static void put_hatched(const struct picture *p, double from, double to)
{
	if (to - from > 0.5)
		fprintf(p->out,
			"<rect class=\"beyond\" x=\"%.1f\" y=\"%d\" "
			"width=\"%.1f\" height=\"%d\"><title>nothing was "
			"measured here</title></rect>\n",
			from, TOP, to - from, HEIGHT - TOP - BOTTOM);
}

static void put_point(const struct picture *p, const struct wm_model_answer *a,
		      const char *kind)
{
	double bytes = a->job ? a->job->bytes[WM_VIEW_worst] :
				a->said[WM_VIEW_worst].bytes;
	bool untold = !a->job && a->said[WM_VIEW_worst].untold;
	struct wm_buf b, c, e, low;

	fprintf(p->out,
		"<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\">"
		"<title>%s: %s rank%s, size %s: %s%s%s</title></circle>\n",
		kind, x_of(p, wm_model_curve_x(p->m, &a->point)),
		y_of(p, bytes), kind, wm_count(&b, wm_rounded(a->point.n)),
		a->point.n == 1 ? "" : "s", wm_model_number(&c, a->point.p),
		untold ?
			wm_bytes(&low, wm_rounded(a->said[WM_VIEW_worst].low)) :
			"",
		untold ? " to " : "",
		wm_bytes(&e, wm_rounded(untold ? a->said[WM_VIEW_worst].high :
						 bytes)));
}

static void put_points(const struct picture *p)
{
	const struct wm_model_report *m = p->m;
	size_t i;

	for (i = 0; i < m->asks; i++)
		put_point(p, &m->ask[i], "predicted");
	for (i = 0; i < m->checks; i++)
		put_point(p, &m->check[i], "checked");
	for (i = 0; i < m->runs->args.runs; i++)
		put_point(p, &m->run[i], "measured");
}

static void put_axes(const struct picture *p)
{
	double step = wm_svg_step(p->top, 6, true), v, factor = 2;
	struct wm_buf b;

	for (v = 0; step > 0 && v <= p->top; v += step)
		fprintf(p->out,
			"<path class=\"grid\" d=\"M%d %.1fH%d\"/>"
			"<text x=\"%d\" y=\"%.1f\" class=\"r\">%s</text>\n",
			LEFT, y_of(p, v), WIDTH - RIGHT, LEFT - 8,
			y_of(p, v) + 4, wm_bytes(&b, wm_rounded(v)));
	while (p->low * pow(factor, 11) < p->high)
		factor *= 2;
	for (v = p->low; v <= p->high * 1.0001; v *= factor)
		fprintf(p->out,
			"<path class=\"axis\" d=\"M%.1f %dv5\"/>"
			"<text x=\"%.1f\" y=\"%d\" class=\"m\">%s</text>\n",
			x_of(p, v), HEIGHT - BOTTOM, x_of(p, v),
			HEIGHT - BOTTOM + 20, wm_model_number(&b, round(v)));
	fprintf(p->out,
		"<path class=\"axis\" d=\"M%d %dV%dH%d\"/>"
		"<text x=\"%d\" y=\"%d\" class=\"m\">%s</text>\n",
		LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT,
		(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16,
		p->m->by_size ? "size of the problem (P)" :
				"ranks of the job (N)");
}

/* What a rank may need on a node that runs several. */
static void put_node(const struct picture *p)
{
	const struct wm_model_args *a = &p->m->runs->args;
	double each = (double)a->node / (a->node ? a->per_node : 1);
	struct wm_buf b, c;

	if (!a->node)
		return;
	if (each <= p->top)
		fprintf(p->out, "<path class=\"limit\" d=\"M%d %.1fH%d\"/>\n",
			LEFT, y_of(p, each), WIDTH - RIGHT);
	fprintf(p->out,
		"<text x=\"%d\" y=\"%.1f\" class=\"r\">%s of a node of %s with %.0f rank%s: "
		"%s each</text>\n",
		WIDTH - RIGHT - 8, each > p->top ? TOP + 14 : y_of(p, each) - 6,
		each > p->top ? "far above: the limit" : "limit",
		wm_bytes(&b, a->node), a->per_node, a->per_node > 1 ? "s" : "",
		wm_bytes(&c, wm_rounded(each)));
}

static void put_title(const struct picture *p)
{
	const struct wm_model_report *m = p->m;
	char *text = wm_role_text(m, wm_model_role_of(m, WM_VIEW_worst), true);

	fputs("<text x=\"100\" y=\"26\" class=\"t\">", p->out);
	wm_svg_text(p->out, m->runs->job[0].program);
	fputs(m->runs->args.working_set ?
		      ": what the worst rank accesses in an epoch" :
		      ": what the worst rank needs",
	      p->out);
	fputs("</text>\n<text x=\"100\" y=\"48\">", p->out);
	wm_svg_text(p->out, text ? text : "");
	fputs("</text>\n<text x=\"100\" y=\"68\">filled: measured; ringed: "
	      "checked; hollow: predicted; dashed: the mean of all ranks; "
	      "hatched: beyond what was measured</text>\n",
	      p->out);
	free(text);
}

static void put_style(FILE *out)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"%d\" viewBox=\"0 0 %d %d\">\n"
		"<!-- " WM_OUTPUT_MARK " -->\n"
		"<style>text{font:12px sans-serif;fill:#333}"
		".t{font-size:16px;font-weight:bold}.r{text-anchor:end}"
		".m{text-anchor:middle}.axis{stroke:#333;fill:none}"
		".grid{stroke:#ddd}.band{fill:#9ecae1;fill-opacity:.5}"
		".v0,.v1,.v2{fill:none;stroke:#08519c;stroke-width:2}"
		".v1{stroke-dasharray:6 4;stroke-width:1.2}"
		".beyond{fill:url(#hatch)}.limit{stroke:#c00;fill:none;"
		"stroke-dasharray:10 3}"
		".measured{fill:#08519c}.checked{fill:#fff;stroke:#c60;"
		"stroke-width:3}.predicted{fill:#fff;stroke:#08519c}</style>\n"
		"<defs><pattern id=\"hatch\" width=\"8\" height=\"8\" "
		"patternUnits=\"userSpaceOnUse\" "
		"patternTransform=\"rotate(45)\"><path d=\"M0 0V8\" "
		"stroke=\"#bbb\" stroke-width=\"1.5\"/></pattern></defs>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
}

/* Make room for jobs, and note where they lie. */
static void take_in(struct picture *p, const struct wm_model_answer *a,
		    size_t count, double range[2])
{
	for (; count--; a++) {
		const struct wm_prediction *w = &a->said[WM_VIEW_worst];
		double x = wm_model_curve_x(p->m, &a->point);

		range[0] = fmin(range[0], x);
		range[1] = fmax(range[1], x);
		p->top = fmax(p->top, w->bytes);
		if (a->job)
			p->top = fmax(p->top, a->job->bytes[WM_VIEW_worst]);
	}
}

static void find_axes(struct picture *p, double measured[2])
{
	const struct wm_model_report *m = p->m;
	double range[2] = { INFINITY, 0 }, most;
	size_t i;

	take_in(p, m->run, m->runs->args.runs, measured);
	take_in(p, m->run, m->runs->args.runs, range);
	take_in(p, m->check, m->checks, range);
	take_in(p, m->ask, m->asks, range);
	p->low = range[0];
	p->high = range[1];
	most = p->top * MOST_BAND;
	for (i = 0; i < m->asks; i++)
		if (m->ask[i].said[WM_VIEW_worst].has_range)
			p->top = fmax(p->top,
				      m->ask[i].said[WM_VIEW_worst].high);
	p->top = fmin(p->top, most) * 1.05;
	if (m->runs->args.node)
		p->top = fmin(fmax(p->top, 1.1 * (double)m->runs->args.node /
						   m->runs->args.per_node),
			      fmax(p->top, 8 * most));
}

void wm_model_svg(const struct wm_model_report *m, FILE *out)
{
	struct picture p = { .out = out, .m = m };
	double measured[2] = { INFINITY, 0 };

	find_axes(&p, measured);
	put_style(out);
	put_hatched(&p, LEFT, x_of(&p, measured[0]));
	put_hatched(&p, x_of(&p, measured[1]), WIDTH - RIGHT);
	put_axes(&p);
	put_band(&p);
	put_line(&p, WM_VIEW_mean);
	put_line(&p, WM_VIEW_worst);
	put_node(&p);
	put_points(&p);
	put_title(&p);
	fputs("</svg>\n", out);
}
