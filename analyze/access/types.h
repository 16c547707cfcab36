/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of debug information (DWARF 2 to 5): their sizes and parts.
 *
 * The input may be malicious: types that contain themselves, counts, nesting
 * and lists are bounded.  A struct wm_types counts the steps of one question;
 * when they are used up, the answer is "unknown".  Any thread may call, but
 * only one thread at a time for the same file.
 */
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
 * without typedef, const and the like.  Returns false if there is no type, or
 * the type is unknown. */
bool wm_types_of(struct wm_types *t, Dwarf_Die *die, Dwarf_Die *type);
/* Returns the bytes of the peeled @type; 0 if unknown, or if it has none. */
uint64_t wm_types_bytes(struct wm_types *t, Dwarf_Die *type);
/* Reads a numeric attribute; returns false if there is none. */
bool wm_types_number(Dwarf_Die *die, unsigned name, int64_t *value);

struct wm_dimension {
	int64_t lower;
	uint64_t count; /* 0: unknown */
	uint64_t stride; /* bytes from one to the next */
};

struct wm_array {
	Dwarf_Die element; /* its type, peeled */
	uint64_t bytes; /* of an element */
	uint64_t count; /* elements of all dimensions; 0: unknown */
	size_t rank;
	bool column_major; /* the first dimension is the dense one */
	struct wm_dimension dim[WM_TYPES_RANK]; /* as in the source */
};

/* Returns false if the peeled @type is not an array with its elements in
 * place. */
bool wm_types_array(struct wm_types *t, Dwarf_Die *type,
		    struct wm_array *array);
/* Returns whether @type describes a Fortran array with its memory elsewhere. */
bool wm_types_is_descriptor(Dwarf_Die *type);

struct wm_part {
	Dwarf_Die die;
	Dwarf_Die type; /* peeled */
	bool typed;
	const char *name; /* NULL: a base class, or without a name */
	uint64_t offset; /* bytes; for a bit field, of its first byte */
	uint64_t bytes; /* for a bit field, of all bytes that it is in */
	bool bits; /* a bit field */
};

struct wm_type_parts {
	struct wm_types *types;
	Dwarf_Die next;
	bool more;
	bool is_union;
	bool common; /* a COMMON block; offsets are from `base` */
	uint64_t base;
};

/* Begins the parts of the peeled @type; returns false if it has none. */
bool wm_types_parts(struct wm_types *t, Dwarf_Die *type, uint64_t base,
		    struct wm_type_parts *parts);
/* Base classes are parts, static members are not.  Returns false at the end. */
bool wm_types_next_part(struct wm_type_parts *parts, struct wm_part *part);

/* Stores in *@address the place of the variable @die: an address or, with
 * *@in_thread, an offset in thread-local memory.  Returns false for other
 * places. */
bool wm_types_place(Dwarf_Die *die, uint64_t *address, bool *in_thread);
