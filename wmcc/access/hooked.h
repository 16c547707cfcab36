/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooked objects: the user's compile is run once more, with the access hooks of
 * the compiler's thread sanitizer, and its objects go into the cache.  The
 * user's objects, dependency files and modules are not touched, and the
 * compiler's messages are not printed again.
 *
 * One thread, may allocate.  Nothing here makes the user's compile fail: each
 * failure is one line of warning.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "wmcc/base/strv.h"

/* Whether WMCC_ACCESS=1 is set. */
bool wm_hooked_wanted(void);

/* A file that the compiler compiles or assembles. */
struct wm_hook_source {
	const char *path;
	size_t at; /* index of the argument */
	bool assembler;
	bool fortran;
	bool header; /* gives no object */
};

/* A compile as the user asked for it. */
struct wm_compile {
	struct wm_strv words; /* the compiler */
	struct wm_strv args; /* response files expanded */
	struct wm_hook_source *sources;
	size_t source_count;
	bool quiet; /* no line when there is no hooked object */
};

/* Fills @c with copies of the arguments. */
void wm_compile_init(struct wm_compile *c, const struct wm_strv *words,
		     char *const *args);
void wm_compile_release(struct wm_compile *c);

/* Passes the compile to a process that inherits the returned descriptor; -1 if
 * that fails. */
int wm_compile_send(const struct wm_compile *c);
/* Receives a compile that was sent.  Returns false if there is none. */
bool wm_compile_receive(struct wm_compile *c, int fd);

/* Returns the path of the compiler's object for source number @i; the caller
 * frees it. */
char *wm_compile_object(const struct wm_compile *c, size_t i);

/* Makes and keeps the hooked object for @object, which was made of source
 * number @i. */
void wm_hooked_make(const struct wm_compile *c, size_t i, const char *object);

/* Returns the state of the objects before a compile with -c, one for each
 * source. */
struct stat *wm_compile_before(const struct wm_compile *c);
/* Makes the hooked objects of all objects that are new since @before; frees
 * @before. */
void wm_hooked_make_all(const struct wm_compile *c, struct stat *before);
