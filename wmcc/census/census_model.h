/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a bundle before it is encoded.  Functions return 0, or -1
 * without memory; the model stays valid. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_vec {
	void *items;
	size_t count, capacity;
	size_t item; /* bytes of an item */
};

#define WM_VEC(type)                                                           \
	{                                                                      \
		NULL, 0, 0, sizeof(type)                                       \
	}

/* Returns a new item, all zero, or NULL without memory.  Moves the others. */
void *wm_vec_add(struct wm_vec *vec);
void wm_vec_sort(struct wm_vec *vec, int (*by)(const void *, const void *));
void wm_vec_release(struct wm_vec *vec);

/* Different strings, numbered from 1; 0 stands for no string.  Strings beyond
 * the limit of a bundle get the number 0. */
struct wm_strings {
	char *text; /* each ended by a zero */
	size_t size, capacity;
	uint32_t *starts; /* where number i + 1 starts */
	uint32_t count, starts_capacity;
	uint32_t *slots; /* hash table of numbers; 0: free */
	uint32_t slot_count; /* a power of two, or 0 */
	bool failed; /* memory was short: the bundle cannot be written */
};

uint32_t wm_strings_add(struct wm_strings *strings, const char *s);
/* Returns 0 if @s is not there. */
uint32_t wm_strings_find(const struct wm_strings *strings, const char *s);
/* Returns NULL for 0.  The next wm_strings_add() moves the text. */
const char *wm_strings_get(const struct wm_strings *strings, uint32_t number);

struct wm_model_section {
	uint32_t name;
	uint32_t class; /* WMC_CLASS_* */
	uint32_t index; /* in the ELF file */
	uint64_t address, bytes;
	size_t first_row, rows;
};

struct wm_model_row {
	uint32_t name, object, file, line;
	uint32_t flags; /* WMC_ROW_* */
	uint64_t address, bytes;
};

struct wm_model_function {
	uint64_t address, bytes; /* disjoint, in order of address */
	uint32_t name, object;
};

struct wm_model_line {
	uint64_t address; /* in order of address */
	uint32_t file; /* 0: unknown from here on */
	uint32_t line;
};

struct wm_model_inline {
	uint64_t address, bytes; /* by address; outer calls before inner ones */
	uint32_t name; /* of the inlined function */
	uint32_t file, line; /* of the call */
};

/* The variable that receives the memory that a line allocates. */
struct wm_model_receiver {
	uint32_t file, line, name; /* in order of file and line */
};

struct wm_model_hookless {
	uint32_t name, flags; /* WMC_HOOKLESS_* */
	uint64_t objects;
};

struct wm_census_model {
	struct wm_strings strings;
	struct wm_vec sections; /* struct wm_model_section */
	struct wm_vec rows; /* struct wm_model_row */
	struct wm_vec functions; /* struct wm_model_function */
	struct wm_vec lines; /* struct wm_model_line */
	struct wm_vec inlines; /* struct wm_model_inline */
	struct wm_vec receivers; /* struct wm_model_receiver */
	struct wm_vec hookless; /* struct wm_model_hookless */
	size_t hooked; /* objects with access hooks; 0: not for app.wma */
	const char *program; /* borrowed */
	const char *link_map; /* static */
	const char *unseen; /* borrowed; NULL: nothing */
	uint8_t build_id[64];
	size_t build_id_lost; /* size of a build-id that does not fit; else 0 */
	size_t build_id_size;
	unsigned debug; /* WMC_DEBUG_* */
};

void wm_model_init(struct wm_census_model *model);
void wm_model_release(struct wm_census_model *model);

/* Encodes @model as a malloc'ed .xz file.  Leaves out inlined calls, and then
 * lines, if it would exceed the format's limit.  Returns 0, or -1. */
int wm_model_encode(const struct wm_census_model *model, uint8_t **bytes,
		    size_t *size);
