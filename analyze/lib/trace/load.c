/* SPDX-License-Identifier: Apache-2.0 */
/* Loads event blocks that reader.c has found. */
#include "analyze/lib/trace/reader.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/trace/decode.h"
#include "analyze/lib/trace/rans.h"

enum wm_status wm_trace_blame(const struct wm_trace *t, uint64_t number,
			      uint64_t offset, enum wm_status status,
			      const char *reason, struct wm_err *err)
{
	if (t->blamed)
		*t->blamed = number;
	return wm_err_set(err, status,
			  "%s: block %" PRIu64 " at offset 0x%" PRIx64
			  ": %.300s",
			  t->name, number, offset, reason);
}

void wm_event_data_init(struct wm_event_data *d, const struct wm_trace *t)
{
	memset(d, 0, sizeof(*d));
	wm_source_share(&d->src, &t->src);
}

void wm_event_data_release(struct wm_event_data *d)
{
	wm_source_release(&d->src);
	wm_stream_release(&d->stream);
	free(d->unpacked);
	wm_ops_free(d->ops);
	memset(d, 0, sizeof(*d));
	d->src.fd = -1;
}

size_t wm_event_data_memory(const struct wm_event_data *d)
{
	return sizeof(*d) + d->src.cap + wm_stream_memory(&d->stream) +
	       d->unpacked_cap + wm_ops_memory(d->ops);
}

static enum wm_status count_unpacked(const struct wm_event_data *d,
				     size_t length[WMT_COL_LIMIT],
				     size_t *total, struct wm_err *err)
{
	uint64_t most = wm_block_most(&d->stream.head), n;

	for (size_t i = 0; i < WMT_COL_LIMIT; i++) {
		const struct wm_column *c = &d->col[i];

		if (!d->packed[i])
			continue;
		n = wm_rans_length(c->p, (size_t)(c->end - c->p));
		if (n > most)
			return wm_err_set(err, WM_BAD_INPUT,
					  "column %zu is malformed", i);
		*total += length[i] = (size_t)n;
	}
	return WM_OK;
}

static enum wm_status unpack_columns(struct wm_event_data *d,
				     struct wm_err *err)
{
	size_t total = 0, i, length[WMT_COL_LIMIT] = { 0 };
	enum wm_status r = count_unpacked(d, length, &total, err);
	uint8_t *to;

	if (r || !total)
		return r;
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

static enum wm_status load_columns(struct wm_event_data *d, struct wm_err *err)
{
	const struct wm_head *h = &d->stream.head;
	enum wm_status r = WM_OK;

	memset(d->col, 0, sizeof(d->col));
	memset(d->encoding, 0, sizeof(d->encoding));
	memset(d->packed, 0, sizeof(d->packed));
	for (size_t i = 0; i < h->columns && !r; i++) {
		const struct wm_head_column *c = &h->column[i];

		if (c->size == 0 || !wm_block_is_event_column(c->id))
			continue;
		d->encoding[c->id] = (uint8_t)wm_block_encoding(c);
		d->packed[c->id] = (uint8_t)wm_block_is_packed(c);
		r = wm_stream_column(&d->stream, i, &d->col[c->id], err);
	}
	return r ? r : unpack_columns(d, err);
}

enum wm_status wm_trace_load(const struct wm_trace *t,
			     const struct wm_event_block *b,
			     struct wm_event_data *d, struct wm_err *err)
{
	enum wm_status r = WM_OK;
	const uint8_t *whole;
	struct wm_err why;

	if (b->memory)
		return WM_OK;
	if (!b->joined)
		r = wm_source_view(&d->src, b->offset, (size_t)b->size, &whole,
				   &why);
	if (!r)
		r = wm_stream_seek(&d->stream, &d->src, b->offset, b->part,
				   &why);
	if (!r)
		r = load_columns(d, &why);
	if (r)
		return wm_trace_blame(t, b->number, b->offset, r, why.text,
				      err);
	return WM_OK;
}
