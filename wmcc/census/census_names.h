/* SPDX-License-Identifier: Apache-2.0 */
/* Makes names in debug information strings of the model, and caches them while
 * libdw's handle is open.  Texts belong to libdw. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "wmcc/census/census_model.h"

struct wm_known_slot {
	const void *key; /* NULL: free */
	uint32_t value;
};

/* A hash table from addresses in libdw's memory to numbers. */
struct wm_known {
	struct wm_known_slot *slots;
	size_t count, size; /* @size is a power of two, or 0 */
};

struct wm_names {
	struct wm_strings *strings;
	struct wm_vec scopes; /* struct scope: namespaces, classes, functions */
	struct wm_known functions; /* from entries to strings */
	struct wm_known files; /* from libdw's texts to strings */
	struct wm_known held_in; /* from entries of functions to scopes */
	struct wm_known mapped; /* units whose functions are in @held_in */
	const char *folder; /* of the unit, by its skeleton */
	unsigned *visits; /* entries that may still be visited; borrowed */
	bool failed; /* memory was short; numbers are 0 */
};

void wm_names_init(struct wm_names *names, struct wm_strings *strings,
		   unsigned *visits);
void wm_names_release(struct wm_names *names);

/* Forgets pointers to libdw; must be called before libdw's handle is closed. */
void wm_names_forget(struct wm_names *names);

/* Returns the linkage name of a function, or its name with all scopes around
 * it; 0 if it has no name. */
uint32_t wm_names_function(struct wm_names *names, Dwarf_Die *function);

/* Returns the file with the number @attr, or 0. */
uint32_t wm_names_file(struct wm_names *names, Dwarf_Attribute *attr);

/* Returns the linkage name of @die, else its name in the source, or NULL. */
const char *wm_dwarf_name(Dwarf_Die *die);

/* Returns the file with the number @attr in the line table of its unit, and
 * stores the unit in *@unit. */
const char *wm_dwarf_file(Dwarf_Attribute *attr, Dwarf_Die *unit);

/* Returns the folder in which @unit was compiled, or NULL. */
const char *wm_dwarf_folder(Dwarf_Die *unit);

/* A relative @file is below @folder. clang's leading "./" is removed. */
uint32_t wm_dwarf_add_path(struct wm_strings *strings, const char *folder,
			   const char *file);
