/* SPDX-License-Identifier: Apache-2.0 */
/* A list of strings, which it owns.  An empty list is all zero; otherwise @v is
 * a valid argv, ended by NULL.  Without memory, the process ends with status
 * 127. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "input/path.h"

struct wm_strv {
	char **v;
	size_t n;
	size_t cap;
};

void wm_strv_release(struct wm_strv *s);

/* Add a copy of @str at the end, or before index @at. */
void wm_strv_add(struct wm_strv *s, const char *str);
void wm_strv_insert(struct wm_strv *s, size_t at, const char *str);
void wm_strv_addv(struct wm_strv *s, char *const *v);
__attribute__((format(printf, 2, 3))) void wm_strv_addf(struct wm_strv *s,
							const char *fmt, ...);

/* Appends the words of @text, with quotes as in a linker's response file. */
void wm_strv_split(struct wm_strv *s, const char *text);

/* Appends @argv with every @FILE replaced by the words of FILE, unless it
 * cannot be read.  Returns true if a file was expanded.  @v is then a valid
 * argv even if it is empty. */
bool wm_strv_expand(struct wm_strv *s, char *const *argv);

/* Writes @s as a response file.  Returns 0, or -1 with errno. */
int wm_strv_write(const struct wm_strv *s, const char *path);

/* Return a new string, which the caller frees. */
__attribute__((format(printf, 1, 2))) char *wm_strf(const char *fmt, ...);
char *wm_strdup(const char *s);

/* Returns @array with room for more than @count elements of @size bytes; its
 * room is *@capacity. */
void *wm_grow(void *array, size_t count, size_t *capacity, size_t size);

bool wm_starts(const char *s, const char *prefix);
bool wm_ends(const char *s, const char *suffix);

bool wm_strv_has(const struct wm_strv *s, const char *str);

/* Return whether @s, or its first @n bytes, equals a word of @list, or whether
 * @s starts with one.  Blanks separate the words. */
bool wm_equals_any(const char *s, const char *list);
bool wm_is_word(const char *s, size_t n, const char *list);
bool wm_starts_any(const char *s, const char *list);
