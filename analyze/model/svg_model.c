/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of --model: what a rank needs over the ranks of the job, on a
 * logarithmic scale (over the size of the problem where all jobs have as many
 * ranks).  Points are what was measured, the line is the model, the band its
 * interval; where nothing was measured the ground is grey.  Each job between is
 * a strip that says what it needs.  Plain SVG 1.1.
 */
#include "analyze/model/report_model.h"

#include <math.h>

#include "analyze/render/output.h"
#include "analyze/render/svg.h"

#define WIDTH 960
#define HEIGHT 520
/* An interval may be a thousand times what is predicted: it is cut off there. */
#define MOST_BAND 2.0

static const struct wm_svg_plot plot = { 100, 920, 60, 460 };

struct picture {
	FILE *out;
	const struct wm_model_report *m;
	double low, high; /* of x */
	double from, to; /* where jobs were measured */
	double top; /* bytes at the upper edge */
};

static double value_of(const struct picture *p, const struct wm_model_answer *a)
{
	return p->m->by_size ? a->point.p : a->point.n;
}

static double x_at(const struct picture *p, double v)
{
	double share = p->high > p->low ?
			       log(v / p->low) / log(p->high / p->low) :
			       0.5;

	return plot.left + share * (plot.right - plot.left);
}

static double x_of(const struct picture *p, const struct wm_model_answer *a)
{
	return x_at(p, value_of(p, a));
}

static double y_of(const struct picture *p, double bytes)
{
	return wm_svg_y(&plot, fmin(bytes, p->top), p->top);
}

static double bytes_of(const struct wm_model_answer *a)
{
	return a->job ? a->job->bytes[WM_VIEW_worst] :
			a->said[WM_VIEW_worst].bytes;
}

static void find_axes(struct picture *p)
{
	double seen = 0, high = 0;
	size_t i;

	p->low = p->from = INFINITY;
	for (i = 0; i < p->m->answers; i++) {
		const struct wm_model_answer *a = &p->m->answer[i];

		p->low = fmin(p->low, value_of(p, a));
		p->high = fmax(p->high, value_of(p, a));
		if (i < p->m->runs.args.runs) {
			p->from = fmin(p->from, value_of(p, a));
			p->to = fmax(p->to, value_of(p, a));
		}
		seen = fmax(seen, bytes_of(a));
		high = fmax(high, a->said[WM_VIEW_worst].high);
	}
	p->top = 1.05 * fmin(fmax(seen, high), seen * MOST_BAND);
}

static void put_axes(const struct picture *p)
{
	double v, factor = 2;

	wm_svg_bytes(&plot, p->top, 6, p->out);
	while (p->low * pow(factor, 11) < p->high)
		factor *= 2;
	for (v = p->low; v <= p->high * 1.0001; v *= factor)
		fprintf(p->out,
			"<path class=\"axis\" d=\"M%.1f %.0fv5\"/>"
			"<text x=\"%.1f\" y=\"%.0f\" class=\"m\">%.15g</text>\n",
			x_at(p, v), plot.bottom, x_at(p, v), plot.bottom + 20,
			round(v));
	fprintf(p->out, "<text x=\"%d\" y=\"%d\" class=\"m\">%s</text>\n",
		WIDTH / 2, HEIGHT - 16,
		p->m->by_size ? "size of the problem (P)" :
				"ranks of the job (N)");
}

static void put_beyond(const struct picture *p, double from, double to)
{
	if (to - from > 0.5)
		fprintf(p->out,
			"<rect class=\"beyond\" x=\"%.1f\" y=\"%.0f\" "
			"width=\"%.1f\" height=\"%.0f\"><title>nothing was "
			"measured here</title></rect>\n",
			from, plot.top, to - from, plot.bottom - plot.top);
}

