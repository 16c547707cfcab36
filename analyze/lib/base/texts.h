/* SPDX-License-Identifier: Apache-2.0 */
/* Texts made at run time: a list that owns its texts, and one line that grows.
 * A zeroed list or line is empty.  One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct wm_texts {
	char **text;
	size_t count, cap;
	bool lost; /* wm_texts_add() had no memory */
};

/* Takes over @text, which was malloc'ed.  Returns NULL if @text is NULL or
 * memory is short; the text is then freed. */
const char *wm_texts_keep(struct wm_texts *t, char *text);
void wm_texts_add(struct wm_texts *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void wm_texts_release(struct wm_texts *t);

/* Returns the formatted text, malloc'ed, or NULL without memory. */
char *wm_text_make(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#define WM_LINE 400
struct wm_line {
	char s[WM_LINE];
	size_t len;
};

/* Appends to the line; text that does not fit is cut. */
void wm_line_add(struct wm_line *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
