/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/base/units.h"

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

bool wm_parse_seconds(const char *text, double *seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} unit[] = { { "", 1 },
		     { "s", 1 },
		     { "ms", 1e-3 },
		     { "us", 1e-6 },
		     { "ns", 1e-9 } };
	char *end;
	double v;
	size_t i;

	if (*text < '0' || *text > '9')
		return false;
	v = strtod(text, &end);
	end += *end == ' ';
	for (i = 0; i < sizeof(unit) / sizeof(*unit); i++) {
		if (strcmp(end, unit[i].name) != 0)
			continue;
		*seconds = v * unit[i].seconds;
		return v < 1e15;
	}
	return false;
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

	/* strtod() alone would take 0x50 of 10x50 for one number */
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

size_t wm_parse_list(const char *text, double (*take)(const char **text),
		     double *v, size_t most)
{
	size_t n = 0;

	do {
		if (n == most)
			return 0;
		text += strspn(text, " ");
		v[n] = take(&text);
		if (!(v[n++] > 0) || (*text && *text != ','))
			return 0;
	} while (*text++);
	return n;
}

const char *wm_bytes(struct wm_buf *b, uint64_t bytes)
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

const char *wm_count(struct wm_buf *b, uint64_t n)
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

const char *wm_blocks(struct wm_buf *b, uint64_t n)
{
	size_t len = strlen(wm_count(b, n));

	snprintf(b->s + len, sizeof(b->s) - len, " block%s", n == 1 ? "" : "s");
	return b->s;
}

const char *wm_seconds(struct wm_buf *b, double s)
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

const char *wm_duration(struct wm_buf *b, double s)
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
