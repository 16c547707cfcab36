/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bundle of a relinked program: its census of static memory and the symbols
 * and lines that turn addresses into source locations (docs/census-format.md).
 *
 * The bundle is read from the section .wm_census of app.wm or from the file
 * program.wmc.xz in a run directory.  All results belong to the bundle and live
 * until wm_bundle_free().  Not thread-safe while opening, read-only afterwards.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

struct wm_bundle;

/* A function and, where the program has line information, file and line. */
struct wm_location {
	const char *function; /* linkage name, not demangled; NULL: unknown */
	const char *file; /* NULL: unknown */
	uint32_t line; /* 0: unknown */
	const char *object; /* object file or archive(member); NULL: unknown */
	/* the variable or member, as in the source, that gets the memory which
	 * the line allocates; NULL: unknown */
	const char *receiver;
	const char *source; /* file that has the function; NULL: unknown */
};

/* A variable, common block, or range without an owner. */
struct wm_census_row {
	const char *section; /* .data, .bss ... */
	const char *name; /* NULL: padding and other unattributed bytes */
	uint64_t address; /* in the plain program; 0 for padding rows */
	uint64_t bytes;
	const char *object; /* object file or archive(member); NULL */
	const char *file; /* where it is declared; NULL */
	uint32_t line;
	bool common; /* from COMMON, a sub-row of .bss */
};

struct wm_census_section {
	const char *name;
	uint64_t bytes; /* the section header's size; rows add up to it */
	uint64_t address; /* in the plain program */
	enum wm_census_class {
		WM_CENSUS_DATA,
		WM_CENSUS_BSS,
		WM_CENSUS_TLS,
		WM_CENSUS_RODATA,
		WM_CENSUS_RELRO,
		WM_CENSUS_OTHER,
	} class;
	size_t first_row, rows; /* in wm_census.rows, by bytes descending */
};

/* For app.wma: a file that was linked without access hooks. */
struct wm_census_hookless {
	const char *name; /* object, archive(member), archive, library */
	uint64_t objects; /* number of objects in it */
	bool system; /* from the compiler, the C library ... */
};

struct wm_census {
	const char *program; /* base name of the plain program */
	/* static_bytes = data + bss + tls, without the others */
	uint64_t static_bytes, data, bss, tls, rodata, relro, other;
	const struct wm_census_section *sections;
	size_t section_count;
	const struct wm_census_row *rows;
	size_t row_count;
	/* "bfd" ...: the linker whose map named objects; NULL */
	const char *link_map;
	uint64_t hooked; /* objects with access hooks; 0: no app.wma */
	const struct wm_census_hookless *hookless;
	size_t hookless_count;
	const char *unseen; /* events missing from the traces; NULL: none */
	bool has_lines; /* the program had debug information on variables */
};

/* @path is a relinked executable or a bundle file. */
enum wm_status wm_bundle_open(struct wm_bundle **bundle, const char *path,
			      struct wm_err *err);
void wm_bundle_free(struct wm_bundle *bundle);

/* Returns the build-id of the relinked program; *size is 0 without one. */
const uint8_t *wm_bundle_build_id(const struct wm_bundle *bundle, size_t *size);
/* Returns the census, which is never NULL for an open bundle. */
const struct wm_census *wm_bundle_census(const struct wm_bundle *bundle);
/* Finds the function at @address, a link-time address in the relinked program,
 * and its line.  Returns false if there is none. */
bool wm_bundle_find(const struct wm_bundle *bundle, uint64_t address,
		    struct wm_location *location);
/* Like wm_bundle_find(), but stores the function's lowest line in the file
 * where the function begins.  Code inlined in the function does not count. */
bool wm_bundle_find_start(const struct wm_bundle *bundle, uint64_t address,
			  struct wm_location *location);
/*
 * Returns the linkage name of another function that has @line of @file between
 * its first and last line, and is in the same object as the function at
 * @address.  Inlined code does not count, nor do functions for which @skip
 * returns true.  Returns NULL if there is no such function, or it is unknown.
 */
const char *wm_bundle_find_around(const struct wm_bundle *bundle,
				  uint64_t address, const char *file,
				  uint32_t line,
				  bool (*skip)(const char *linkage));
/*
 * Finds the function at @address like wm_bundle_find(), with the inlined calls
 * around @address.  locations[0] is the innermost function, with the line at
 * @address.  Each further location is the function into which the one before
 * was inlined, with the line of the call; the last location is the function at
 * @address.  The file of a call may be unknown.  If @room is too small, the
 * innermost locations are left out.  Returns the number of locations, or 0 if
 * no function is found.
 */
size_t wm_bundle_frames(const struct wm_bundle *bundle, uint64_t address,
			struct wm_location *locations, size_t room);
