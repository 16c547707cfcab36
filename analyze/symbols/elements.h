/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static variables of an executable with their members and elements: what lies
 * at an address of static memory, as its users write it.
 *
 * From the file itself: names and sizes of its symbol table, types of its debug
 * information (libdw), both read when it is opened; texts are made when they
 * are asked for.  Without debug information of a variable its text is
 * symbol+offset, and wm_elements_why() says why.  Left out: debug information
 * in .dwo files, and variables that the compiler has split.
 *
 * Memory: a hundred bytes a variable, of which there are 1 Mi at most.  The
 * text returned belongs to the wm_elements.  One thread at a time.
 */
#ifndef WM_ANALYZE_ELEMENTS_H
#define WM_ANALYZE_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/symbols/element_text.h"
#include "analyze/lib/trace/paths.h"

enum wm_shape {
	WM_SHAPE_UNKNOWN, /* no debug information of it */
	WM_SHAPE_SCALAR,
	WM_SHAPE_STRUCTURE, /* union, class and COMMON block as well */
	WM_SHAPE_ARRAY,
};

struct wm_elements_variable {
	/* as linked; of a thread's own: from the start of that memory */
	uint64_t address, bytes;
	const char *name; /* as people read it: grid, mod::a, /blk/, f::count */
	const char *unit; /* the source that it is in; NULL: not known */
	enum wm_shape shape;
	/* of an array, of all its dimensions together; else bytes and 1 */
	uint64_t element_bytes, elements;
	bool in_thread; /* each thread has its own */
	bool descriptor; /* of an array of Fortran's whose memory is elsewhere */
};

struct wm_elements_member {
	const char *name; /* mass, pos; of base classes as well */
	uint64_t offset, bytes; /* in the structure; bit fields share bytes */
};

struct wm_elements;

/* WM_NOT_FOUND: the file of @exe is gone, of another build, or has no
 * variables; @err has the reason.  *@out is NULL then. */
enum wm_status wm_elements_open(struct wm_elements **out,
				const struct wm_module *exe,
				struct wm_err *err);
void wm_elements_free(struct wm_elements *e);

/* Why variables have no types; NULL: those in debug information have. */
const char *wm_elements_why(const struct wm_elements *e);

/* The variable that has @address, as linked, or if @in_thread the byte at that
 * offset of a thread's own memory; NULL: none. */
const struct wm_elements_variable *
wm_elements_find(struct wm_elements *e, uint64_t address, bool in_thread);

/*
 * The local variable of the function whose first hook returns to @pc, as
 * linked, that begins @place from the CFA (analyze/access/locals.h); its
 * address is 0.  NULL: there is none, or more than one.
 */
const struct wm_elements_variable *
wm_elements_local(struct wm_elements *e, uint64_t pc, int64_t place);

/* The type of each element of the array whose descriptor @v is, without a name,
 * if that is a structure; NULL: it is none, or not known. */
const struct wm_elements_variable *
wm_elements_element(struct wm_elements *e,
		    const struct wm_elements_variable *v);

/* The name of @v with the members and elements that @spread, from its start,
 * touches. */
void wm_elements_text(struct wm_elements *e,
		      const struct wm_elements_variable *v,
		      const struct wm_spread *spread,
		      struct wm_element_text *out);

/* Members of the structure that @v is or is an array of, in its order, at most
 * @room into @list; 0: it is none. */
size_t wm_elements_members(struct wm_elements *e,
			   const struct wm_elements_variable *v,
			   struct wm_elements_member *list, size_t room);

#endif
