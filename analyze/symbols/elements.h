/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static variables of an executable with their members and elements: makes the
 * text for an address of static memory, in the source's language.
 *
 * Names and sizes are from the file's symbol table, types from its debug
 * information (libdw); both are read when the file is opened, and texts are
 * made on request.  Without debug information the text of a variable is
 * symbol+offset, and wm_elements_why() has the reason.  Debug information in
 * .dwo files and variables that the compiler has split are left out.
 *
 * Memory: a hundred bytes per variable, of which there are at most 1 Mi.  A
 * returned text belongs to the wm_elements.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/symbols/element_text.h"
#include "analyze/lib/trace/paths.h"

enum wm_shape {
	WM_SHAPE_UNKNOWN, /* without debug information */
	WM_SHAPE_SCALAR,
	WM_SHAPE_STRUCTURE, /* union, class and COMMON block as well */
	WM_SHAPE_ARRAY,
};

struct wm_elements_variable {
	/* as linked; in_thread: offset in the thread's memory */
	uint64_t address, bytes;
	const char *name; /* for people: grid, mod::a, /blk/, f::count */
	const char *unit; /* the source that declares it; NULL: unknown */
	enum wm_shape shape;
	/* in an array, over all its dimensions; else bytes and 1 */
	uint64_t element_bytes, elements;
	bool in_thread; /* each thread has its own */
	bool descriptor; /* of a Fortran array, whose memory is elsewhere */
};

struct wm_elements_member {
	const char *name; /* mass, pos; in base classes as well */
	uint64_t offset, bytes; /* in the structure; bit fields share bytes */
};

struct wm_elements;

/* Opens the file of @exe.  Returns WM_NOT_FOUND, with the reason in @err and
 * NULL in *@out, if the file is gone, is from another build, or has no
 * variables. */
enum wm_status wm_elements_open(struct wm_elements **out,
				const struct wm_module *exe,
				struct wm_err *err);
void wm_elements_free(struct wm_elements *e);

/* Returns why variables have no types, or NULL if debug information gives
 * types. */
const char *wm_elements_why(const struct wm_elements *e);

/* Returns the variable at @address as linked or, if @in_thread is set, at the
 * offset @address of a thread's own memory; NULL if there is none. */
const struct wm_elements_variable *
wm_elements_find(struct wm_elements *e, uint64_t address, bool in_thread);

/*
 * Returns the local variable that begins @place bytes from the CFA
 * (analyze/access/locals.h) in the function whose first hook returns to @pc, as
 * linked.  The variable's address is 0.  Returns NULL if there is no such
 * variable, or more than one.
 */
const struct wm_elements_variable *
wm_elements_local(struct wm_elements *e, uint64_t pc, int64_t place);

/* Returns the element type, without a name, of the array with the descriptor
 * @v, if this type is a structure; otherwise, or if the type is unknown,
 * NULL. */
const struct wm_elements_variable *
wm_elements_element(struct wm_elements *e,
		    const struct wm_elements_variable *v);

/* Writes to @out the name of @v with the members and elements that @spread
 * touches.  Offsets in @spread count from the start of @v. */
void wm_elements_text(struct wm_elements *e,
		      const struct wm_elements_variable *v,
		      const struct wm_spread *spread,
		      struct wm_element_text *out);

/* Stores in @list, in order, at most @room members of the structure @v, or of
 * the structures in the array @v.  Returns the number of members, or 0 without
 * any. */
size_t wm_elements_members(struct wm_elements *e,
			   const struct wm_elements_variable *v,
			   struct wm_elements_member *list, size_t room);
