/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooked objects: the user's compile once more, with the access hooks of the
 * compiler's thread sanitizer, into the cache.  The user's objects, dependency
 * files and modules are not touched, and the compiler's messages, which the
 * user has read already, are not said again.
 *
 * One thread, may allocate.  Nothing here fails the user's compile: what goes
 * wrong is one warning line.
 */
#ifndef WM_WMCC_HOOKED_H
#define WM_WMCC_HOOKED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "wmcc/base/strv.h"

/* WMCC_ACCESS=1? */
bool wm_hooked_wanted(void);

/* A file that the compiler compiles or assembles. */
struct wm_hook_source {
	const char *path;
	size_t at; /* which argument */
	bool assembler;
	bool fortran;
	bool header; /* no object comes of it */
};

/* A compile as the user has asked for it. */
struct wm_compile {
	struct wm_strv words; /* the compiler */
	struct wm_strv args; /* response files expanded */
	struct wm_hook_source *sources;
	size_t source_count;
	bool quiet; /* no line when there is no hooked object */
};

/* Copies what it is given. */
void wm_compile_init(struct wm_compile *c, const struct wm_strv *words,
		     char *const *args);
void wm_compile_release(struct wm_compile *c);

/* Hand it to a process that inherits the descriptor; -1: it cannot be. */
int wm_compile_send(const struct wm_compile *c);
/* Take the one that was sent; false: there is none. */
bool wm_compile_receive(struct wm_compile *c, int fd);

/* Where the compiler has put the object of source number @i; to free. */
char *wm_compile_object(const struct wm_compile *c, size_t i);

/* Make and keep the one whose plain object is @object, made of source number
 * @i. */
void wm_hooked_make(const struct wm_compile *c, size_t i, const char *object);

/* The user's objects before a compile with -c, one for each source. */
struct stat *wm_compile_before(const struct wm_compile *c);
/* Make those of all objects that came since then; @before is freed. */
void wm_hooked_make_all(const struct wm_compile *c, struct stat *before);

#endif
