/* SPDX-License-Identifier: Apache-2.0 */
/* Bounded strings without libc, in memory of the caller.  Text that does not
 * fit is cut off, and `full` is set.  The text always ends with a zero.  May be
 * used in any context. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/plain.h"

struct wm_text {
	char *s;
	size_t len, room; /* room counts the final zero */
	bool full;
};

static inline struct wm_text wm_text_on(char *buf, size_t room)
{
	struct wm_text t = { buf, 0, room, 0 };

	buf[0] = 0;
	return t;
}

static inline void wm_text_char(struct wm_text *t, char c)
{
	if (t->len + 1 >= t->room) {
		t->full = true;
		return;
	}
	t->s[t->len++] = c;
	t->s[t->len] = 0;
}

static inline void wm_text_add(struct wm_text *t, const char *s)
{
	while (*s)
		wm_text_char(t, *s++);
}

/* Appends a name that may contain any bytes, made printable (input/plain.h). */
static inline void wm_text_plain(struct wm_text *t, const char *s)
{
	char unit[WM_PLAIN_UNIT];
	size_t n = 0, taken, k;

	while (s[n])
		n++;
	for (; n; s += taken, n -= taken) {
		k = wm_plain_unit(s, n, &taken, unit);
		if (t->len + k >= t->room) {
			t->full = true;
			return;
		}
		for (size_t i = 0; i < k; i++)
			t->s[t->len++] = unit[i];
		t->s[t->len] = 0;
	}
}

/* Appends @v as a decimal number, padded with zeros to @digits. */
static inline void wm_text_uint(struct wm_text *t, uint64_t v, int digits)
{
	char tmp[24];
	int n = 0;

	do {
		tmp[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	while (n < digits)
		tmp[n++] = '0';
	while (n)
		wm_text_char(t, tmp[--n]);
}

static inline bool wm_str_equal(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* the hash FNV-1a */
static inline uint64_t wm_str_hash(const char *s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	while (*s)
		h = (h ^ (uint8_t)*s++) * UINT64_C(0x100000001b3);
	return h;
}

/* Stores the number at the start of @s in *@v.  Returns the first character
 * after it, or NULL if there is no number or it does not fit. */
static inline const char *wm_str_uint(const char *s, uint64_t *v)
{
	const char *p = s;
	uint64_t r = 0;

	for (; *p >= '0' && *p <= '9'; p++) {
		uint64_t d = (uint64_t)(*p - '0');

		if (r > (UINT64_MAX - d) / 10)
			return NULL;
		r = r * 10 + d;
	}
	if (p == s)
		return NULL;
	*v = r;
	return p;
}
