/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that are safe to show, wherever they come from.
 *
 * Programs, hosts, functions, files and whatever else traces, bundles and
 * executables tell may hold any bytes.  They are made plain where they come
 * in: each byte of what is no printable UTF-8 becomes \xHH.  So no report, no
 * export and no message can send anything to a terminal, end a line, or be
 * invalid UTF-8.  Not printable are control characters (C0, DEL, C1), line and
 * paragraph separators, what turns the direction of text, and what XML does
 * not allow.
 *
 * The bytes of a path can be had back, to open it: wm_unplain().
 *
 * Nothing is kept; any thread.
 */
#ifndef WM_ANALYZE_PLAIN_H
#define WM_ANALYZE_PLAIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whether a character beyond ASCII may be shown. */
static inline int wm_is_printable(uint32_t c)
{
	return c >= 0xa0 && c <= 0x10ffff && !(c >= 0xd800 && c < 0xe000) &&
	       (c & 0xfffe) != 0xfffe && c != 0x61c && c != 0x200e &&
	       c != 0x200f && !(c >= 0x2028 && c <= 0x202e) &&
	       !(c >= 0x2066 && c <= 0x2069) && c != 0xfeff;
}

/* Bytes of the printable character at @s, which has @n; 0: there is none. */
static inline size_t wm_plain_length(const char *s, size_t n)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	size_t want = *u < 0x80 ? 1 : *u < 0xc2 ? 0 : *u < 0xe0 ? 2 :
		      *u < 0xf0 ? 3 : *u < 0xf5 ? 4 : 0, i;
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

/*
 * @text, of @n bytes, made plain in @out, which has @room bytes; cut off
 * between characters when that is not enough.  Returns the length.
 */
static inline size_t wm_plain_put(char *out, size_t room, const char *text,
				  size_t n)
{
	static const char digit[] = "0123456789abcdef";
	size_t at = 0, k;

	for (; n; text += k ? k : 1, n -= k ? k : 1) {
		k = wm_plain_length(text, n);
		if (at + (k ? k : 4) >= room)
			break;
		if (k) {
			memcpy(out + at, text, k);
			at += k;
			continue;
		}
		out[at++] = '\\';
		out[at++] = 'x';
		out[at++] = digit[(unsigned char)*text >> 4];
		out[at++] = digit[(unsigned char)*text & 15];
	}
	out[at] = 0;
	return at;
}

static inline int wm_is_plain(const char *text)
{
	size_t n = strlen(text), k;

	for (; n; text += k, n -= k) {
		k = wm_plain_length(text, n);
		if (!k)
			return 0;
	}
	return 1;
}

/* A plain copy of @text, up to a 0 within @n bytes; NULL: no memory. */
static inline char *wm_plain(const char *text, size_t n)
{
	char *out;
	size_t len;

	n = strnlen(text, n);
	if (n > SIZE_MAX / 8 || !(out = malloc(4 * n + 5)))
		return NULL;
	len = wm_plain_put(out, 4 * n + 5, text, n);
	return realloc(out, len + 1);
}

static inline int wm_plain_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	       c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The bytes that became @plain, in place; a path that held \xHH itself is
 * another one then. */
static inline char *wm_unplain(char *plain)
{
	char *from = plain, *to = plain;

	while (*from) {
		int high = -1, low = -1;

		if (from[0] == '\\' && from[1] == 'x' &&
		    (high = wm_plain_digit(from[2])) >= 0)
			low = wm_plain_digit(from[3]);
		if (low >= 0 && (high || low)) {
			*to++ = (char)(high << 4 | low);
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	*to = 0;
	return plain;
}

#endif
