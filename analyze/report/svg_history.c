/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A panel would be lost among many series, so all share one: a colour each, in
 * the order of the legend.  Where the build is another one than before, the
 * point is ringed and has the build's first digits.  Runs that tell no time
 * stand at the left.
 */
#include "analyze/report/svg_history.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "analyze/base/units.h"
#include "analyze/queries/history.h"
#include "analyze/render/output.h"
#include "analyze/render/svg.h"

#define WIDTH 960
#define PLOT 400
#define LEFT 100
#define RIGHT 40
#define INSET 28 /* from the axes to the first and the last point */
#define TOP 50
#define NAME_WIDTH 48 /* of a build, with what must be free around it */
#define NAME_HEIGHT 12
#define NAMES 256 /* builds with their name beside the point, at most */
#define DATES 6
#define LEGEND 18 /* a line of it */
#define COLORS 8

struct picture {
	FILE *out;
	const struct wm_history *h;
	double from, to, top; /* seconds since 1970; bytes */
	struct name {
		double x, y;
	} name[NAMES]; /* where builds have theirs */
	size_t names;
};

static const char *const colors[COLORS] = { "#08519c", "#c60",	  "#2a7f2a",
					    "#7a3b9c", "#b01030", "#00808a",
					    "#806000", "#555" };

static double seconds_of(const struct wm_history_run *r)
{
	return (double)r->start_ns * 1e-9;
}

/* @at: seconds since 1970 */
static double x_at(const struct picture *p, double at)
{
	double share = p->to > p->from ? (at - p->from) / (p->to - p->from) :
					 0.5;

	return LEFT + INSET +
	       fmax(share, 0) * (WIDTH - LEFT - RIGHT - 2 * INSET);
}

static double x_of(const struct picture *p, const struct wm_history_run *r)
{
	return x_at(p, seconds_of(r));
}

static double y_of(const struct picture *p, double bytes)
{
	return TOP + PLOT - (p->top > 0 ? bytes / p->top : 0) * PLOT;
}

static void find_ranges(struct picture *p)
{
	size_t i;

	p->from = p->to = p->top = 0;
	for (i = 0; i < p->h->reads; i++) {
		double at = seconds_of(&p->h->run[i]);

		p->top = fmax(p->top, (double)p->h->run[i].peak);
		if (at > 0 && (!(p->from > 0) || at < p->from))
			p->from = at;
		p->to = fmax(p->to, at);
	}
	p->top *= 1.08;
}

static void put_date(const struct picture *p, double at, bool hours)
{
	time_t t = (time_t)at;
	char text[32] = "";
	struct tm tm;
	double x = x_at(p, at);

	if (at > 0 && gmtime_r(&t, &tm))
		strftime(text, sizeof(text), hours ? "%m-%d %H:%M" : "%Y-%m-%d",
			 &tm);
	fprintf(p->out,
		"<path class=\"axis\" d=\"M%.1f %dv5\"/><text x=\"%.1f\" "
		"y=\"%d\" class=\"m\">%s</text>\n",
		x, TOP + PLOT, x, TOP + PLOT + 20, text);
}

/* Full minutes, hours or days, UTC, at most DATES + 1; of one time itself. */
static void put_dates(const struct picture *p)
{
	static const double steps[] = { 60,	   300,	      900,	 3600,
					10800,	   21600,     43200,	 86400,
					2 * 86400, 7 * 86400, 14 * 86400 };
	double span = p->to - p->from, step = 0, at;
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (step <= 0 && span <= DATES * steps[i])
			step = steps[i];
	if (step <= 0)
		step = 28 * 86400 * ceil(span / (DATES * 28.0 * 86400));
	at = ceil(p->from / step) * step;
	if (at > p->to)
		put_date(p, p->from, true);
	for (; at <= p->to; at += step)
		put_date(p, at, step < 86400);
}

static void put_axes(const struct picture *p)
{
	static const struct wm_svg_plot plot = { LEFT, WIDTH - RIGHT, TOP,
						 TOP + PLOT };

	wm_svg_bytes(&plot, p->top, 6, p->out);
	put_dates(p);
}

