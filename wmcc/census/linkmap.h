/* SPDX-License-Identifier: Apache-2.0 */
/* Reads link maps of GNU ld, gold, lld and mold: the object file of each part
 * of a program.  Skips lines that cannot be understood; another file gives an
 * empty map.  Strings belong to the map. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wm_linkmap_kind {
	WM_MAP_NONE, /* unknown format */
	WM_MAP_BFD,
	WM_MAP_GOLD,
	WM_MAP_LLD,
	WM_MAP_MOLD,
};

/* A part of an output section that came from one object file. */
struct wm_map_piece {
	const char *section;
	const char *object; /* object file or archive(member); NULL: none */
	uint64_t address;
	uint64_t bytes; /* never 0 */
	bool common; /* COMMON in the object file */
};

/* A COMMON symbol. bfd and gold list such symbols separately. */
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
	size_t size;
};

/* Returns 0, or -1 with errno and an empty map. */
int wm_linkmap_read(struct wm_linkmap *map, const char *path);

/* @text was malloc'ed, and belongs to the map.  Returns 0, or -1 with errno. */
int wm_linkmap_parse(struct wm_linkmap *map, char *text, size_t size);

void wm_linkmap_release(struct wm_linkmap *map);

const char *wm_linkmap_kind_name(enum wm_linkmap_kind kind);
