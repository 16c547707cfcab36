/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that an object owns, named once: data on their way from one
 * process of wm-analyze-mpi to another, and memory that is freed.
 *
 * Both are the same program on the same kind of machine, so plain data travel
 * as they lie in memory, structs too.  Only what is behind pointers has to be
 * named: one function goes over the pointers of an object, and serves both
 * directions and its release.  Putting leaves the object alone; taking replaces each pointer,
 * which is another process's, by memory of the caller's own.
 *
 * Errors stick: after one, putting does nothing, and taking makes everything
 * empty, so that the object can be released.  Look at `failed` at the end.
 */
#ifndef WM_ANALYZE_WIRE_H
#define WM_ANALYZE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct wm_wire {
	uint8_t *data; /* malloc'ed */
	size_t size, cap; /* put so far, or all that can be taken */
	size_t at; /* taken so far */
	bool taking, freeing;
	bool failed;
};

/* @n bytes of the object itself. */
void wm_wire_bytes(struct wm_wire *w, void *p, size_t n);
/* *@pointer (a pointer to any type) has @n bytes behind it, or is NULL. */
void wm_wire_block(struct wm_wire *w, void *pointer, size_t n);
/* A string behind *@text, or NULL. */
void wm_wire_text(struct wm_wire *w, char **text);
/* A growing array: *@count elements of @each bytes; @cap may be NULL. */
void wm_wire_array(struct wm_wire *w, void *pointer, size_t *count, size_t *cap,
		   size_t each);
/* Likewise; @item goes over the pointers of each element. */
void wm_wire_items(struct wm_wire *w, void *pointer, size_t *count, size_t *cap,
		   size_t each, void (*item)(struct wm_wire *w, void *element));
/* Ready for the next object; the memory is kept. */
void wm_wire_clear(struct wm_wire *w);
void wm_wire_release(struct wm_wire *w);

/* @fields goes over what *@object owns; where that is freed, the object is 0. */
#define WM_WIRE_PART(w, object, fields)                                        \
	do {                                                                   \
		fields(w, object);                                             \
		if ((w)->freeing)                                              \
			memset(object, 0, sizeof(*(object)));                  \
	} while (0)
#define WM_WIRE_FREE(object, fields)                                           \
	WM_WIRE_PART(&(struct wm_wire){ .freeing = true }, object, fields)

#endif
