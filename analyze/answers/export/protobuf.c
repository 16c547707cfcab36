/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/export/protobuf.h"

enum { VARINT = 0, LENGTH = 2 };

void wm_protobuf_uint(struct wm_octets *b, unsigned tag, uint64_t v)
{
	if (!v)
		return;
	wm_octets_varint(b, tag << 3 | VARINT);
	wm_octets_varint(b, v);
}

void wm_protobuf_bytes(struct wm_octets *b, unsigned tag, const void *data,
		       size_t size)
{
	wm_octets_varint(b, tag << 3 | LENGTH);
	wm_octets_varint(b, size);
	wm_octets_add(b, data, size);
}

void wm_protobuf_message(struct wm_octets *b, unsigned tag, struct wm_octets *m)
{
	wm_protobuf_bytes(b, tag, m->p, m->len);
	b->failed |= m->failed;
	m->len = 0;
}
