/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of --model, plain SVG 1.1: what a rank needs over the ranks of the
 * job, on a logarithmic scale (over the size of the problem where all runs have
 * as many ranks).  Points are measured or predicted, the line is the worst rank
 * of the model where runs tell it, the band its interval.
 */
#include "analyze/model/report_model.h"

#include <math.h>

#include "analyze/render/output.h"
#include "analyze/render/svg.h"

#define STEPS 97
/* An interval may be a thousand times what is predicted: it is cut off there. */
#define MOST_BAND 2.0
static const struct wm_svg_plot plot = { 100, 920, 60, 460 };

struct picture {
	FILE *out;
	const struct wm_model_report *m;
	bool by_size;
	double low, high; /* of x */
	double top; /* bytes at the upper edge */
	struct wm_model_answer step[STEPS]; /* jobs from left to right */
};

static double x_at(const struct picture *p, double v)
{
	double share = log(v / p->low) / log(p->high / p->low);

	return plot.left + share * (plot.right - plot.left);
}

static double x_of(const struct picture *p, const struct wm_model_answer *a)
{
	return x_at(p, p->by_size ? a->point.p : a->point.n);
}

static double y_of(const struct picture *p, double bytes)
{
	return wm_svg_y(&plot, fmin(bytes, p->top), p->top);
}

static double bytes_of(const struct wm_model_answer *a)
{
	return a->job ? a->job->bytes : a->worst.bytes;
}

static void find_axes(struct picture *p)
{
	const struct wm_model_report *m = p->m;
	double seen = 0, high = 0, v, n;
	size_t i;

	p->by_size = m->runs.model.design.one_n;
	p->low = INFINITY;
	for (i = 0; i < m->answers; i++) {
		const struct wm_model_answer *a = &m->answer[i];

		v = p->by_size ? a->point.p : a->point.n;
		p->low = fmin(p->low, v);
		p->high = fmax(p->high, v);
		seen = fmax(seen, bytes_of(a));
		high = fmax(high, a->worst.high);
	}
	p->top = 1.05 * fmin(fmax(seen, high), seen * MOST_BAND);
	for (i = 0; i < STEPS; i++) {
		v = p->low * pow(p->high / p->low, (double)i / (STEPS - 1));
		n = p->by_size ? m->near.n : round(v);
		v = p->by_size ? v : wm_model_runs_size(&m->runs, n);
		p->step[i] = wm_model_answer(m, "", (struct wm_point){ n, v },
					     NULL);
	}
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
	fprintf(p->out, "<text x=\"510\" y=\"504\" class=\"m\">%s</text>\n",
		p->by_size ? "size of the problem (P)" :
			     "ranks of the job (N)");
}

static void put_lines(const struct picture *p)
{
	bool gap = true;
	size_t i;

	if (p->step[0].worst.has_range) {
		fputs("<path class=\"band\" d=\"", p->out);
		for (i = 0; i < 2 * STEPS; i++) {
			size_t at = i < STEPS ? i : 2 * STEPS - 1 - i;
			const struct wm_model_answer *a = &p->step[at];

			fprintf(p->out, "%c%.1f %.1f", i ? 'L' : 'M',
				x_of(p, a),
				y_of(p,
				     i < STEPS ? a->worst.high : a->worst.low));
		}
		fputs("\"><title>interval of the worst rank</title></path>\n",
		      p->out);
	}
	fputs("<path class=\"line\" d=\"", p->out);
	for (i = 0; i < STEPS; i++) {
		const struct wm_model_answer *a = &p->step[i];

		if (!a->worst.untold)
			fprintf(p->out, "%c%.1f %.1f", gap ? 'M' : 'L',
				x_of(p, a), y_of(p, a->worst.bytes));
		gap = a->worst.untold;
	}
	fputs("\"/>\n", p->out);
}

static void put_points(const struct picture *p)
{
	const struct wm_model_report *m = p->m;
	char job[WM_MODEL_TEXT], need[WM_MODEL_TEXT];
	struct wm_buf b;
	size_t i;

	for (i = m->answers; i-- > 0;) {
		const struct wm_model_answer *a = &m->answer[i];

		if (!a->job && a->worst.untold == WM_UNTOLD_MISSED)
			continue;
		fprintf(p->out,
			"<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\">"
			"<title>%s: %s%s%s: the worst rank %s</title>"
			"</circle>\n",
			a->kind, x_of(p, a), y_of(p, bytes_of(a)), a->kind,
			wm_model_job_text(&a->point, job),
			a->job ? ": measured " : "",
			a->job ? wm_bytes(&b, wm_rounded(bytes_of(a))) : "",
			wm_model_need(m, &a->worst, need));
	}
}

void wm_model_svg(const void *report, FILE *out)
{
	struct picture p = { .out = out, .m = report };

	find_axes(&p);
	fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"960\" "
	      "height=\"520\" viewBox=\"0 0 960 520\">\n"
	      "<!-- " WM_OUTPUT_MARK " -->\n<style>"
	      "text{font:12px sans-serif;fill:#333}.r{text-anchor:end}"
	      ".m{text-anchor:middle}.axis,.grid{stroke:#333;fill:none}"
	      ".grid{stroke-opacity:.15}.band{fill:#08519c;fill-opacity:.2}"
	      ".line{fill:none;stroke:#08519c;stroke-width:1.5}"
	      "circle{fill:#fff;stroke:#08519c;stroke-width:2}"
	      ".run{fill:#08519c}.check{stroke:#c60}</style>\n"
	      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
	      "<text x=\"100\" y=\"26\">",
	      out);
	wm_svg_text(out, p.m->runs.job[0].program);
	fprintf(out,
		": %s of a rank</text>\n<text x=\"100\" y=\"46\">filled: "
		"measured; orange: checked; hollow: predicted; line: the "
		"worst rank by the model; band: its interval</text>\n",
		wm_model_quantity(p.m));
	put_axes(&p);
	put_lines(&p);
	put_points(&p);
	fputs("</svg>\n", out);
}
