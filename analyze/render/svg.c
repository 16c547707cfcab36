/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/svg.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/units.h"
#include "analyze/lib/base/whole.h"
#include "analyze/render/output.h"
#include "input/plain.h"

/* Returns the code point of the character at @s, of @n bytes in UTF-8. */
static unsigned char_number(const char *s, size_t n)
{
	unsigned number = (unsigned char)*s & (0x7fu >> n);

	while (--n)
		number = number << 6 | ((unsigned char)*++s & 0x3f);
	return number;
}

void wm_svg_text(FILE *out, const char *s)
{
	size_t n;

	for (; *s; s++) {
		n = wm_plain_length(s, strnlen(s, WM_PLAIN_UNIT));
		if (n > 1) {
			fprintf(out, "&#%u;", char_number(s, n));
			s += n - 1;
			continue;
		}
		if (*s == '&')
			fputs("&amp;", out);
		else if (*s == '<')
			fputs("&lt;", out);
		else if (*s == '>')
			fputs("&gt;", out);
		else if (n)
			putc(*s, out);
		else
			putc('?', out);
	}
}

double wm_svg_step(double whole, int n, double unit)
{
	double step = pow(10, floor(log10(whole / unit / n)));

	if (whole / unit / n / step > 5)
		step *= 10;
	else if (whole / unit / n / step > 2)
		step *= 5;
	else if (whole / unit / n / step > 1)
		step *= 2;
	return step * unit;
}

const char *const wm_svg_colour[WM_SVG_COLOURS] = {
	"#4878a8", "#e49444", "#6a9f58", "#d1615d", "#85b6b2",
	"#e7ca60", "#a87c9f", "#967662", "#f1a2a9", "#b8b0ac",
};

void wm_svg_begin(const struct wm_svg *p, double height, const char *classes)
{
	fprintf(p->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
		"<!-- " WM_OUTPUT_MARK " -->\n"
		"<style>text{font:12px sans-serif;fill:#333;stroke:none}"
		".t{font-size:16px;font-weight:bold}.s{font-size:11px}"
		".r{text-anchor:end}.m{text-anchor:middle}"
		".axis{stroke:#333;fill:none}.grid{stroke:#ddd}"
		".line{fill:none;stroke-width:1.5}"
		"%s</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		WM_SVG_WIDTH, height, WM_SVG_WIDTH, height, classes);
}

void wm_svg_end(const struct wm_svg *p)
{
	fputs("</svg>\n", p->out);
}

static double share_of(const struct wm_svg *p, double x)
{
	if (!(p->to > p->from))
		return 0;
	return p->logarithmic ? log(x / p->from) / log(p->to / p->from) :
				(x - p->from) / (p->to - p->from);
}

double wm_svg_x(const struct wm_svg *p, double v)
{
	return p->left + share_of(p, v) * (p->right - p->left);
}

/* Values that are too high are at the upper edge. */
static double y_of(const struct wm_svg *p, double v)
{
	double share = p->high > 0 ? fmin(v / p->high, 1) : 0;

	return p->bottom - share * (p->bottom - p->top);
}

void wm_svg_hold(struct wm_svg *p, double x, double y)
{
	p->from = p->to > 0 ? fmin(p->from, x) : x;
	p->to = fmax(p->to, x);
	p->high = fmax(p->high, y);
}

void wm_svg_to(const struct wm_svg *p, bool first, double x, double y)
{
	fprintf(p->out, "%c%.1f %.1f", first ? 'M' : 'L', wm_svg_x(p, x),
		y_of(p, y));
}

/* Like printf(), in an element, which is empty without memory. */
__attribute__((format(printf, 3, 0))) static void
put_text(FILE *out, const char *element, const char *fmt, va_list args)
{
	char *text;

	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	putc('>', out);
	wm_svg_text(out, text ? text : "");
	fprintf(out, "</%s>", element);
	free(text);
}

__attribute__((format(printf, 5, 0))) static void
put_label(const struct wm_svg *p, const char *class, double x, double y,
	  const char *fmt, va_list args)
{
	fprintf(p->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\"", class, x,
		y);
	put_text(p->out, "text", fmt, args);
	putc('\n', p->out);
}

void wm_svg_label(const struct wm_svg *p, const char *class, double x, double y,
		  const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put_label(p, class, x, y, fmt, args);
	va_end(args);
}

void wm_svg_title(const struct wm_svg *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fputs("<title", p->out);
	put_text(p->out, "title", fmt, args);
	va_end(args);
}

void wm_svg_legend(const struct wm_svg *p, const char *colour, double x,
		   double y, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fprintf(p->out,
		"<path stroke=\"%s\" stroke-width=\"12\" d=\"M%.1f %.1fh12\"/>",
		colour, x, y - 4);
	put_label(p, "", x + 18, y, fmt, args);
	va_end(args);
}

void wm_svg_point(const struct wm_svg *p, const char *class, double x, double y,
		  const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fprintf(p->out,
		"<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title",
		class, wm_svg_x(p, x), y_of(p, y));
	put_text(p->out, "title", fmt, args);
	fputs("</circle>\n", p->out);
	va_end(args);
}

void wm_svg_axes(const struct wm_svg *p)
{
	fprintf(p->out, "<path class=\"axis\" d=\"M%.0f %.0fV%.1fH%.0f\"/>\n",
		p->left, p->top, p->bottom, p->right);
}

void wm_svg_bytes(const struct wm_svg *p, int n)
{
	double unit = 1, step, v, y;
	struct wm_figure b;

	while (unit * 1024 <= p->high)
		unit *= 1024;
	step = p->high > 0 ? wm_svg_step(p->high, n, unit) : 0;
	for (v = 0; step > 0 && v <= p->high * 1.0001; v += step) {
		y = y_of(p, v);
		fprintf(p->out, "<path class=\"grid\" d=\"M%.0f %.1fH%.0f\"/>",
			p->left, y, p->right);
		wm_svg_label(p, "r", p->left - 8, y + 4, "%s",
			     wm_bytes(&b, wm_rounded(v)));
	}
	wm_svg_axes(p);
}

void wm_svg_tick(const struct wm_svg *p, double x, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fprintf(p->out, "<path class=\"axis\" d=\"M%.1f %.1fv5\"/>",
		wm_svg_x(p, x), p->bottom);
	put_label(p, "m", wm_svg_x(p, x), p->bottom + 20, fmt, args);
	va_end(args);
}

void wm_svg_seconds(const struct wm_svg *p)
{
	double step = wm_svg_step(p->to, 8, 1), v;

	for (v = 0; step > 0 && v <= p->to * 1.0001; v += step)
		wm_svg_tick(p, v, "%g s", v);
}

void wm_svg_doublings(const struct wm_svg *p)
{
	double factor = 2, v;

	while (p->from * pow(factor, 11) < p->to)
		factor *= 2;
	for (v = p->from; v <= p->to * 1.0001; v *= factor)
		wm_svg_tick(p, round(v), "%.15g", round(v));
}
