/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"

enum { VARINT = 0, LENGTH = 2 };

static void append_bytes(struct wm_protobuf *b, const void *data, size_t size)
{
	uint8_t *p = wm_grow(b->data, &b->cap, b->size + size, 1);

	if (!p) {
		b->failed = 1;
		return;
	}
	b->data = p;
	if (size)
		memcpy(p + b->size, data, size);
	b->size += size;
}

void wm_protobuf_number(struct wm_protobuf *b, uint64_t v)
{
	uint8_t byte[10];
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		byte[n++] = (uint8_t)(v | 0x80);
	byte[n++] = (uint8_t)v;
	append_bytes(b, byte, n);
}

void wm_protobuf_uint(struct wm_protobuf *b, unsigned tag, uint64_t v)
{
	if (!v)
		return;
	wm_protobuf_number(b, tag << 3 | VARINT);
	wm_protobuf_number(b, v);
}

void wm_protobuf_bytes(struct wm_protobuf *b, unsigned tag, const void *data,
		       size_t size)
{
	wm_protobuf_number(b, tag << 3 | LENGTH);
	wm_protobuf_number(b, size);
	append_bytes(b, data, size);
}

void wm_protobuf_message(struct wm_protobuf *b, unsigned tag,
			 struct wm_protobuf *m)
{
	wm_protobuf_bytes(b, tag, m->data, m->size);
	b->failed |= m->failed;
	m->size = 0;
}

void wm_protobuf_release(struct wm_protobuf *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}
