/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/base/wire.h"

#include <stdlib.h>

#include "analyze/lib/base/vec.h"

static void put_bytes(struct wm_wire *w, const void *p, size_t n)
{
	if (w->failed || !n)
		return;
	w->failed = !WM_ROOM(w->data, w->cap, w->size + n);
	if (w->failed)
		return;
	memcpy(w->data + w->size, p, n);
	w->size += n;
}

static void take_bytes(struct wm_wire *w, void *p, size_t n)
{
	if (w->failed || n > w->size - w->at) {
		w->failed = true;
		memset(p, 0, n);
		return;
	}
	memcpy(p, w->data + w->at, n);
	w->at += n;
}

void wm_wire_bytes(struct wm_wire *w, void *p, size_t n)
{
	if (w->freeing)
		return;
	if (w->taking)
		take_bytes(w, p, n);
	else
		put_bytes(w, p, n);
}

/* Returns new memory with the next @n bytes, or NULL after an error. */
static void *take_block(struct wm_wire *w, size_t n)
{
	void *p = !w->failed && n <= w->size - w->at ? malloc(n + 1) : NULL;

	w->failed = !p;
	if (p)
		take_bytes(w, p, n);
	return p;
}

void wm_wire_block(struct wm_wire *w, void *pointer, size_t n)
{
	uint8_t there;
	void *p;

	memcpy(&p, pointer, sizeof(p));
	there = p != NULL;
	wm_wire_bytes(w, &there, 1);
	if (!w->taking && !w->freeing) {
		if (there)
			put_bytes(w, p, n);
		return;
	}
	if (w->freeing) {
		free(p);
		there = 0;
	}
	p = there ? take_block(w, n) : NULL;
	memcpy(pointer, &p, sizeof(p));
}

void wm_wire_text(struct wm_wire *w, char **text)
{
	size_t n = !w->taking && !w->freeing && *text ? strlen(*text) + 1 : 0;

	wm_wire_bytes(w, &n, sizeof(n));
	wm_wire_block(w, text, n);
}

void wm_wire_array(struct wm_wire *w, void *pointer, size_t *count, size_t *cap,
		   size_t each)
{
	void *p;

	wm_wire_block(w, pointer, *count * each);
	if (!w->taking && !w->freeing)
		return;
	memcpy(&p, pointer, sizeof(p));
	if (!p)
		*count = 0;
	if (cap)
		*cap = *count;
}

void wm_wire_items(struct wm_wire *w, void *pointer, size_t *count, size_t *cap,
		   size_t each, void (*item)(struct wm_wire *w, void *element))
{
	uint8_t *p;

	if (!w->freeing)
		wm_wire_array(w, pointer, count, cap, each);
	memcpy(&p, pointer, sizeof(p));
	for (size_t i = 0; i < *count; i++)
		item(w, p + i * each);
	if (w->freeing)
		wm_wire_array(w, pointer, count, cap, each);
}

void wm_wire_clear(struct wm_wire *w)
{
	w->size = w->at = 0;
	w->failed = w->taking = false;
}

void wm_wire_release(struct wm_wire *w)
{
	free(w->data);
	memset(w, 0, sizeof(*w));
}
