/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds static variables of an executable, and describes the members and
 * elements at an address in the source's language.
 *
 * Without debug information (-gsplit-dwarf does not count) the text is
 * symbol+offset, and wm_elements_why() has the reason.  Variables that the
 * compiler has split are left out.  A variable takes a hundred bytes of memory;
 * there are at most 1 Mi.  Texts belong to the wm_elements.  One thread at a
 * time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/symbols/element_text.h"
#include "analyze/lib/trace/paths.h"

enum wm_shape {
	WM_SHAPE_UNKNOWN,
	WM_SHAPE_SCALAR,
	WM_SHAPE_STRUCTURE, /* also a union, class or COMMON block */
	WM_SHAPE_ARRAY,
};

struct wm_elements_variable {
	/* as linked; with in_thread, the offset in a thread's memory */
	uint64_t address, bytes;
	const char *name; /* readable: grid, mod::a, /blk/, f::count */
	const char *unit; /* source that declares it; NULL: unknown */
	enum wm_shape shape;
	/* of an array, over all its dimensions; of others, bytes and 1 */
	uint64_t element_bytes, elements;
	bool in_thread;
	bool descriptor; /* describes a Fortran array that is elsewhere */
};

struct wm_elements_member {
	const char *name;
	uint64_t offset, bytes; /* in the structure; bit fields share bytes */
};

struct wm_elements;

/* Returns WM_NOT_FOUND, with the reason in @err and NULL in *@out, if the file
 * of @exe is gone, is from another build, or has no variables. */
enum wm_status wm_elements_open(struct wm_elements **out,
				const struct wm_module *exe,
				struct wm_err *err);
void wm_elements_free(struct wm_elements *e);

/* Returns why variables have no types, or NULL if they have types. */
const char *wm_elements_why(const struct wm_elements *e);

/* @address is as linked or, with @in_thread, an offset in a thread's memory.
 * Returns NULL if there is no variable. */
const struct wm_elements_variable *
wm_elements_find(struct wm_elements *e, uint64_t address, bool in_thread);

/*
 * Returns the local variable, with the address 0, that begins @place bytes from
 * the CFA (analyze/access/locals.h) in the function whose first hook returns to
 * @pc, as linked.  Returns NULL if no variable, or more than one, begins there.
 */
const struct wm_elements_variable *
wm_elements_local(struct wm_elements *e, uint64_t pc, int64_t place);

/* Returns a nameless variable for an element of the array that the descriptor
 * @v describes, or NULL if it is no structure, or of unknown type. */
const struct wm_elements_variable *
wm_elements_element(struct wm_elements *e,
		    const struct wm_elements_variable *v);

/* Writes the name of @v, and the parts that @spread touches, to @out.  Offsets
 * count from the start of @v. */
void wm_elements_text(struct wm_elements *e,
		      const struct wm_elements_variable *v,
		      const struct wm_spread *spread,
		      struct wm_element_text *out);

/* Stores at most @room members of the structure @v, or of the structures in the
 * array @v, in @list, in order.  Returns their number. */
size_t wm_elements_members(struct wm_elements *e,
			   const struct wm_elements_variable *v,
			   struct wm_elements_member *list, size_t room);
