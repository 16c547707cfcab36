/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/repack/repack_block.h"

#include "analyze/lib/trace/head.h"
#include "analyze/lib/trace/rans.h"

static enum wm_status add_column(struct wm_plain_block *b, struct wm_stream *s,
				 size_t i, struct wm_err *err)
{
	const struct wm_head_column *h = &s->head.column[i];
	bool packed = wm_block_is_packed(h) && wm_block_is_event_column(h->id);
	size_t size = (size_t)h->size;
	struct wm_column c;
	enum wm_status r = wm_stream_column(s, i, &c, err);
	uint64_t n = size;
	uint8_t *to;

	if (r)
		return r;
	if (packed && size)
		n = wm_rans_length(c.p, size);
	if (packed && n > wm_block_most(&s->head))
		return wm_err_set(err, WM_BAD_INPUT, "a column is malformed");
	to = wm_octets_room(&b->columns, (size_t)n + 1);
	if (!to)
		return wm_no_memory(err, NULL);
	if (packed && size && wm_rans_unpack(c.p, size, to))
		return wm_err_set(err, WM_BAD_INPUT, "a column is malformed");
	if (!packed && size)
		memcpy(to, c.p, size);
	b->size[i] = (size_t)n;
	b->columns.len += b->size[i];
	wm_octets_varint(&b->head, h->id);
	wm_octets_varint(&b->head, packed ? wm_block_encoding(h) : h->encoding);
	wm_octets_varint(&b->head, n);
	return WM_OK;
}

enum wm_status wm_plain_block_next(struct wm_plain_block *b,
				   struct wm_stream *s, struct wm_err *err)
{
	enum wm_status r = wm_stream_next(s, err);

	if (r)
		return r;
	b->head.len = b->columns.len = 0;
	wm_octets_add(&b->head, s->bytes, (size_t)(s->head.list - s->bytes));
	wm_octets_varint(&b->head, s->head.columns);
	for (size_t i = 0; i < s->head.columns && !r; i++)
		r = add_column(b, s, i, err);
	return r || !b->head.failed ? r : wm_no_memory(err, NULL);
}

void wm_plain_block_release(struct wm_plain_block *b)
{
	wm_octets_release(&b->head);
	wm_octets_release(&b->columns);
}
