/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends data from one process of wm-analyze-mpi to another, and frees memory.
 * One function of each object walks the pointers of the object when it is put,
 * taken and freed.
 *
 * Both processes are the same program on the same kind of machine, so plain
 * data, structs included, is sent as it is in memory.  Putting does not change
 * the object.  Taking replaces each pointer, which is valid only in the other
 * process, by a pointer to memory of this process.
 *
 * Errors persist: after an error, putting does nothing, and taking makes every
 * object empty, so that it can be released.  Check `failed` at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct wm_wire {
	uint8_t *data;
	size_t size, cap; /* put so far, or available to take */
	size_t at; /* taken so far */
	bool taking, freeing;
	bool failed;
};

/* Walks @n bytes of the object itself. */
void wm_wire_bytes(struct wm_wire *w, void *p, size_t n);
/* Walks the @n bytes at *@pointer, which may be NULL and of any type. */
void wm_wire_block(struct wm_wire *w, void *pointer, size_t n);
void wm_wire_text(struct wm_wire *w, char **text);
/* Walks a growing array: *@count elements of @each bytes; @cap may be NULL. */
void wm_wire_array(struct wm_wire *w, void *pointer, size_t *count, size_t *cap,
		   size_t each);
/* Likewise; @item walks the pointers of each element. */
void wm_wire_items(struct wm_wire *w, void *pointer, size_t *count, size_t *cap,
		   size_t each, void (*item)(struct wm_wire *w, void *element));
/* Prepares for the next object, and keeps the memory. */
void wm_wire_clear(struct wm_wire *w);
void wm_wire_release(struct wm_wire *w);

/* @fields walks the memory of *@object; after freeing, the object is 0. */
#define WM_WIRE_PART(w, object, fields)                                        \
	do {                                                                   \
		fields(w, object);                                             \
		if ((w)->freeing)                                              \
			memset(object, 0, sizeof(*(object)));                  \
	} while (0)
#define WM_WIRE_FREE(object, fields)                                           \
	WM_WIRE_PART(&(struct wm_wire){ .freeing = true }, object, fields)
