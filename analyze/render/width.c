/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/width.h"

#include <stdbool.h>
#include <stdint.h>

struct range {
	uint32_t first, last;
};

/* Combining marks and the like, in scripts that have many. */
static const struct range narrow[] = {
	{ 0x300, 0x36f },   { 0x483, 0x489 },	{ 0x591, 0x5bd },
	{ 0x610, 0x61a },   { 0x64b, 0x65f },	{ 0x93c, 0x93c },
	{ 0x941, 0x948 },   { 0x94d, 0x94d },	{ 0xe31, 0xe31 },
	{ 0xe34, 0xe3a },   { 0xe47, 0xe4e },	{ 0x1ab0, 0x1aff },
	{ 0x1dc0, 0x1dff }, { 0x200b, 0x200d }, { 0x20d0, 0x20ff },
	{ 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
};

/* East Asian Width W and F of Unicode, in blocks. */
static const struct range wide[] = {
	{ 0x1100, 0x115f },   { 0x2e80, 0x303e },   { 0x3041, 0x4dbf },
	{ 0x4e00, 0xa4cf },   { 0xa960, 0xa97f },   { 0xac00, 0xd7a3 },
	{ 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },
	{ 0xffe0, 0xffe6 },   { 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff },
	{ 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
};

static bool is_in(uint32_t c, const struct range *r, size_t n)
{
	for (; n && r->first <= c; n--, r++)
		if (c <= r->last)
			return true;
	return false;
}

size_t wm_width_char(const char *s, size_t *n)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t want = *u < 0xc0 ? 1 : *u < 0xe0 ? 2 : *u < 0xf0 ? 3 : 4;
	uint32_t c = want == 1 ? *u : *u & (0x7fu >> want);

	for (*n = 1; *n < want && (u[*n] & 0xc0) == 0x80; ++*n)
		c = c << 6 | (u[*n] & 0x3fu);
	if (c < 0x300)
		return 1;
	return is_in(c, narrow, sizeof(narrow) / sizeof(*narrow)) ? 0 :
	       is_in(c, wide, sizeof(wide) / sizeof(*wide))	  ? 2 :
								    1;
}

size_t wm_width(const char *s)
{
	size_t sum = 0, n;

	for (; *s; s += n)
		sum += wm_width_char(s, &n);
	return sum;
}

size_t wm_width_fits(const char *s, size_t columns)
{
	size_t used = 0, at = 0, n;

	for (; s[at]; at += n) {
		used += wm_width_char(s + at, &n);
		if (used > columns)
			break;
	}
	return at;
}
