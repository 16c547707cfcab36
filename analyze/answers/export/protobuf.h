/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes messages of Protocol Buffers (wire types 0 and 2) into memory.
 *
 * If memory is short, `failed` of the octets is set and stays set, so it is
 * enough to look there once, at the end.  A number without a tag, which is an
 * element of a packed field, is written as a varint.
 */
#pragma once

#include "analyze/lib/base/octets.h"

/* Writes field @tag.  0 is the default value and left out, as the format
 * wants. */
void wm_protobuf_uint(struct wm_octets *b, unsigned tag, uint64_t v);
/* Writes a string, a message or a packed field. */
void wm_protobuf_bytes(struct wm_octets *b, unsigned tag, const void *data,
		       size_t size);
/* Writes the message or packed field in @m and makes @m empty. */
void wm_protobuf_message(struct wm_octets *b, unsigned tag,
			 struct wm_octets *m);
