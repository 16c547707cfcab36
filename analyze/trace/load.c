/* SPDX-License-Identifier: Apache-2.0 */
/* Event blocks, after the walk over the file (reader.c) has found them. */
#include "analyze/trace/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "analyze/base/vec.h"
#include "analyze/trace/block.h"
#include "analyze/trace/decode_ops.h"
#include "analyze/trace/rans.h"
#include "analyze/trace/crash_buffer.h"
#include "analyze/trace/xz.h"

void wm_event_data_init(struct wm_event_data *d, const struct wm_trace *t)
{
	memset(d, 0, sizeof(*d));
	wm_source_share(&d->src, &t->src);
}

void wm_event_data_release(struct wm_event_data *d)
{
	wm_source_release(&d->src);
	free(d->buf);
	free(d->unpacked);
	wm_ops_free(d->ops);
	memset(d, 0, sizeof(*d));
	d->src.fd = -1;
}

size_t wm_event_data_memory(const struct wm_event_data *d)
{
	return sizeof(*d) + d->src.cap + d->cap + d->unpacked_cap +
	       wm_ops_memory(d->ops);
}

/* Walk the block again, now for the places of its event columns. */
static enum wm_status locate_columns(struct wm_event_data *d, struct wm_xz *xz,
				     struct wm_xz_block *at, struct wm_err *err)
{
	enum wm_status r = wm_block_columns(xz, &d->head, at, err);
	size_t i;

	memset(d->encoding, 0, sizeof(d->encoding));
	memset(d->packed, 0, sizeof(d->packed));
	for (i = 0; i < WMT_COL_LIMIT; i++)
		if (!wm_block_is_event_column(i))
			at[i].size = 0;
	for (i = 0; i < d->head.columns && !r; i++) {
		const struct wm_head_column *c = &d->head.column[i];

		if (c->size == 0 || !wm_block_is_event_column(c->id))
			continue;
		d->encoding[c->id] = (uint8_t)wm_block_encoding(c);
		d->packed[c->id] = (uint8_t)wm_block_is_packed(c);
	}
	return r;
}

static enum wm_status unpack_columns(struct wm_event_data *d,
				     struct wm_err *err)
{
	uint64_t most = wm_block_most(&d->head), n;
	size_t total = 0, i, length[WMT_COL_LIMIT] = { 0 };
	bool any = false;
	uint8_t *to;

	for (i = 0; i < WMT_COL_LIMIT; i++) {
		struct wm_column *c = &d->col[i];

		/* with numbers nobody looks at these */
		if (d->ids && (i == WMT_COL_ALLOC_ADDR || i == WMT_COL_PLACE))
			d->packed[i] = 0;
		if (!d->packed[i])
			continue;
		n = wm_rans_length(c->p, (size_t)(c->end - c->p));
		if (n > most)
			return wm_err_set(err, WM_BAD_INPUT,
					  "column %zu is malformed", i);
		total += length[i] = (size_t)n;
		any = true;
	}
	if (!any)
		return WM_OK;
	to = WM_ROOM(d->unpacked, d->unpacked_cap, total + WM_COLUMN_SLACK);
	if (!to)
		return wm_no_memory(err, NULL);
	memset(to + total, 0, WM_COLUMN_SLACK);
	for (i = 0; i < WMT_COL_LIMIT; i++) {
		struct wm_column *c = &d->col[i];

		if (!d->packed[i])
			continue;
		if (wm_rans_unpack(c->p, (size_t)(c->end - c->p), to))
			return wm_err_set(err, WM_BAD_INPUT,
					  "column %zu is malformed", i);
		c->p = to;
		c->end = to += length[i];
	}
	return WM_OK;
}

static enum wm_status load_columns(struct wm_event_data *d, struct wm_xz *xz,
				   struct wm_err *err)
{
	struct wm_xz_block at[WMT_COL_LIMIT];
	size_t i, total = 0;
	enum wm_status r;
	uint8_t *p;

	r = locate_columns(d, xz, at, err);
	if (r)
		return r;
	for (i = 0; i < WMT_COL_LIMIT; i++)
		total += (size_t)at[i].size;
	p = WM_ROOM(d->buf, d->cap, total + WM_COLUMN_SLACK);
	if (!p)
		return wm_no_memory(err, NULL);
	memset(p + total, 0, WM_COLUMN_SLACK);
	for (i = 0; i < WMT_COL_LIMIT; i++) {
		d->col[i].p = d->col[i].end = p;
		if (!at[i].size)
			continue;
		r = wm_xz_decode(&d->src, &at[i], p, err);
		if (r)
			return r;
		p += at[i].size;
		d->col[i].end = p;
	}
	return unpack_columns(d, err);
}

enum wm_status wm_trace_load(const struct wm_trace *t,
			     const struct wm_event_block *b,
			     struct wm_event_data *d, struct wm_err *err)
{
	struct wm_xz xz = { 0 };
	const uint8_t *whole;
	struct wm_err why;
	enum wm_status r;

	if (b->memory)
		return WM_OK;
	/* one read for all that follows */
	r = wm_source_view(&d->src, b->offset, (size_t)b->size, &whole, &why);
	if (!r)
		r = wm_block_head(&d->src, &xz, b->offset, &d->head, &d->buf,
				  &d->cap, &why);
	if (!r)
		r = load_columns(d, &xz, &why);
	wm_xz_release(&xz);
	if (r)
		return wm_trace_blame(t, b->number, b->offset, r, why.text,
				      err);
	return WM_OK;
}
