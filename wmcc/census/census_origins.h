/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the object file from which each range of addresses of an executable
 * came.
 *
 * One thread; strings belong to the link map and to the image.  Functions that
 * return int return 0, or -1 when memory is short.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wmcc/census/census_elf.h"
#include "wmcc/census/census_model.h"
#include "wmcc/census/linkmap.h"

/* The pieces of a link map, with their sections in one executable. */
struct wm_object_map {
	/* of struct wm_object_piece, by section and address */
	struct wm_vec pieces;
	/* objects of COMMON symbols, if the map lists them separately */
	struct wm_vec commons; /* of struct wm_map_common */
};

struct wm_object_piece {
	uint32_t section; /* index in the ELF file */
	bool common;
	uint64_t address, end;
	const char *object; /* NULL: the linker made it */
};

/*
 * Matches @map to @image.  A map of another program, whose pieces are outside
 * their sections, gives no pieces.
 */
int wm_object_map_init(struct wm_object_map *origins,
		       const struct wm_linkmap *map,
		       const struct wm_image *image);
void wm_object_map_release(struct wm_object_map *origins);

/* Returns the piece at @address of a section, or NULL if there is none. */
const struct wm_object_piece *
wm_object_map_find(const struct wm_object_map *origins, uint32_t section,
		   uint64_t address);

/* Returns the object of a COMMON symbol that the map lists, or NULL if it is
 * unknown. */
const char *wm_object_map_common(const struct wm_object_map *origins,
				 const char *name);

/* Returns the index of the first piece that ends after @address. */
size_t wm_object_map_first(const struct wm_object_map *origins,
			   uint32_t section, uint64_t address);

/*
 * Objects that existed only during a link (a compiler's /tmp/ccXXXXXX.o,
 * objects of link-time optimisation) are named after their source file if a
 * symbol has it, otherwise by a word in parentheses.  This function gives rows
 * and functions with such a word the source file of their line.
 */
int wm_census_name_temporaries(struct wm_census_model *model);
