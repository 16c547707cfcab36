/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that read_bundle.c and bundle_sections.c make for bundle_find.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/symbols/read_bundle.h"

struct wm_bundle_function {
	uint64_t address, bytes;
	uint32_t name, object; /* indexes in strings[] */
};

struct wm_bundle_line {
	uint64_t address;
	uint32_t file; /* index in strings[]; 0: unknown from here on */
	uint32_t line;
};

/* The addresses of an inlined call; ranges nest. */
struct wm_bundle_inlined {
	uint64_t address, end;
	uint32_t name, file; /* in strings[]; file and line of the call */
	uint32_t line;
	uint32_t outer; /* index + 1 of the range around it; 0: none */
};

/* The variable that receives the memory that a line allocates. */
struct wm_bundle_receiver {
	uint64_t place; /* file, as an index in strings[], << 32 | line */
	uint32_t name;
};

struct wm_bundle {
	uint8_t *bytes; /* decoded; contains strings and build_id */
	const uint8_t *build_id;
	size_t build_id_size;
	char *program, *link_map, *unseen;
	const char **strings; /* [0] is NULL */
	size_t string_count;
	char **plain; /* copies of strings that were not printable */
	size_t plain_count, plain_cap;
	struct wm_bundle_function *functions; /* disjoint, by address */
	size_t function_count;
	struct wm_bundle_line *lines; /* in order of address */
	size_t line_count;
	struct wm_bundle_inlined *inlined; /* by address, outer ones first */
	size_t inlined_count;
	struct wm_bundle_receiver *receivers; /* in order of place */
	size_t receiver_count;
	struct wm_census census;
	struct wm_census_section *sections;
	struct wm_census_row *rows;
	struct wm_census_hookless *hookless;
};

/* Assigns rows to sections, sorts them and adds them up.  Returns NULL, or a
 * text that describes the damage. */
const char *wm_bundle_sections(struct wm_bundle *b);

/* Stores the decoded bytes, which the caller frees, in *@bytes.  @path is a
 * relinked program or a bundle file. */
enum wm_status wm_bundle_load(const char *path, uint8_t **bytes, size_t *size,
			      struct wm_err *err);
