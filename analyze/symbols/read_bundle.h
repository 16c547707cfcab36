/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the bundle of a relinked program: its census of static memory, and the
 * functions and lines of addresses (docs/census-format.md).  All results belong
 * to the bundle.  Opening is not thread-safe; later, any thread may read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

struct wm_bundle;

struct wm_location {
	const char *function; /* linkage name, not demangled; NULL: unknown */
	const char *file; /* NULL: unknown */
	uint32_t line; /* 0: unknown */
	const char *object; /* object file or archive(member); NULL: unknown */
	/* variable or member that receives the memory that this line
	 * allocates */
	const char *receiver;
	const char *source; /* source file of the function; NULL: unknown */
};

/* A variable, common block, or range without an owner. */
struct wm_census_row {
	const char *section;
	const char *name; /* NULL: padding and other unattributed bytes */
	uint64_t address; /* in the plain program; 0 for padding rows */
	uint64_t bytes;
	const char *object; /* object file or archive(member); NULL: unknown */
	const char *file; /* where it is declared; NULL: unknown */
	uint32_t line;
	bool common; /* from COMMON, a sub-row of .bss */
};

struct wm_census_section {
	const char *name;
	uint64_t bytes; /* the section header's size; rows add up to it */
	uint64_t address;
	enum wm_census_class {
		WM_CENSUS_DATA,
		WM_CENSUS_BSS,
		WM_CENSUS_TLS,
		WM_CENSUS_RODATA,
		WM_CENSUS_RELRO,
		WM_CENSUS_OTHER,
	} class;
	size_t first_row, rows; /* in wm_census.rows, by descending bytes */
};

/* A file that was linked into app.wma without access hooks. */
struct wm_census_hookless {
	const char *name; /* object, archive(member), archive, library */
	uint64_t objects;
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
	/* the linker whose map named the objects: "bfd" ...; NULL */
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

/* *@size is 0 without a build-id. */
const uint8_t *wm_bundle_build_id(const struct wm_bundle *bundle, size_t *size);
/* Never returns NULL. */
const struct wm_census *wm_bundle_census(const struct wm_bundle *bundle);
/* @address is as linked in the relinked program.  Returns false if neither a
 * function nor a line is known. */
bool wm_bundle_find(const struct wm_bundle *bundle, uint64_t address,
		    struct wm_location *location);
/* Like wm_bundle_find(), but stores the lowest line of the function in the file
 * where it begins.  Ignores inlined code. */
bool wm_bundle_find_start(const struct wm_bundle *bundle, uint64_t address,
			  struct wm_location *location);
/* Returns the linkage name of another function of the same object as @address
 * that has @line of @file between its first and last line, or NULL.  Ignores
 * inlined code, and functions for which @skip returns true. */
const char *wm_bundle_find_around(const struct wm_bundle *bundle,
				  uint64_t address, const char *file,
				  uint32_t line,
				  bool (*skip)(const char *linkage));
/*
 * Finds the function at @address, and the functions inlined there. locations[0]
 * is the innermost function with the line at @address.  Each further location
 * is the function into which the one before was inlined, with the line of the
 * call, whose file may be unknown.  If @room is too small, the innermost are
 * left out.  Returns the number of locations, or 0.
 */
size_t wm_bundle_frames(const struct wm_bundle *bundle, uint64_t address,
			struct wm_location *locations, size_t room);
