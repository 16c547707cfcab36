/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoded tables of a bundle: read_bundle.c and bundle_sections.c make the
 * tables, and bundle_find.c searches them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/symbols/read_bundle.h"

struct wm_bundle_function {
	uint64_t address, bytes;
	uint32_t name, object; /* strings */
};

struct wm_bundle_line {
	uint64_t address;
	uint32_t file; /* string; 0: unknown from here on */
	uint32_t line;
};

/* A range of an inlined call; ranges nest. */
struct wm_bundle_inlined {
	uint64_t address, end;
	uint32_t name, file; /* strings; file and line: of the call */
	uint32_t line;
	uint32_t outer; /* the range around it: index + 1; 0: a function */
};

/* The variable that receives the memory that a line allocates. */
struct wm_bundle_receiver {
	uint64_t place; /* file, a string, above the line, in 32 bits each */
	uint32_t name; /* string */
};

struct wm_bundle {
	uint8_t *bytes; /* decoded; strings and build-id lie in it */
	const uint8_t *build_id;
	size_t build_id_size;
	char *program, *link_map, *unseen;
	const char **strings; /* by number; [0] is NULL */
	size_t string_count; /* without [0] */
	char **plain; /* replacements of strings that were not plain */
	size_t plain_count, plain_cap;
	struct wm_bundle_function *functions; /* disjoint, ascending */
	size_t function_count;
	struct wm_bundle_line *lines; /* ascending */
	size_t line_count;
	struct wm_bundle_inlined *inlined; /* ascending, outer ones first */
	size_t inlined_count;
	struct wm_bundle_receiver *receivers; /* ascending */
	size_t receiver_count;
	struct wm_census census;
	struct wm_census_section *sections;
	struct wm_census_row *rows;
	struct wm_census_hookless *hookless;
};

/* Gives each section its rows, by descending bytes, and adds them up.  Called
 * when all rows and sections are there.  Returns NULL, or a text with the
 * damage. */
const char *wm_bundle_sections(struct wm_bundle *b);
