/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/svg.h"

#include <math.h>
#include <string.h>

#include "analyze/base/units.h"
#include "analyze/base/whole.h"
#include "wm/plain.h"

/* The number of the character at @s, which has @n bytes of UTF-8. */
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

double wm_svg_step(double whole, int n, bool binary)
{
	double unit = 1, step;

	if (binary)
		while (unit * 1024 <= whole)
			unit *= 1024;
	step = pow(10, floor(log10(whole / unit / n)));
	if (whole / unit / n / step > 5)
		step *= 10;
	else if (whole / unit / n / step > 2)
		step *= 5;
	else if (whole / unit / n / step > 1)
		step *= 2;
	return step * unit;
}

double wm_svg_y(const struct wm_svg_plot *p, double bytes, double whole)
{
	return p->bottom -
	       (whole > 0 ? bytes / whole : 0) * (p->bottom - p->top);
}

void wm_svg_bytes(const struct wm_svg_plot *p, double whole, int n, FILE *out)
{
	double step = whole > 0 ? wm_svg_step(whole, n, true) : 0, v;
	struct wm_buf b;

	for (v = 0; step > 0 && v <= whole * 1.0001; v += step)
		fprintf(out,
			"<path class=\"grid\" d=\"M%.0f %.1fH%.0f\"/>"
			"<text x=\"%.0f\" y=\"%.1f\" class=\"r\">%s</text>\n",
			p->left, wm_svg_y(p, v, whole), p->right, p->left - 8,
			wm_svg_y(p, v, whole) + 4, wm_bytes(&b, wm_rounded(v)));
	fprintf(out, "<path class=\"axis\" d=\"M%.0f %.0fV%.0fH%.0f\"/>\n",
		p->left, p->top, p->bottom, p->right);
}
