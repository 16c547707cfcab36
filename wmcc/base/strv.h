/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of strings that is always a valid argv (NULL-terminated).
 *
 * Only for wmcc and its linker shim: one thread, may allocate, ends the process
 * with status 127 when memory runs out.  The list owns its strings.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "input/path.h" /* wm_basename() */

struct wm_strv {
	char **v;
	size_t n;
	size_t cap;
};

void wm_strv_init(struct wm_strv *s);
void wm_strv_release(struct wm_strv *s);

/* Append a copy of @str, or insert it before index @at. */
void wm_strv_add(struct wm_strv *s, const char *str);
void wm_strv_insert(struct wm_strv *s, size_t at, const char *str);
void wm_strv_addv(struct wm_strv *s, char *const *v);
__attribute__((format(printf, 2, 3))) void wm_strv_addf(struct wm_strv *s,
							const char *fmt, ...);

/*
 * Appends the words of @text, which are separated by white space, with '...',
 * "..." and backslash as in a linker's response file.
 */
void wm_strv_split(struct wm_strv *s, const char *text);

/*
 * Appends @argv with every @FILE replaced by the words of FILE, to any depth
 * that a linker accepts.  A file that cannot be read is kept as it is.  Returns
 * true if a file was expanded.
 */
bool wm_strv_expand(struct wm_strv *s, char *const *argv);

/* Writes @s as a response file.  Returns 0, or -1 with errno. */
int wm_strv_write(const struct wm_strv *s, const char *path);

/* Return a new string, which the caller frees. */
__attribute__((format(printf, 1, 2))) char *wm_strf(const char *fmt, ...);
char *wm_strdup(const char *s);

bool wm_starts(const char *s, const char *prefix);
bool wm_ends(const char *s, const char *suffix);

bool wm_strv_has(const struct wm_strv *s, const char *str);

/* Whether @s equals, or starts with, one of the @n strings in @list. */
bool wm_equals_any(const char *s, const char *const *list, size_t n);
bool wm_starts_any(const char *s, const char *const *list, size_t n);
