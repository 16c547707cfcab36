/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of --history: a line of peaks over dates for each series.
 *
 * All series share one panel, as a small panel for each of many series could
 * not be read; each has a colour, in the order of the legend.  A point is
 * ringed if its build differs from the build of the run before, and its title
 * names the build.  Runs without a time are at the left.
 */
#include "analyze/answers/reports.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "analyze/lib/base/units.h"
#include "analyze/answers/history/history.h"
#include "analyze/render/svg.h"

#define INSET                                                                  \
	0.035 /* of the axis, before the first and behind the last point */
#define DATES 6
#define LEGEND 18 /* height of a line of the legend */

struct picture {
	struct wm_svg svg; /* seconds since 1970, bytes */
	const struct wm_history *h;
	/* first and last time of the runs with a known time */
	double first, last;
};

static double seconds_of(const struct picture *p,
			 const struct wm_history_run *r)
{
	return fmax((double)r->start_ns * 1e-9, p->first);
}

static void find_ranges(struct picture *p)
{
	double inset;

	for (size_t i = 0; i < p->h->reads; i++) {
		double at = (double)p->h->run[i].start_ns * 1e-9;

		p->svg.high = fmax(p->svg.high, (double)p->h->run[i].peak);
		if (at > 0 && (!(p->first > 0) || at < p->first))
			p->first = at;
		p->last = fmax(p->last, at);
	}
	inset = p->last > p->first ? (p->last - p->first) * INSET : 1;
	p->svg.from = p->first - inset;
	p->svg.to = p->last + inset;
	p->svg.high *= 1.08;
}

static void put_date(const struct picture *p, double at, bool hours)
{
	time_t t = (time_t)at;
	char text[32] = "";
	struct tm tm;

	if (at > 0 && gmtime_r(&t, &tm))
		strftime(text, sizeof(text), hours ? "%m-%d %H:%M" : "%Y-%m-%d",
			 &tm);
	wm_svg_tick(&p->svg, at, "%s", text);
}

/* Writes at most DATES + 1 full minutes, hours or days in UTC; if all runs have
 * one time, that time. */
static void put_dates(const struct picture *p)
{
	static const double steps[] = { 60,	   300,	      900,	 3600,
					10800,	   21600,     43200,	 86400,
					2 * 86400, 7 * 86400, 14 * 86400 };
	double span = p->last - p->first, step = 0, at;

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (step <= 0 && span <= DATES * steps[i])
			step = steps[i];
	if (step <= 0)
		step = 28 * 86400 * ceil(span / (DATES * 28.0 * 86400));
	at = ceil(p->first / step) * step;
	if (at > p->last)
		put_date(p, p->first, true);
	for (; at <= p->last; at += step)
		put_date(p, at, step < 86400);
}

static void put_point(const struct picture *p, const struct wm_history_run *r)
{
	const struct wm_history_run *before = r->before == WM_NO_RUN ?
						      NULL :
						      &p->h->run[r->before];
	bool built = !before || strcmp(before->build, r->build) != 0;
	double at = seconds_of(p, r), peak = (double)r->peak;
	struct wm_figure b;

	wm_svg_point(&p->svg, built ? "build" : "run", at, peak,
		     "%s: %s, build %s: %s", r->shown, r->started, r->build,
		     wm_bytes(&b, r->peak));
}

static void put_series(const struct picture *p, size_t k)
{
	const char *colour = wm_svg_colour[k % WM_SVG_COLOURS];
	const struct wm_history_run *r, *end = p->h->run + p->h->reads;
	bool first = true;

	fprintf(p->svg.out,
		"<g stroke=\"%s\" fill=\"%s\">\n<path class=\"line\" d=\"",
		colour, colour);
	for (r = p->h->run; r < end; r++)
		if (r->series == k) {
			wm_svg_to(&p->svg, first, seconds_of(p, r),
				  (double)r->peak);
			first = false;
		}
	fputs("\"/>\n", p->svg.out);
	for (r = p->h->run; r < end; r++)
		if (r->series == k)
			put_point(p, r);
	fputs("</g>\n", p->svg.out);
}

static void put_legend(const struct picture *p, size_t k)
{
	const struct wm_history_run *r = &p->h->run[p->h->series[k].first];

	wm_svg_legend(&p->svg, wm_svg_colour[k % WM_SVG_COLOURS], p->svg.left,
		      p->svg.bottom + 50 + LEGEND * (double)k,
		      "%s%s%s, %" PRIu64 " rank%s", r->program,
		      r->command && *r->command ? " " : "",
		      r->command ? r->command : "", r->ranks,
		      r->ranks == 1 ? "" : "s");
}

void wm_history_svg(const void *history, FILE *out)
{
	const struct wm_history *h = history;
	struct picture p = {
		.svg = { .out = out,
			 .left = 100,
			 .right = WM_SVG_WIDTH - 40,
			 .top = 50,
			 .bottom = 450 },
		.h = h,
	};

	find_ranges(&p);
	wm_svg_begin(&p.svg,
		     p.svg.bottom + 50 + LEGEND * (double)h->series_count,
		     ".build{fill:#fff;stroke-width:2}");
	wm_svg_label(&p.svg, "t", p.svg.left, 24,
		     "Peak of the highest rank by date; ringed: another build");
	wm_svg_bytes(&p.svg, 6);
	put_dates(&p);
	for (size_t k = 0; k < h->series_count; k++)
		put_series(&p, k);
	for (size_t k = 0; k < h->series_count; k++)
		put_legend(&p, k);
	wm_svg_end(&p.svg);
}
