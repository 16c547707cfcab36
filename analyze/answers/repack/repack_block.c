/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/repack/repack_block.h"

#include "analyze/lib/trace/block.h"
#include "analyze/lib/trace/rans.h"
#include "wm/varint.h"

bool wm_repack_field(const uint8_t **at, const uint8_t *end,
		     struct wm_repack_field *f)
{
	const uint8_t *p = wm_varint_get(*at, end, &f->tag);
	uint64_t size;

	if (!p || !f->tag)
		return false;
	p = wm_varint_get(p, end, &size);
	if (!p)
		return false;
	f->at = *at;
	f->data = p;
	f->size = (size_t)size;
	*at = p + size;
	return true;
}

const uint8_t *wm_repack_fields(const struct wm_stream *s, const uint8_t **end)
{
	const uint8_t *first = s->bytes + WMT_PREFIX_SIZE;
	struct wm_repack_field f;

	*end = first;
	while (wm_repack_field(end, s->bytes + s->size, &f))
		;
	return first;
}

enum wm_status wm_repack_plain(struct wm_stream *s, size_t i,
			       struct wm_octets *out, uint64_t *encoding,
			       struct wm_err *err)
{
	const struct wm_head_column *h = &s->head.column[i];
	struct wm_column c;
	enum wm_status r = wm_stream_column(s, i, &c, err);
	uint64_t n = 0;
	uint8_t *to;

	out->len = 0;
	*encoding = h->encoding;
	if (r || !c.p)
		return r;
	if (wm_block_is_packed(h))
		n = wm_rans_length(c.p, (size_t)h->size);
	if (n && n <= wm_block_most(&s->head)) {
		to = wm_octets_room(out, (size_t)n);
		if (to && !wm_rans_unpack(c.p, (size_t)h->size, to)) {
			*encoding = wm_block_encoding(h);
			out->len = (size_t)n;
			return WM_OK;
		}
	}
	/* also what is no packed column */
	wm_octets_add(out, c.p, (size_t)h->size);
	return out->failed ? wm_no_memory(err, NULL) : WM_OK;
}
