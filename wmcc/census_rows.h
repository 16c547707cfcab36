/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who owns the bytes: sections and variables of the plain program, functions
 * of its twin.
 *
 * One thread.  All return 0, or -1 when memory is short.
 */
#ifndef WM_WMCC_CENSUS_ROWS_H
#define WM_WMCC_CENSUS_ROWS_H

#include <stddef.h>

#include "wmcc/census_elf.h"
#include "wmcc/census_model.h"
#include "wmcc/linkmap.h"

/* The pieces of a link map, with their sections in one executable. */
struct wm_place_map {
	struct wm_vec pieces; /* of struct wm_place_piece, by section, address */
};

struct wm_place_piece {
	uint32_t section; /* index in the ELF file */
	int common;
	uint64_t address, end;
	const char *object; /* the link map's */
};

/*
 * Match @map to @image.  A map of another program (its pieces lie outside of
 * the sections that they name) gives no pieces.
 */
int wm_place_map_init(struct wm_place_map *places,
		      const struct wm_linkmap *map,
		      const struct wm_image *image);
void wm_place_map_release(struct wm_place_map *places);

/* The piece at @address of a section; NULL: none. */
const struct wm_place_piece *wm_place_map_find(
	const struct wm_place_map *places, uint32_t section, uint64_t address);

/*
 * Sections and rows of @plain into the model.  The rows of a section ascend
 * by address, bytes without a symbol come last; they add up to its size.
 */
int wm_census_rows(struct wm_model *model, const struct wm_image *plain,
		   const struct wm_place_map *places,
		   const struct wm_linkmap *map);

/*
 * Functions of @twin into the model.  Their objects come from @plain, where
 * a function of that name and size is found once.
 */
int wm_census_functions(struct wm_model *model, const struct wm_image *twin,
			const struct wm_image *plain,
			const struct wm_place_map *places);

#endif
