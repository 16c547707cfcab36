/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions and files from debug information, as strings of the model.
 * The names are cached while libdw's handle is open.
 *
 * One thread.  Text belongs to libdw.
 */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "wmcc/census/census_model.h"

struct wm_known_slot {
	const void *key; /* NULL: free */
	uint32_t value;
};

/* From addresses in libdw's memory to numbers. */
struct wm_known {
	struct wm_known_slot *slots;
	size_t count, size; /* size: a power of two, or 0 */
};

struct wm_names {
	struct wm_strings *strings;
	struct wm_vec scopes; /* namespaces, classes, functions around others */
	struct wm_known functions; /* entries: strings */
	struct wm_known files; /* text: strings */
	struct wm_known held_in; /* entries of functions: scopes */
	struct wm_known mapped; /* units whose functions are in @held_in */
	const char *folder; /* where the unit was compiled, by its skeleton */
	unsigned *visits; /* the caller's: entries that may be visited */
	bool failed; /* memory was short; numbers are 0 */
};

void wm_names_init(struct wm_names *names, struct wm_strings *strings,
		   unsigned *visits);
void wm_names_release(struct wm_names *names);

/* Forgets data of libdw.  Called before libdw's handle is closed. */
void wm_names_forget(struct wm_names *names);

/*
 * Returns the linkage name of a function, or its name with the namespaces,
 * modules, classes and functions around it; 0 if it has no name.
 */
uint32_t wm_names_function(struct wm_names *names, Dwarf_Die *function);

/* Returns the file with the number @attr; 0 if it is unknown. */
uint32_t wm_names_file(struct wm_names *names, Dwarf_Attribute *attr);

/* Returns the linker's name for @die if the compiler records that name,
 * otherwise the name in the source, or NULL if there is no name. */
const char *wm_dwarf_name(Dwarf_Die *die);

/* Returns the file with the number @attr in the line table of its unit, and
 * stores that unit in *@unit. */
const char *wm_dwarf_file(Dwarf_Attribute *attr, Dwarf_Die *unit);

/* Returns the folder in which @unit was compiled, or NULL if it is unknown. */
const char *wm_dwarf_folder(Dwarf_Die *unit);

/* Adds @file, below @folder if @file is relative, without clang's leading
 * "./". */
uint32_t wm_dwarf_add_path(struct wm_strings *strings, const char *folder,
			   const char *file);
