/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes messages of Protocol Buffers (wire types 0 and 2) into memory.
 *
 * One of zeros is empty; the memory belongs to it.  When memory is short,
 * `failed` stays set: look there once, at the end.
 */
#ifndef WM_ANALYZE_PROTOBUF_H
#define WM_ANALYZE_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

struct wm_protobuf {
	uint8_t *data;
	size_t size, cap;
	int failed;
};

/* A number without tag: an element of a packed field. */
void wm_protobuf_number(struct wm_protobuf *b, uint64_t v);
/* Field @tag; 0 is the default and left out, as the format wants it. */
void wm_protobuf_uint(struct wm_protobuf *b, unsigned tag, uint64_t v);
/* A string, a message or a packed field. */
void wm_protobuf_bytes(struct wm_protobuf *b, unsigned tag, const void *data,
		       size_t size);
/* The message or packed field in @m, which is empty again afterwards. */
void wm_protobuf_message(struct wm_protobuf *b, unsigned tag,
			 struct wm_protobuf *m);
void wm_protobuf_release(struct wm_protobuf *b);

#endif