/* A line, or with @band what lies between both ends of the interval. */
static void put_line(const struct picture *p, enum wm_view v, bool band)
{
	size_t i, n = p->m->steps;

	fprintf(p->out, "<path class=\"%s\" d=\"",
		band		  ? "band" :
		v == WM_VIEW_mean ? "mean" :
				    "worst");
	for (i = 0; i < (band ? 2 * n : n); i++) {
		const struct wm_model_answer *a =
			&p->m->step[i < n ? i : 2 * n - 1 - i];
		double bytes = !band ? a->said[v].bytes :
			       i < n ? a->said[v].high :
				       a->said[v].low;

		fprintf(p->out, "%c%.1f %.1f", i ? 'L' : 'M', x_of(p, a),
			y_of(p, bytes));
	}
	fputs("\"/>\n", p->out);
}

/* A point that says what the job needs, on a strip between @from and @to. */
static void put_job(const struct picture *p, const struct wm_model_answer *a,
		    double from, double to)
{
	struct wm_buf b;

	fprintf(p->out, "<g class=\"%s\">", a->kind);
	if (to > from)
		fprintf(p->out,
			"<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" "
			"height=\"%.0f\"/>",
			from, plot.top, to - from, plot.bottom - plot.top);
	fprintf(p->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/><title>%s: ",
		x_of(p, a), y_of(p, bytes_of(a)), a->kind);
	wm_model_job_text(&a->point, p->out);
	if (a->job)
		fprintf(p->out, ": measured %s",
			wm_bytes(&b, wm_rounded(bytes_of(a))));
	fputs(": the worst rank ", p->out);
	wm_model_need(&a->said[WM_VIEW_worst], p->out);
	fputs(", the mean ", p->out);
	wm_model_need(&a->said[WM_VIEW_mean], p->out);
	fputs("</title></g>\n", p->out);
}

static void put_jobs(const struct picture *p)
{
	const struct wm_model_report *m = p->m;
	double from = plot.left, to;
	size_t i;

	for (i = 0; i < m->steps; i++, from = to) {
		to = i + 1 == m->steps ?
			     plot.right :
			     (x_of(p, &m->step[i]) + x_of(p, &m->step[i + 1])) /
				     2;
		put_job(p, &m->step[i], from, to);
	}
	for (i = m->answers; i-- > 0;)
		put_job(p, &m->answer[i], 0, 0);
}

static void put_head(const struct picture *p)
{
	fprintf(p->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"model\" "
		"width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
		"<!-- " WM_OUTPUT_MARK " -->\n<style>",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	fputs("text{font:12px sans-serif;fill:#333}.r{text-anchor:end}"
	      ".m{text-anchor:middle}.axis,.grid{stroke:#333;fill:none}"
	      ".grid{stroke-opacity:.15}.beyond{fill:#888;fill-opacity:.12}"
	      ".band{fill:#08519c;fill-opacity:.2}"
	      ".worst,.mean{fill:none;stroke:#08519c;stroke-width:2}"
	      ".mean{stroke-dasharray:6 4}"
	      "circle{fill:#fff;stroke:#08519c;stroke-width:2}"
	      ".run circle{fill:#08519c}.check circle{stroke:#c60}"
	      ".job{opacity:0}.job rect{fill:#888;fill-opacity:.2}"
	      ".job:hover,.job.chosen{opacity:1}</style>\n"
	      "<rect class=\"ground\" width=\"100%\" height=\"100%\" "
	      "fill=\"#fff\"/>\n<text x=\"100\" y=\"26\">",
	      p->out);
	wm_svg_text(p->out, p->m->runs.job[0].program);
	fputs(": what the worst rank needs</text>\n<text x=\"100\" y=\"46\">"
	      "filled: measured; orange: checked; hollow: predicted; dashed: "
	      "the mean of all ranks; grey: beyond what was measured"
	      "</text>\n",
	      p->out);
}

void wm_model_svg(const struct wm_model_report *m, FILE *out)
{
	struct picture p = { .out = out, .m = m };

	find_axes(&p);
	put_head(&p);
	put_beyond(&p, plot.left, x_at(&p, p.from));
	put_beyond(&p, x_at(&p, p.to), plot.right);
	put_axes(&p);
	if (m->step[0].said[WM_VIEW_worst].has_range)
		put_line(&p, WM_VIEW_worst, true);
	put_line(&p, WM_VIEW_mean, false);
	put_line(&p, WM_VIEW_worst, false);
	put_jobs(&p);
	fputs("</svg>\n", out);
}