/* Where another name is already, the point's title alone has this one. */
static void put_build(struct picture *p, const char *build, double x, double y)
{
	size_t i;

	for (i = 0; i < p->names; i++)
		if (fabs(p->name[i].x - x) < NAME_WIDTH &&
		    fabs(p->name[i].y - y) < NAME_HEIGHT)
			return;
	if (p->names == NAMES)
		return;
	p->name[p->names++] = (struct name){ x, y };
	fprintf(p->out, "<text class=\"b\" x=\"%.1f\" y=\"%.1f\">%.7s</text>\n",
		x, y, build);
}

static void put_point(struct picture *p, const struct wm_history_run *r,
		      const char *color)
{
	const struct wm_history_run *before = r->before == WM_NO_RUN ?
						      NULL :
						      &p->h->run[r->before];
	bool built = !before || strcmp(before->build, r->build) != 0;
	double x = x_of(p, r), y = y_of(p, (double)r->peak);
	struct wm_buf b;

	fprintf(p->out,
		"<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" "
		"stroke=\"%s\" fill=\"%s\"><title>",
		built ? "build" : "run", x, y, built ? 5 : 3, color,
		built ? "#fff" : color);
	wm_svg_text(p->out, r->shown);
	fprintf(p->out, ": %s, build %s: %s</title></circle>\n", r->started,
		r->build, wm_bytes(&b, r->peak));
	if (built && r->build[0])
		put_build(p, r->build, x, y - 9);
}

static void put_series(struct picture *p, size_t k)
{
	const char *color = colors[k % COLORS];
	bool first = true;
	size_t i;

	fprintf(p->out, "<path class=\"line\" stroke=\"%s\" d=\"", color);
	for (i = 0; i < p->h->reads; i++) {
		const struct wm_history_run *r = &p->h->run[i];

		if (r->series != k)
			continue;
		fprintf(p->out, "%c%.1f %.1f", first ? 'M' : 'L', x_of(p, r),
			y_of(p, (double)r->peak));
		first = false;
	}
	fputs("\"/>\n", p->out);
	for (i = 0; i < p->h->reads; i++)
		if (p->h->run[i].series == k)
			put_point(p, &p->h->run[i], color);
}

static void put_legend(const struct picture *p, size_t k)
{
	const struct wm_history_run *r = &p->h->run[p->h->series[k].first];
	int y = TOP + PLOT + 50 + LEGEND * (int)k;

	fprintf(p->out,
		"<path class=\"line\" stroke=\"%s\" d=\"M%d %dh24\"/>"
		"<text x=\"%d\" y=\"%d\">",
		colors[k % COLORS], LEFT, y - 4, LEFT + 32, y);
	wm_svg_text(p->out, r->program);
	if (r->command && *r->command) {
		fputc(' ', p->out);
		wm_svg_text(p->out, r->command);
	}
	fprintf(p->out, ", %" PRIu64 " rank%s</text>\n", r->ranks,
		r->ranks == 1 ? "" : "s");
}

void wm_history_svg(const void *history, FILE *out)
{
	const struct wm_history *h = history;
	struct picture p = { .out = out, .h = h };
	int height = TOP + PLOT + 50 + LEGEND * (int)h->series_count;
	size_t k;

	find_ranges(&p);
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"%d\" viewBox=\"0 0 %d %d\">\n"
		"<!-- " WM_OUTPUT_MARK " -->\n"
		"<style>text{font:12px sans-serif;fill:#333}"
		".t{font-size:16px;font-weight:bold}.r{text-anchor:end}"
		".m{text-anchor:middle}.b{font-size:10px;text-anchor:middle}"
		".axis{stroke:#333;fill:none}.grid{stroke:#ddd}"
		".line{fill:none;stroke-width:1.5}"
		".build{stroke-width:2}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
		"<text x=\"100\" y=\"24\" class=\"t\">Peak of the highest "
		"rank by date; ringed: another build</text>\n",
		WIDTH, height, WIDTH, height);
	put_axes(&p);
	for (k = 0; k < h->series_count; k++)
		put_series(&p, k);
	for (k = 0; k < h->series_count; k++)
		put_legend(&p, k);
	fputs("</svg>\n", out);
}
