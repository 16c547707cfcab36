/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooked objects: runs the user's compile once more, with the access hooks of
 * the thread sanitizer, and keeps its objects in the cache.  The user's files
 * are not touched, and the compiler's messages are not printed again.  Nothing
 * here makes the user's compile fail: each failure is one line of warning.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "wmcc/base/strv.h"

struct wm_hook_source {
	const char *path;
	size_t at; /* index in args */
	bool assembler;
	bool fortran;
	bool header; /* makes no object */
};

struct wm_compile {
	struct wm_strv words;
	struct wm_strv args; /* with response files expanded */
	struct wm_hook_source *sources;
	size_t source_count;
	bool quiet; /* prints no line if there is no hooked object */
};

/* Copies @words and @args. */
void wm_compile_init(struct wm_compile *c, const struct wm_strv *words,
		     char *const *args);
void wm_compile_release(struct wm_compile *c);

/* Returns a descriptor from which a child can receive @c, or -1. */
int wm_compile_send(const struct wm_compile *c);
/* Returns false if no compile was sent. */
bool wm_compile_receive(struct wm_compile *c, int fd);

/* Returns the path of the object of source @i, which the caller frees. */
char *wm_compile_object(const struct wm_compile *c, size_t i);

/* @object is the object of source @i. */
void wm_hooked_make(const struct wm_compile *c, size_t i, const char *object);

/* Returns the state of each source's object, which wm_hooked_make_all()
 * frees. */
struct stat *wm_compile_before(const struct wm_compile *c);
/* Makes hooked objects for all objects that are new since @before. */
void wm_hooked_make_all(const struct wm_compile *c, struct stat *before);
