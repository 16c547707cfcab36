/* SPDX-License-Identifier: Apache-2.0 */
/* Types of debug information (DWARF 2 to 5): their sizes and parts.  The input
 * may be malicious, so recursion, counts and lists are bounded.  A struct
 * wm_types counts the steps of one question; when no steps are left, the answer
 * is "unknown".  One thread at a time for each file. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of one question. */
#define WM_TYPES_STEPS (1u << 20)
#define WM_TYPES_DEPTH 48
#define WM_TYPES_RANK 16

struct wm_types {
	unsigned steps; /* left */
	unsigned depth; /* of types in types */
};

/* Stores in *@type the declared type of the variable or member @die, peeled:
 * without typedef, const and the like.  Returns false if there is none. */
bool wm_types_of(struct wm_types *t, Dwarf_Die *die, Dwarf_Die *type);
/* @type is peeled.  Returns 0 if the size is unknown. */
uint64_t wm_types_bytes(struct wm_types *t, Dwarf_Die *type);
/* Reads a numeric attribute; returns false if there is none. */
bool wm_types_number(Dwarf_Die *die, unsigned name, int64_t *value);

struct wm_dimension {
	int64_t lower;
	uint64_t count; /* 0: unknown */
	uint64_t stride; /* bytes from one element to the next */
};

struct wm_array {
	Dwarf_Die element; /* its peeled type */
	uint64_t bytes; /* of an element */
	uint64_t count; /* in all dimensions; 0: unknown */
	size_t rank;
	bool column_major; /* the first dimension is dense */
	struct wm_dimension dim[WM_TYPES_RANK]; /* in the order of the source */
};

/* Returns false unless the peeled @type is an array with its elements
 * inside. */
bool wm_types_array(struct wm_types *t, Dwarf_Die *type,
		    struct wm_array *array);
/* Returns whether @type describes a Fortran array with memory elsewhere. */
bool wm_types_is_descriptor(Dwarf_Die *type);

struct wm_part {
	Dwarf_Die die;
	Dwarf_Die type; /* peeled */
	bool typed;
	const char *name; /* NULL: a base class, or no name */
	uint64_t offset; /* in bytes; of the first byte of a bit field */
	uint64_t bytes; /* of a bit field: all bytes that it touches */
	bool bits;
};

struct wm_type_parts {
	struct wm_types *types;
	Dwarf_Die next;
	bool more;
	bool is_union;
	bool common; /* a COMMON block; offsets are from .base */
	uint64_t base;
};

/* Begins the parts of the peeled @type; returns false if it has none. */
bool wm_types_parts(struct wm_types *t, Dwarf_Die *type, uint64_t base,
		    struct wm_type_parts *parts);
/* Base classes are parts, static members are not.  Returns false at the end. */
bool wm_types_next_part(struct wm_type_parts *parts, struct wm_part *part);

/* Stores in *@address the address of the variable @die or, with *@in_thread,
 * its offset in thread-local memory.  Returns false for other places. */
bool wm_types_place(Dwarf_Die *die, uint64_t *address, bool *in_thread);
