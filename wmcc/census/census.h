/* SPDX-License-Identifier: Apache-2.0 */
/* The census of static memory of the plain program.  It is stored with the
 * symbols and lines of the relinked program in the section .wm_census of the
 * relinked program (docs/census-format.md). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_linkmap;

/* An object whose accesses app.wma does not record. */
struct wm_hookless {
	char *name; /* object, archive(member), archive, or shared library */
	size_t members; /* of an archive without any hooks; else 0 */
	bool system; /* from the compiler or the C library */
};

struct wm_census_input {
	const char *plain; /* the user's executable, or an unstripped copy */
	const char *twin; /* relinked; the section is added to it */
	const struct wm_linkmap *map; /* of the plain link; NULL: none */
	/* events missing from its traces, in words; NULL: none */
	const char *unseen;
	/* for app.wma: objects with access hooks, and without; 0 for app.wm */
	size_t hooked;
	const struct wm_hookless *hookless;
	size_t hookless_count;
	/* the program's name; NULL: the base name of @plain */
	const char *program;
};

enum wm_census_extent {
	WM_CENSUS_WHOLE, /* static memory, functions, lines */
	WM_CENSUS_STATIC, /* static memory, and where it is declared */
	WM_CENSUS_SIZES, /* static memory without debug information */
};

/* Stores the malloc'ed bundle in *@bytes.  Errors are as for wm_census_embed().
 * @in->twin may be the plain program. */
int wm_census_make(const struct wm_census_input *in, enum wm_census_extent what,
		   uint8_t **bytes, size_t *size, char *err, size_t err_size);

/*
 * Adds the bundle to @in->twin as a section.  A child makes the bundle, as
 * broken debug information may have any effect.  The caller must be
 * single-threaded.
 *
 * Returns 0, or -1 with one line in @err and the program unchanged.  After
 * success @err is "", or lists omitted debug information and the reasons.
 */
int wm_census_embed(const struct wm_census_input *in, char *err, size_t size);
