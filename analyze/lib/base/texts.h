/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts made at run time: a list that owns its texts and must exist as long as
 * pointers to them are used, and one line that grows.  A zeroed list or line is
 * empty.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct wm_texts {
	char **text;
	size_t count, cap;
	bool lost; /* memory was short in a call of wm_texts_add() */
};

/* Keeps @text, which was malloc'ed.  NULL: @text is NULL, or memory is
 * short. */
const char *wm_texts_keep(struct wm_texts *t, char *text);
/* Adds a text, formatted like printf(). */
void wm_texts_add(struct wm_texts *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void wm_texts_release(struct wm_texts *t);

/* Returns the text that printf() would print, malloc'ed; NULL without
 * memory. */
char *wm_text_make(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#define WM_LINE 400
struct wm_line {
	char s[WM_LINE];
	size_t len;
};

/* Appends to the line, like printf(); text that does not fit is cut. */
void wm_line_add(struct wm_line *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
