/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Link maps: the object file from which each part of a program came.
 *
 * Reads the -Map output of GNU ld, gold, lld and mold, which are distinguished
 * by their contents.  A map is a hint: lines that cannot be understood are
 * skipped, and a file that is not a map gives an empty map.
 *
 * One thread; all strings point into the map and live until
 * wm_linkmap_release().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wm_linkmap_kind {
	WM_MAP_NONE, /* not a map that we know */
	WM_MAP_BFD,
	WM_MAP_GOLD,
	WM_MAP_LLD,
	WM_MAP_MOLD,
};

/* A part that one object file gave to one output section. */
struct wm_map_piece {
	const char *section; /* the output section */
	const char *object; /* object file or archive(member); NULL: none */
	uint64_t address;
	uint64_t bytes; /* never 0 */
	bool common; /* was COMMON in the object file */
};

/* A COMMON symbol; bfd and gold list them separately. */
struct wm_map_common {
	const char *name;
	const char *object;
};

/* All zero is an empty map. */
struct wm_linkmap {
	enum wm_linkmap_kind kind;
	struct wm_map_piece *pieces; /* in the order of the map */
	size_t piece_count, piece_capacity;
	struct wm_map_common *commons;
	size_t common_count, common_capacity;
	char *text; /* the file, cut into strings */
	size_t size; /* bytes of it */
};

/*
 * Reads @path into @map.  Returns 0, or -1 with errno when the file cannot be
 * read or memory is short; then @map is empty.
 */
int wm_linkmap_read(struct wm_linkmap *map, const char *path);

/* Reads @size bytes at @text, which come from malloc(), into @map.  Results are
 * as for wm_linkmap_read(); the map owns @text then. */
int wm_linkmap_parse(struct wm_linkmap *map, char *text, size_t size);

void wm_linkmap_release(struct wm_linkmap *map);

/* Returns "bfd", "gold", "lld" or "mold", or NULL for WM_MAP_NONE. */
const char *wm_linkmap_kind_name(enum wm_linkmap_kind kind);
