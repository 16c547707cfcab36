/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/svg.h"

#include <math.h>

/* Length of the UTF-8 character at @s beyond ASCII, and its number; 0: bad. */
static int decode_char(const char *s, unsigned *number)
{
	unsigned char c = (unsigned char)*s;
	int n = c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;
	int i;

	if (!n || c >= 0xf5)
		return 0;
	*number = c & (0xffu >> (n + 1));
	for (i = 1; i < n; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
		*number = *number << 6 | ((unsigned char)s[i] & 0x3f);
	}
	/* what XML does not allow, too */
	return *number < 0xa0 || (*number >= 0xd800 && *number < 0xe000) ||
			       (*number & 0xfffe) == 0xfffe ||
			       *number > 0x10ffff ?
		       0 :
		       n;
}

void wm_svg_text(FILE *out, const char *s)
{
	unsigned number;
	int n;

	for (; *s; s++) {
		n = decode_char(s, &number);
		if (n) {
			fprintf(out, "&#%u;", number);
			s += n - 1;
			continue;
		}
		if (*s == '&')
			fputs("&amp;", out);
		else if (*s == '<')
			fputs("&lt;", out);
		else if (*s == '>')
			fputs("&gt;", out);
		else if ((unsigned char)*s >= 0x20 && (unsigned char)*s < 0x7f)
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
