/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contents of a bundle, in memory, before it is encoded.
 *
 * Filled by census_rows.c (sections, variables), census_twin.c (functions),
 * census_vars.c, census_lines.c (source lines), census_inlines.c (inlined
 * calls) and census_receivers.c; written by census_encode.c.  One thread.
 * Functions return 0, or -1 when memory is short; then the model stays valid.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing array of items of one size. */
struct wm_vec {
	void *items;
	size_t count, capacity;
	size_t item; /* bytes of one */
};

#define WM_VEC(type)                                                           \
	{                                                                      \
		NULL, 0, 0, sizeof(type)                                       \
	}

/* Adds a new item, all zero; returns NULL when memory is short.  Moves the
 * other items. */
void *wm_vec_add(struct wm_vec *vec);
void wm_vec_release(struct wm_vec *vec);

/*
 * Strings, each kept once and numbered from 1 in the order of first use; number
 * 0 stands for no string.  When strings exceed the limit of a bundle, each
 * further string gets number 0.
 */
struct wm_strings {
	char *text; /* each ended by a zero byte */
	size_t size, capacity;
	uint32_t *starts; /* where number i + 1 starts */
	uint32_t count, starts_capacity;
	uint32_t *slots; /* hash table of numbers */
	uint32_t slot_count; /* a power of two, or 0 */
	bool failed; /* memory was short: the bundle cannot be written */
};

uint32_t wm_strings_add(struct wm_strings *strings, const char *s);
/* Returns the number of @s, or 0 if @s is not there. */
uint32_t wm_strings_find(const struct wm_strings *strings, const char *s);
/* Returns the text of a number, or NULL for 0.  The text moves with the next
 * wm_strings_add(). */
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
	uint64_t address, bytes; /* disjoint, ascending */
	uint32_t name, object;
};

struct wm_model_line {
	uint64_t address; /* ascending */
	uint32_t file; /* 0: nothing is known from here on */
	uint32_t line;
};

struct wm_model_inline {
	uint64_t address, bytes; /* ascending; outer calls before inner ones */
	uint32_t name; /* of the function that was inlined */
	uint32_t file, line; /* of the call */
};

/* The variable that receives the memory that a line allocates. */
struct wm_model_receiver {
	uint32_t file, line, name; /* ascending by file and line */
};

struct wm_model_hookless {
	uint32_t name, flags; /* WMC_HOOKLESS_* */
	uint64_t objects;
};

struct wm_census_model {
	struct wm_strings strings;
	struct wm_vec sections; /* of struct wm_model_section */
	struct wm_vec rows; /* of struct wm_model_row */
	struct wm_vec functions; /* of struct wm_model_function */
	struct wm_vec lines; /* of struct wm_model_line */
	struct wm_vec inlines; /* of struct wm_model_inline */
	struct wm_vec receivers; /* of struct wm_model_receiver */
	struct wm_vec hookless; /* of struct wm_model_hookless */
	size_t hooked; /* objects with access hooks; 0: no program with them */
	const char *program; /* the caller's */
	const char *link_map; /* static */
	const char *unseen; /* the caller's; NULL: nothing */
	uint8_t build_id[64];
	size_t build_id_lost; /* size of one that does not fit, else 0 */
	size_t build_id_size;
	unsigned debug; /* WMC_DEBUG_* */
};

void wm_model_init(struct wm_census_model *model);
void wm_model_release(struct wm_census_model *model);

/*
 * Encodes @model as a bundle, an .xz file in memory from malloc().  If the
 * bundle would exceed the format's limit, inlined calls are left out, and if
 * that is not enough, lines, too.  Returns 0, or -1.
 */
int wm_model_encode(const struct wm_census_model *model, uint8_t **bytes,
		    size_t *size);
