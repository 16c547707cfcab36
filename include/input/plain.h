/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes names safe to show.
 *
 * Names in traces, bundles, executables and on command lines may contain any
 * bytes.  In plain text each byte that is not part of printable UTF-8 is \xHH.
 * So no report, export or message can control a terminal, end a line, or be
 * invalid UTF-8.  Not printable are control characters (C0, DEL, C1), line and
 * paragraph separators, characters that change the direction of text, and
 * characters that XML does not allow.
 *
 * No state, no allocation; any thread, any time.
 */
#ifndef WM_PLAIN_H
#define WM_PLAIN_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the longest character of plain text. */
#define WM_PLAIN_UNIT 4

/* Returns whether a character beyond ASCII may be shown. */
static inline int wm_is_printable(uint32_t c)
{
	return c >= 0xa0 && c <= 0x10ffff && !(c >= 0xd800 && c < 0xe000) &&
	       (c & 0xfffe) != 0xfffe && c != 0x61c && c != 0x200e &&
	       c != 0x200f && !(c >= 0x2028 && c <= 0x202e) &&
	       !(c >= 0x2066 && c <= 0x2069) && c != 0xfeff;
}

/* Returns the bytes of the printable character at @s, which has @n bytes, or
 * 0. */
static inline size_t wm_plain_length(const char *s, size_t n)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	size_t want = *u < 0x80 ? 1 :
		      *u < 0xc2 ? 0 :
		      *u < 0xe0 ? 2 :
		      *u < 0xf0 ? 3 :
		      *u < 0xf5 ? 4 :
				  0,
	       i;
	uint32_t c;

	if (want == 1)
		return *u >= 0x20 && *u < 0x7f;
	if (!want || want > n)
		return 0;
	c = *u & (0x7fu >> want);
	for (i = 1; i < want; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (u[i] & 0x3fu);
	}
	return c >= least[want] && wm_is_printable(c) ? want : 0;
}

static inline int wm_plain_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	       c >= 'a' && c <= 'f' ? c - 'a' + 10 :
				      -1;
}

/* Returns 1 if an \xHH begins at @s. */
static inline int wm_plain_is_escape(const char *s)
{
	return s[0] == '\\' && s[1] == 'x' && wm_plain_digit(s[2]) >= 0 &&
	       wm_plain_digit(s[3]) >= 0;
}

/* Stores in @unit the text for the character, the \xHH or the byte at @s, which
 * has @n bytes, and in *@taken the number of its bytes at @s.  Returns the
 * length of the text. */
static inline size_t wm_plain_unit(const char *s, size_t n, size_t *taken,
				   char unit[WM_PLAIN_UNIT])
{
	static const char digit[] = "0123456789abcdef";
	size_t k = n >= 4 && wm_plain_is_escape(s) ? 4 : wm_plain_length(s, n);
	size_t i;

	*taken = k ? k : 1;
	for (i = 0; i < k; i++)
		unit[i] = s[i];
	if (k)
		return k;
	unit[0] = '\\';
	unit[1] = 'x';
	unit[2] = digit[(unsigned char)*s >> 4];
	unit[3] = digit[(unsigned char)*s & 15];
	return 4;
}

/* Makes @text, of @n bytes, plain in @out, which has @room bytes.  If the plain
 * text does not fit, it is cut off between characters.  Plain text remains
 * unchanged.  Returns the length. */
static inline size_t wm_plain_put(char *out, size_t room, const char *text,
				  size_t n)
{
	char unit[WM_PLAIN_UNIT];
	size_t at = 0, taken, k, i;

	for (; n; text += taken, n -= taken) {
		k = wm_plain_unit(text, n, &taken, unit);
		if (at + k >= room)
			break;
		for (i = 0; i < k; i++)
			out[at++] = unit[i];
	}
	out[at] = 0;
	return at;
}

/* Returns the last index, at most @at, where plain @text may be cut: neither in
 * a character nor in an \xHH.  @at must not exceed the length of @text. */
static inline size_t wm_plain_cut(const char *text, size_t at)
{
	size_t k;

	while (at && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	for (k = 1; k < 4 && k <= at; k++)
		if (wm_plain_is_escape(text + at - k))
			return at - k;
	return at;
}

/* Returns the first index, at least @at, where plain @text may be cut. */
static inline size_t wm_plain_cut_up(const char *text, size_t at)
{
	size_t from = wm_plain_cut(text, at);

	if (from == at)
		return at;
	if (wm_plain_is_escape(text + from))
		return from + 4;
	while (((unsigned char)text[at] & 0xc0) == 0x80)
		at++;
	return at;
}

#endif
