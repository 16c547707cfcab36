/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static variables of an executable with their members and elements: the text
 * for an address of static memory, in the source's language.
 *
 * Names and sizes are from the file's symbol table, types from its debug
 * information (libdw), both read when it is opened; texts are made on request.
 * Without debug information the text of a variable is symbol+offset, and
 * wm_elements_why() has the reason.  Left out: debug information in .dwo files,
 * and variables that the compiler has split.
 *
 * Memory: a hundred bytes per variable, of which there are at most 1 Mi.  The
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

/* WM_NOT_FOUND: the file of @exe is gone, from another build, or has no
 * variables; @err has the reason.  *@out is NULL then. */
enum wm_status wm_elements_open(struct wm_elements **out,
				const struct wm_module *exe,
				struct wm_err *err);
void wm_elements_free(struct wm_elements *e);

/* Why variables have no types; NULL: those in debug information have types. */
const char *wm_elements_why(const struct wm_elements *e);

/* The variable at @address, as linked, or if @in_thread at that offset of a
 * thread's own memory; NULL: none. */
const struct wm_elements_variable *
wm_elements_find(struct wm_elements *e, uint64_t address, bool in_thread);

/*
 * The local variable that begins @place from the CFA (analyze/access/locals.h)
 * in the function whose first hook returns to @pc, as linked; its address is 0.
 * NULL: there is none, or more than one.
 */
const struct wm_elements_variable *
wm_elements_local(struct wm_elements *e, uint64_t pc, int64_t place);

/* The element type, without a name, of the array with the descriptor @v, if it
 * is a structure; NULL: it is none, or unknown. */
const struct wm_elements_variable *
wm_elements_element(struct wm_elements *e,
		    const struct wm_elements_variable *v);

/* The name of @v with the members and elements that @spread, which counts from
 * its start, touches. */
void wm_elements_text(struct wm_elements *e,
		      const struct wm_elements_variable *v,
		      const struct wm_spread *spread,
		      struct wm_element_text *out);

/* Members of the structure @v, or of the structures in the array @v, in order,
 * at most @room into @list; 0: it has none. */
size_t wm_elements_members(struct wm_elements *e,
			   const struct wm_elements_variable *v,
			   struct wm_elements_member *list, size_t room);

#endif
