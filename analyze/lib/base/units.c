/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wm_parse_bytes(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMGTP";
	const char *unit;
	double v;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	v = strtod(text, &end);
	if (*end) {
		unit = strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end);
		if (!unit && (*end != 'B' || end[1]))
			return false;
		if (unit)
			v *= (double)(1ull << 10 * (unit - units + 1));
		end++;
		end += *end == 'i';
		end += *end == 'B';
	}
	if (*end || !(v < 0x1p62))
		return false;
	*bytes = (uint64_t)v;
	return true;
}

struct unit {
	const char *name;
	double seconds;
};

static const struct unit short_units[] = {
	{ "", 1 },	{ "s", 1 },	{ "ms", 1e-3 }, { "us", 1e-6 },
	{ "µs", 1e-6 }, { "ns", 1e-9 }, { NULL, 0 },
};

static double find_unit(const struct unit *unit, const char *name, size_t n)
{
	for (; unit->name; unit++)
		if (strlen(unit->name) == n && !strncmp(unit->name, name, n))
			return unit->seconds;
	return 0;
}

bool wm_parse_seconds(const char *text, double *seconds)
{
	double v, unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	v = strtod(text, &end);
	end += *end == ' ';
	unit = find_unit(short_units, end, strlen(end));
	*seconds = v * unit;
	return unit > 0 && v < 1e15;
}

/* Returns the number of decimals of a number without an exponent, or -1. */
static int count_decimals(const char *text, const char *end)
{
	size_t whole = strspn(text, "0123456789"), n = 0;

	if (text[whole] == '.')
		n = 1 + strspn(text + whole + 1, "0123456789");
	return text + whole + n == end ? (int)n - (n > 0) : -1;
}

/* If *@text begins like "2 min ", adds this time to *@seconds, moves *@text
 * behind it, and returns the unit in seconds.  Otherwise returns 0. */
static double take_long_unit(const char **text, double *seconds)
{
	static const struct unit units[] = { { "h", 3600 },
					     { "min", 60 },
					     { NULL, 0 } };
	size_t n = strspn(*text, "0123456789"), gap = (*text)[n] == ' ';
	const char *name = *text + n + gap;
	size_t length = strspn(name, "hmin");
	double unit = n ? find_unit(units, name, length) : 0;

	if (unit > 0) {
		*seconds += strtod(*text, NULL) * unit;
		*text = name + length + (name[length] == ' ');
	}
	return unit;
}

bool wm_parse_moment(const char *text, double *seconds, double *half)
{
	double before = 0, last = 0, unit;
	int decimals;
	char *end;

	while ((unit = take_long_unit(&text, &before)) > 0)
		last = unit;
	*half = last / 2;
	*seconds = before;
	if (last > 0 && !*text)
		return before < 1e15;
	if (!wm_parse_seconds(text, seconds))
		return false;
	strtod(text, &end);
	decimals = count_decimals(text, end);
	end += *end == ' ';
	*half = decimals < 0 || !(*seconds > 0) ?
			0 :
			find_unit(short_units, end, strlen(end)) / 2;
	while (decimals-- > 0)
		*half /= 10;
	*seconds += before;
	return true;
}

bool wm_parse_number(const char *s, uint64_t max, uint64_t *v)
{
	uint64_t n = 0;

	if (!*s)
		return false;
	for (; *s; s++) {
		if (*s < '0' || *s > '9' || n > max / 10)
			return false;
		n = n * 10 + (uint64_t)(*s - '0');
	}
	*v = n;
	return n <= max;
}

double wm_take_number(const char **text)
{
	char buf[32], *end;
	size_t n = strspn(*text, "0123456789.eE+-");
	double v;

	/* for strtod(), 0x50 in 10x50 is one number */
	if (!n || n >= sizeof(buf) || **text == '+')
		return 0;
	memcpy(buf, *text, n);
	buf[n] = 0;
	v = strtod(buf, &end);
	if (*end || !(v > 0) || v > 0x1p60)
		return 0;
	*text += n;
	return v;
}

const char *wm_bytes(struct wm_figure *b, uint64_t bytes)
{
	static const char *const unit[] = { "bytes", "KiB", "MiB", "GiB",
					    "TiB",   "PiB", "EiB" };
	double v = (double)bytes;
	size_t i = 0;

	/* 1023.95 would print as 1024.0 */
	for (; v >= (i ? 1023.95 : 1024) && i < 6; i++)
		v /= 1024;
	if (i)
		snprintf(b->s, sizeof(b->s), "%.1f %s", v, unit[i]);
	else
		snprintf(b->s, sizeof(b->s), "%" PRIu64 " byte%s", bytes,
			 bytes == 1 ? "" : "s");
	return b->s;
}

const char *wm_several(struct wm_figure *b, uint64_t n, const char *one)
{
	snprintf(b->s, sizeof(b->s), "%" PRIu64 " %s%s", n, one,
		 n == 1 ? "" : "s");
	return b->s;
}

const char *wm_count(struct wm_figure *b, uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n), i;
	char *out = b->s;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = 0;
	return b->s;
}

const char *wm_blocks(struct wm_figure *b, uint64_t n)
{
	size_t len = strlen(wm_count(b, n));

	snprintf(b->s + len, sizeof(b->s) - len, " block%s", n == 1 ? "" : "s");
	return b->s;
}

const char *wm_seconds(struct wm_figure *b, double s)
{
	/* 999.9996 ms would print as 1000.000 ms */
	if (s >= 0.9999995)
		snprintf(b->s, sizeof(b->s), "%.3f s", s);
	else if (s >= 0.0009999995)
		snprintf(b->s, sizeof(b->s), "%.3f ms", s * 1e3);
	else
		snprintf(b->s, sizeof(b->s), "%.*f us", s > 0 ? 3 : 0, s * 1e6);
	return b->s;
}

const char *wm_instant(struct wm_figure *b, double s)
{
	if (s < 0.9999995)
		return wm_seconds(b, s);
	snprintf(b->s, sizeof(b->s), "%.6f s", s);
	return b->s;
}

const char *wm_duration(struct wm_figure *b, double s)
{
	static const struct {
		const char *name;
		double seconds;
	} unit[] = { { "h", 3600 },  { "min", 60 },  { "s", 1 },
		     { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 } };
	size_t i = 0;
	double v;

	/* 999.6 us would print as 1000 us */
	while (i < 5 && s < unit[i].seconds * (i > 1 ? 0.9995 : 1))
		i++;
	v = s / unit[i].seconds;
	snprintf(b->s, sizeof(b->s), "%.*f %s", v < 99.95 && i < 5 && v > 0, v,
		 unit[i].name);
	return b->s;
}
