/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of --model: the need of a rank over the ranks of the job, on a
 * logarithmic scale, or over the size of the problem if all runs have one
 * number of ranks.  Points are measured or predicted jobs.  The line is the
 * worst rank of the model as far as runs show it, with its interval as a band.
 */
#include "analyze/answers/model/report_model.h"

#include <math.h>

#include "analyze/render/svg.h"

#define STEPS 97 /* jobs from left to right */
/* limit of the band, as intervals may reach a thousand times the prediction */
#define MOST_BAND 2.0

static double x_of(const struct wm_model_report *m,
		   const struct wm_model_answer *a)
{
	return m->runs.model.design.one_n ? a->point.p : a->point.n;
}

static double bytes_of(const struct wm_model_answer *a)
{
	return a->job ? a->job->bytes : a->worst.bytes;
}

static void find_axes(const struct wm_model_report *m, struct wm_svg *p)
{
	double high = 0;

	for (size_t i = 0; i < m->answers; i++) {
		wm_svg_hold(p, x_of(m, &m->answer[i]), bytes_of(&m->answer[i]));
		high = fmax(high, m->answer[i].worst.high);
	}
	p->high = 1.05 * fmin(fmax(p->high, high), p->high * MOST_BAND);
}

static void put_lines(const struct wm_model_report *m, const struct wm_svg *p)
{
	struct wm_model_answer step[STEPS], *a, *end = step + STEPS;
	double times = pow(p->to / p->from, 1.0 / (STEPS - 1)), v = p->from;
	bool gap = true;

	for (size_t i = 0; i < STEPS; i++, v *= times) {
		struct wm_point x = { m->near.n, v };

		if (!m->runs.model.design.one_n)
			x = wm_model_runs_job(&m->runs, round(v));
		step[i] = wm_model_answer(m, "", x, NULL);
	}
	if (step->worst.has_range) {
		fputs("<path class=\"band\" d=\"", p->out);
		for (a = step; a < end; a++)
			wm_svg_to(p, a == step, x_of(m, a), a->worst.high);
		for (; a > step; a--)
			wm_svg_to(p, false, x_of(m, &a[-1]), a[-1].worst.low);
		fputs("\">", p->out);
		wm_svg_title(p, "interval of the worst rank");
		fputs("</path>\n", p->out);
	}
	fputs("<path class=\"line\" d=\"", p->out);
	for (a = step; a < end; a++) {
		if (!a->worst.untold)
			wm_svg_to(p, gap, x_of(m, a), a->worst.bytes);
		gap = a->worst.untold;
	}
	fputs("\"/>\n", p->out);
}

static void put_points(const struct wm_model_report *m, const struct wm_svg *p)
{
	char job[WM_MODEL_TEXT], need[WM_MODEL_TEXT];
	const struct wm_model_answer *a;
	struct wm_figure b;

	for (a = m->answer; a < m->answer + m->answers; a++) {
		if (!a->job && a->worst.untold == WM_UNTOLD_MISSED)
			continue;
		wm_bytes(&b, wm_rounded(bytes_of(a)));
		wm_svg_point(p, a->kind, x_of(m, a), bytes_of(a),
			     "%s: %s%s%s: the worst rank %s", a->kind,
			     wm_model_job_text(&a->point, job),
			     a->job ? ": measured " : "", a->job ? b.s : "",
			     wm_model_need(m, &a->worst, need));
	}
}

void wm_model_svg(const void *report, FILE *out)
{
	const struct wm_model_report *m = report;
	struct wm_svg p = { out, 100, 920, 60, 460, .logarithmic = true };

	find_axes(m, &p);
	wm_svg_begin(&p, 520,
		     ".band{fill:#4878a8;fill-opacity:.25}.line{stroke:#4878a8}"
		     ".run,.check,.prediction{fill:#fff;stroke:#4878a8;"
		     "stroke-width:2}.run{fill:#4878a8}.check{stroke:#e49444}");
	wm_svg_label(&p, "t", 100, 24, "%s: %s of a rank", m->runs.program,
		     m->quantity);
	wm_svg_label(&p, "", 100, 44,
		     "filled: measured; orange: checked; hollow: predicted; "
		     "line: the worst rank by the model; band: its interval");
	wm_svg_bytes(&p, 6);
	wm_svg_doublings(&p);
	wm_svg_label(&p, "m", 510, 504,
		     m->runs.model.design.one_n ? "size of the problem (P)" :
						  "ranks of the job (N)");
	put_lines(m, &p);
	put_points(m, &p);
	wm_svg_end(&p);
}
