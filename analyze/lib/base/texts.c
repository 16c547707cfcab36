/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/base/texts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"

const char *wm_texts_keep(struct wm_texts *t, char *text)
{
	if (!text)
		return NULL;
	if (WM_APPEND(t->text, t->cap, t->count, text))
		return text;
	free(text);
	return NULL;
}

__attribute__((format(printf, 1, 0))) static char *make_text(const char *fmt,
							     va_list ap)
{
	char *text;

	return vasprintf(&text, fmt, ap) < 0 ? NULL : text;
}

void wm_texts_add(struct wm_texts *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!wm_texts_keep(t, make_text(fmt, ap)))
		t->lost = true;
	va_end(ap);
}

void wm_texts_release(struct wm_texts *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->text[i]);
	free(t->text);
	memset(t, 0, sizeof(*t));
}

char *wm_text_make(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = make_text(fmt, ap);
	va_end(ap);
	return text;
}

void wm_line_add(struct wm_line *l, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(l->s + l->len, WM_LINE - l->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		l->len += (size_t)n;
	if (l->len >= WM_LINE)
		l->len = WM_LINE - 1;
}
