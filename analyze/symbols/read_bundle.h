/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bundle of a relinked program: its census of static memory and the symbols
 * and lines that turn addresses into source locations (docs/census-format.md).
 *
 * Read from the section .wm_census of app.wm or from a run directory's
 * program.wmc.xz.  Everything returned belongs to the bundle and lives until
 * wm_bundle_free().  Not thread-safe while opening, read-only afterwards.
 */
#ifndef WM_ANALYZE_READ_BUNDLE_H
#define WM_ANALYZE_READ_BUNDLE_H

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
	/* the local or member that gets the memory which the line allocates, as
	 * the source has it; NULL: unknown */
	const char *receiver;
	const char *source; /* file that the function is in; NULL: unknown */
};

/* One variable, common block, or stretch without an owner. */
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

/* For app.wma: a file linked without access hooks. */
struct wm_census_hookless {
	const char *name; /* object, archive(member), archive, library */
	uint64_t objects; /* how many it stands for */
	bool system; /* the compiler's, the C library's ... */
};

struct wm_census {
	const char *program; /* base name of the plain program */
	/* static_bytes = data + bss + tls; the others are no part of it */
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
	const char *unseen; /* what the traces lack, in words; NULL: nothing */
	bool has_lines; /* the program had debug information on variables */
};

/* @path: a relinked executable or a bundle file. */
enum wm_status wm_bundle_open(struct wm_bundle **bundle, const char *path,
			      struct wm_err *err);
void wm_bundle_free(struct wm_bundle *bundle);

/* Build-id of the relinked program; *size is 0 when it has none. */
const uint8_t *wm_bundle_build_id(const struct wm_bundle *bundle, size_t *size);
/* Never NULL for an open bundle. */
const struct wm_census *wm_bundle_census(const struct wm_bundle *bundle);
/*
 * The function that holds @address, a link-time address in the relinked
 * program, and the line there.  false when not found.
 */
bool wm_bundle_find(const struct wm_bundle *bundle, uint64_t address,
		    struct wm_location *location);
/* The same of the function that holds @address, and its lowest line in the file
 * that it begins in, but for code that is inlined in it. */
bool wm_bundle_find_start(const struct wm_bundle *bundle, uint64_t address,
			  struct wm_location *location);
/*
 * The function of the object of the one at @address that has @line of @file
 * between its first and its last line, and not in what is inlined in it: its
 * linkage name; NULL: none, or not known.  Not itself, nor those that @skip
 * says.
 */
const char *wm_bundle_find_around(const struct wm_bundle *bundle,
				  uint64_t address, const char *file,
				  uint32_t line,
				  bool (*skip)(const char *linkage));
/*
 * The same as wm_bundle_find() with the inlined calls that @address lies in: locations[0] is the
 * innermost function, with the line at @address, each further one is where it
 * was inlined, with the line of that call; the last one holds the address.
 * The file of a call may be unknown.  Innermost ones that do not fit @room are
 * left out.  Returns the number of locations; 0 when not found.
 */
size_t wm_bundle_frames(const struct wm_bundle *bundle, uint64_t address,
			struct wm_location *locations, size_t room);

#endif
