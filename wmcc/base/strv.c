/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/base/strv.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wmcc/base/file.h"
#include "wmcc/base/subprocess.h"

/* As in gcc; the limit ends a loop of response files. */
#define MAX_RESPONSE_FILES 2000

void wm_strv_release(struct wm_strv *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i]);
	free(s->v);
	memset(s, 0, sizeof(*s));
}

void *wm_grow(void *array, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return array;
	*capacity = 2 * *capacity + 64;
	array = realloc(array, *capacity * size);
	if (!array)
		wm_die("out of memory");
	return array;
}

/* Takes ownership of @str. */
static void strv_put(struct wm_strv *s, size_t at, char *str)
{
	s->v = wm_grow(s->v, s->n + 1, &s->cap, sizeof(*s->v));
	memmove(s->v + at + 1, s->v + at, (s->n - at) * sizeof(*s->v));
	s->v[at] = str;
	s->v[++s->n] = NULL;
}

void wm_strv_add(struct wm_strv *s, const char *str)
{
	strv_put(s, s->n, wm_strdup(str));
}

void wm_strv_insert(struct wm_strv *s, size_t at, const char *str)
{
	strv_put(s, at, wm_strdup(str));
}

void wm_strv_addv(struct wm_strv *s, char *const *v)
{
	for (; v && *v; v++)
		wm_strv_add(s, *v);
}

void wm_strv_addf(struct wm_strv *s, const char *fmt, ...)
{
	va_list ap;
	char *str;

	va_start(ap, fmt);
	if (vasprintf(&str, fmt, ap) < 0)
		wm_die("out of memory");
	va_end(ap);
	strv_put(s, s->n, str);
}

void wm_strv_split(struct wm_strv *s, const char *text)
{
	char *word = wm_strdup(text);

	for (;;) {
		size_t n = 0;
		char quote = 0;

		while (isspace((unsigned char)*text))
			text++;
		if (!*text)
			break;
		for (; *text; text++) {
			if (*text == '\\' && quote != '\'' && text[1]) {
				word[n++] = *++text;
			} else if (quote) {
				if (*text == quote)
					quote = 0;
				else
					word[n++] = *text;
			} else if (*text == '\'' || *text == '"') {
				quote = *text;
			} else if (isspace((unsigned char)*text)) {
				break;
			} else {
				word[n++] = *text;
			}
		}
		word[n] = 0;
		wm_strv_add(s, word);
	}
	free(word);
}

static bool expand_files(struct wm_strv *s, char *const *argv, size_t *budget)
{
	bool any = false;

	for (; argv && *argv; argv++) {
		char *text = NULL;
		struct wm_strv words = { 0 };
		size_t size;

		errno = 0;
		if (**argv == '@' && (*argv)[1] && *budget > 0)
			text = wm_file_load(*argv + 1, SIZE_MAX, &size);
		if (!text && errno == ENOMEM)
			wm_die("out of memory");
		if (!text) {
			wm_strv_add(s, *argv);
			continue;
		}
		any = true;
		--*budget;
		wm_strv_split(&words, text);
		free(text);
		expand_files(s, words.v, budget);
		wm_strv_release(&words);
	}
	return any;
}

bool wm_strv_expand(struct wm_strv *s, char *const *argv)
{
	size_t budget = MAX_RESPONSE_FILES;

	s->v = wm_grow(s->v, s->n, &s->cap, sizeof(*s->v));
	s->v[s->n] = NULL;
	return expand_files(s, argv, &budget);
}

int wm_strv_write(const struct wm_strv *s, const char *path)
{
	FILE *f = fopen(path, "we");

	if (!f)
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		if (!*s->v[i])
			fputs("\"\"", f);
		for (const char *p = s->v[i]; *p; p++) {
			if (isspace((unsigned char)*p) || strchr("\\'\"", *p))
				putc('\\', f);
			putc(*p, f);
		}
		putc('\n', f);
	}
	if (ferror(f)) {
		fclose(f);
		return -1;
	}
	return fclose(f);
}

char *wm_strf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		wm_die("out of memory");
	va_end(ap);
	return s;
}

char *wm_strdup(const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		wm_die("out of memory");
	return copy;
}

bool wm_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool wm_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && strcmp(s + n - m, suffix) == 0;
}

bool wm_is_word(const char *s, size_t n, const char *list)
{
	size_t k;

	for (; *list; list += k + (list[k] == ' ')) {
		k = strcspn(list, " ");
		if (k == n && !memcmp(s, list, n))
			return true;
	}
	return false;
}

bool wm_equals_any(const char *s, const char *list)
{
	return wm_is_word(s, strlen(s), list);
}

bool wm_starts_any(const char *s, const char *list)
{
	size_t k;

	for (; *list; list += k + (list[k] == ' ')) {
		k = strcspn(list, " ");
		if (!strncmp(s, list, k))
			return true;
	}
	return false;
}

bool wm_strv_has(const struct wm_strv *s, const char *str)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->v[i], str))
			return true;
	return false;
}
