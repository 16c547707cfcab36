/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of names that are safe to print (input/plain.h).  Names are made plain
 * where they are read, so that reports need not do it. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/plain.h"

static inline bool wm_is_plain(const char *text)
{
	size_t n = strlen(text), k;

	for (; n; text += k, n -= k) {
		k = wm_plain_length(text, n);
		if (!k)
			return false;
	}
	return true;
}

/* Returns a plain copy of a text of at most @n bytes; NULL: no memory. */
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

static inline void wm_put_plain(const char *text, FILE *out)
{
	char unit[WM_PLAIN_UNIT];
	size_t n = strlen(text), taken, k;

	for (; n; text += taken, n -= taken) {
		k = wm_plain_unit(text, n, &taken, unit);
		fwrite(unit, 1, k, out);
	}
}

/* Removes a character that snprintf() has cut in two at the end of the plain
 * text in @out.  @room is the size of @out, and @n the value that snprintf()
 * returned. */
static inline void wm_plain_trim(char *out, size_t room, int n)
{
	if (n >= 0 && (size_t)n >= room && room > WM_PLAIN_UNIT)
		out[wm_plain_cut(out, room - 1 - WM_PLAIN_UNIT)] = 0;
}

/* Restores, in place, the bytes of which @plain was made, so that a path can be
 * opened.  A path that itself had the text \xHH becomes another path. */
static inline char *wm_unplain(char *plain)
{
	char *from = plain, *to = plain;

	while (*from) {
		if (wm_plain_is_escape(from) && memcmp(from + 2, "00", 2)) {
			*to++ = (char)(wm_plain_digit(from[2]) << 4 |
				       wm_plain_digit(from[3]));
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	*to = 0;
	return plain;
}
