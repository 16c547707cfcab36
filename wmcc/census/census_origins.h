/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the object file of each address of an executable.  Strings belong to
 * the link map and to the image.  Functions return 0, or -1 without memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wmcc/census/census_elf.h"
#include "wmcc/census/census_model.h"
#include "wmcc/census/linkmap.h"

struct wm_object_map {
	/* struct wm_object_piece, by section and address */
	struct wm_vec pieces;
	/* objects of COMMON symbols if the map lists them separately */
	struct wm_vec commons; /* struct wm_map_common */
};

struct wm_object_piece {
	uint32_t section; /* index in the ELF file */
	bool common;
	uint64_t address, end;
	const char *object; /* NULL: the linker made it */
};

/* If many pieces are outside their sections, @map is of another program, and
 * gives no pieces. */
int wm_object_map_init(struct wm_object_map *origins,
		       const struct wm_linkmap *map,
		       const struct wm_image *image);
void wm_object_map_release(struct wm_object_map *origins);

const struct wm_object_piece *
wm_object_map_find(const struct wm_object_map *origins, uint32_t section,
		   uint64_t address);

/* Returns the object of a COMMON symbol, or NULL. */
const char *wm_object_map_common(const struct wm_object_map *origins,
				 const char *name);

/* Returns the index of the first piece that ends after @address. */
size_t wm_object_map_first(const struct wm_object_map *origins,
			   uint32_t section, uint64_t address);

/*
 * Objects that existed only during a link (a compiler's /tmp/ccXXXXXX.o,
 * link-time optimisation) are named after the source file of a symbol,
 * otherwise by a word in parentheses.  Replaces such words by the source file
 * of the line.
 */
int wm_census_name_temporaries(struct wm_census_model *model);
