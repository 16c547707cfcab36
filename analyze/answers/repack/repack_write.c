/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/repack/repack_write.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/lib/base/octets.h"
#include "analyze/lib/base/vec.h"
#include "analyze/answers/repack/repack_block.h"
#include "analyze/answers/repack/repack_stream.h"
#include "analyze/lib/trace/stream.h"
#include "wm/version.h"

/* A Stream is closed when a lane has so many bytes: a reader holds those of one
 * Stream for each thread, and those of 1 MiB saved 2.3 % at most. */
#define LANE_BYTES (128u << 10)
#define HEAD_BYTES (256u << 10) /* likewise, heads */
#define LANES 250 /* a reader takes 256 xz Blocks */

/* Columns with one number, of one thread: as LZMA2 sees them, and as they
 * were. */
struct lane {
	uint64_t column, thread;
	struct wm_octets plain, was;
	struct wm_packed packed;
	bool stays;
};

/* A column of a block that waits. */
struct column {
	uint64_t id;
	uint64_t encoding[2], size[2]; /* plain, as it was */
	size_t lane;
};

/* A block that waits. */
struct block {
	size_t head, fields; /* in writer.heads; bytes, with the prefix */
	size_t columns; /* how many, behind those of the block before */
};

struct writer {
	struct wm_trace *t;
	struct wm_rewritten *done;
	int fd;
	struct wm_stream s; /* the original */
	/* blocks that become one Stream */
	struct block *block;
	struct column *column;
	struct lane *lane;
	size_t blocks, block_cap, columns, column_cap;
	size_t lanes, lane_cap, lanes_made;
	struct wm_octets heads;
	struct wm_octets plain, own, joined, stream;
	struct wm_packed packed[1 + WM_MAX_COLUMNS];
};

/* ---- bytes to the file ---- */

static enum wm_status write_all(struct writer *w, const uint8_t *p, size_t n,
				struct wm_err *err)
{
	while (n) {
		ssize_t done = write(w->fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return wm_err_set(err, WM_IO, "%s",
					  done ? strerror(errno) :
						 "nothing was written");
		p += done;
		n -= (size_t)done;
		w->done->at += (uint64_t)done;
	}
	return WM_OK;
}

static enum wm_status copy_tail(struct writer *w, struct wm_err *err)
{
	const uint64_t begins = w->done->at;
	struct wm_source *src = &w->t->src;
	uint64_t at = w->done->tail;
	enum wm_status r = WM_OK;

	while (!r && at < src->size) {
		uint64_t left = src->size - at;
		size_t n = left < 1 << 20 ? (size_t)left : 1 << 20;
		const uint8_t *p;

		r = wm_source_view(src, at, n, &p, err);
		if (!r)
			r = write_all(w, p, n, err);
		at += n;
	}
	w->done->at = begins;
	return r;
}

/* A Stream of head w->own, HEADS if @joined, and @n further Blocks. */
static enum wm_status put_stream(struct writer *w, const struct wm_packed **all,
				 size_t n, struct wm_err *err)
{
	bool stays;
	enum wm_status r;

	if (w->own.failed)
		return wm_no_memory(err, NULL);
	r = wm_pack_column(&w->packed[0], &w->own, &w->own, false, &stays, err);
	all[0] = &w->packed[0];
	if (!r)
		r = wm_pack_stream(&w->stream, all, n, err);
	return r ? r : write_all(w, w->stream.p, w->stream.len, err);
}

/* ---- heads ---- */

/* 1 or 3 numbers, coded as the runtime does, go as differences. */
static unsigned numbers_of(const struct wm_repack_field *f, uint64_t v[3])
{
	const uint8_t *p = f->data, *end = p + f->size;
	uint8_t again[3 * WM_VARINT_MAX], *to = again;
	unsigned n = 0;

	while (n < 3 && p && p < end) {
		p = wm_varint_get(p, end, &v[n]);
		if (p)
			to = wm_varint_put(to, v[n++]);
	}
	if (p != end || (n != 1 && n != 3) || f->tag >= WMT_HEADS_TAGS ||
	    (size_t)(to - again) != f->size ||
	    memcmp(again, f->data, f->size) != 0)
		return 0;
	return n;
}

static void put_field(struct wm_octets *out, uint64_t last[][3],
		      const struct wm_repack_field *f)
{
	uint64_t v[3];
	unsigned n = numbers_of(f, v), i;

	wm_octets_varint(out, f->tag << 2 | n);
	for (i = 0; i < n; i++) {
		wm_octets_varint(out,
				 wm_zigzag((int64_t)(v[i] - last[f->tag][i])));
		last[f->tag][i] = v[i];
	}
	if (n)
		return;
	wm_octets_varint(out, f->size);
	wm_octets_add(out, f->data, f->size);
}

/* Column HEADS of all that waits; its lanes are packed. */
static void put_heads(struct writer *w)
{
	uint64_t last[WMT_HEADS_TAGS][3] = { 0 };
	const struct column *c = w->column;
	struct wm_octets *out = &w->joined;

	out->len = 0;
	for (size_t i = 0; i < w->blocks; i++) {
		const struct block *b = &w->block[i];
		const uint8_t *at = w->heads.p + b->head;
		const uint8_t *end = at + b->fields;
		struct wm_repack_field f;

		wm_octets_add(out, at + WMT_MAGIC_SIZE,
			      WMT_PREFIX_SIZE - WMT_MAGIC_SIZE);
		for (at += WMT_PREFIX_SIZE; wm_repack_field(&at, end, &f);)
			put_field(out, last, &f);
		wm_octets_varint(out, 0);
		wm_octets_varint(out, b->columns);
		for (size_t k = 0; k < b->columns; k++, c++) {
			bool was = c->size[0] && w->lane[c->lane].stays;

			wm_octets_varint(out, c->id);
			wm_octets_varint(out, c->encoding[was]);
			wm_octets_varint(out, c->size[was]);
		}
	}
}

static void put_number(struct wm_octets *out, uint64_t tag, uint64_t v)
{
	uint8_t buf[WM_VARINT_MAX];
	size_t n = (size_t)(wm_varint_put(buf, v) - buf);

	wm_octets_varint(out, tag);
	wm_octets_varint(out, n);
	wm_octets_add(out, buf, n);
}

/* ---- blocks that become one Stream ---- */

static void forget_blocks(struct writer *w)
{
	w->blocks = w->columns = w->lanes = 0;
	w->heads.len = 0;
}

static enum wm_status put_joined(struct writer *w, struct wm_err *err)
{
	const uint8_t rest[] = { WMT_MAJOR, WMT_MINOR, WMT_BLOCK_JOINED, 0 };
	const struct wm_packed *all[2 + LANES];
	enum wm_status r = WM_OK;
	bool stays;

	if (!w->blocks)
		return WM_OK;
	for (size_t i = 0; i < w->lanes && !r; i++) {
		struct lane *l = &w->lane[i];

		r = wm_pack_column(&l->packed, &l->plain, &l->was,
				   l->column == WMT_COL_LOADS, &l->stays, err);
		all[2 + i] = &l->packed;
	}
	if (r)
		return r;
	put_heads(w);
	if (w->joined.failed)
		return wm_no_memory(err, NULL);
	r = wm_pack_column(&w->packed[1], &w->joined, &w->joined, false, &stays,
			   err);
	all[1] = &w->packed[1];
	w->own.len = 0;
	wm_octets_add(&w->own, WMT_MAGIC, WMT_MAGIC_SIZE);
	wm_octets_add(&w->own, rest, sizeof(rest));
	put_number(&w->own, WMT_F_JOINED, w->blocks);
	wm_octets_varint(&w->own, 0);
	wm_octets_varint(&w->own, 1);
	wm_octets_varint(&w->own, WMT_COL_HEADS);
	wm_octets_varint(&w->own, WMT_ENC_HEADS);
	wm_octets_varint(&w->own, w->joined.len);
	if (!r)
		r = put_stream(w, all, 2 + w->lanes, err);
	forget_blocks(w);
	return r;
}

/* w->lanes: memory is short. */
static size_t lane_of(struct writer *w, uint64_t column)
{
	uint64_t thread = wm_stream_is_common(column) ?
				  0 :
				  wm_head_uint(&w->s.head, WMT_F_THREAD);
	struct lane *l;
	size_t i;

	for (i = 0; i < w->lanes; i++)
		if (w->lane[i].column == column && w->lane[i].thread == thread)
			return i;
	if (!WM_ROOM(w->lane, w->lane_cap, i + 1))
		return i;
	l = &w->lane[i];
	if (i == w->lanes_made) {
		*l = (struct lane){ .stays = false };
		w->lanes_made++;
	}
	l->column = column;
	l->thread = thread;
	l->plain.len = l->was.len = 0;
	w->lanes++;
	return i;
}

/* Column number @i of the block. */
static enum wm_status join_column(struct writer *w, size_t i,
				  struct wm_err *err)
{
	const struct wm_head_column *h = &w->s.head.column[i];
	struct column *c = WM_MORE(w->column, w->column_cap, w->columns);
	struct wm_column was;
	struct lane *l;
	enum wm_status r;

	if (!c)
		return wm_no_memory(err, NULL);
	*c = (struct column){ h->id, { h->encoding, h->encoding }, { 0 }, 0 };
	w->columns++;
	if (!h->size)
		return WM_OK;
	c->lane = lane_of(w, h->id);
	if (c->lane == w->lanes)
		return wm_no_memory(err, NULL);
	l = &w->lane[c->lane];
	r = wm_repack_plain(&w->s, i, &w->plain, &c->encoding[0], err);
	if (!r)
		r = wm_stream_column(&w->s, i, &was, err);
	if (r)
		return r;
	c->size[0] = w->plain.len;
	c->size[1] = h->size;
	wm_octets_add(&l->plain, w->plain.p, w->plain.len);
	wm_octets_add(&l->was, was.p, (size_t)h->size);
	return l->plain.failed || l->was.failed ? wm_no_memory(err, NULL) :
						  WM_OK;
}

static enum wm_status join_block(struct writer *w, struct wm_err *err)
{
	struct block *b = WM_MORE(w->block, w->block_cap, w->blocks);
	enum wm_status r = WM_OK;
	const uint8_t *end;

	if (!b)
		return wm_no_memory(err, NULL);
	wm_repack_fields(&w->s, &end);
	*b = (struct block){ w->heads.len, (size_t)(end - w->s.bytes),
			     w->s.head.columns };
	wm_octets_add(&w->heads, w->s.bytes, b->fields);
	w->blocks++;
	for (size_t i = 0; i < w->s.head.columns && !r; i++)
		r = join_column(w, i, err);
	return r || !w->heads.failed ? r : wm_no_memory(err, NULL);
}

/* No further block comes to those that wait. */
static bool is_full(const struct writer *w)
{
	if (w->blocks == WMT_MAX_JOINED || w->heads.len > HEAD_BYTES ||
	    w->lanes + w->s.head.columns > LANES)
		return true;
	for (size_t i = 0; i < w->lanes; i++)
		if (w->lane[i].plain.len > LANE_BYTES ||
		    w->lane[i].was.len > LANE_BYTES)
			return true;
	return false;
}

/* ---- blocks that stay alone ---- */

/* START, and what is so large that nothing is to be gained. */
static bool stays_alone(const struct writer *w)
{
	const struct wm_head *h = &w->s.head;

	if (!w->done->blocks || w->s.size > HEAD_BYTES)
		return true;
	for (size_t i = 0; i < h->columns; i++)
		if (h->column[i].size > LANE_BYTES)
			return true;
	return false;
}

static enum wm_status put_alone(struct writer *w, struct wm_err *err)
{
	const struct wm_packed *all[1 + WM_MAX_COLUMNS];
	const struct wm_head *h = &w->s.head;
	enum wm_status r = WM_OK;
	const uint8_t *end;
	size_t n = 1;

	wm_repack_fields(&w->s, &end);
	w->own.len = 0;
	wm_octets_add(&w->own, w->s.bytes, (size_t)(end - w->s.bytes));
	if (!w->done->blocks) {
		wm_octets_varint(&w->own, WMT_F_REPACKED);
		wm_octets_varint(&w->own, strlen(WM_VERSION));
		wm_octets_add(&w->own, WM_VERSION, strlen(WM_VERSION));
	}
	wm_octets_add(&w->own, end, (size_t)(w->s.bytes + w->s.size - end));
	for (size_t i = 0; i < h->columns && !r; i++) {
		struct wm_column c;
		bool stays;

		if (!h->column[i].size)
			continue;
		r = wm_stream_column(&w->s, i, &c, err);
		w->plain.len = 0;
		if (!r)
			wm_octets_add(&w->plain, c.p, (size_t)(c.end - c.p));
		if (!r && w->plain.failed)
			r = wm_no_memory(err, NULL);
		if (!r)
			r = wm_pack_column(&w->packed[n], &w->plain, &w->plain,
					   false, &stays, err);
		all[n] = &w->packed[n];
		n++;
	}
	return r ? r : put_stream(w, all, n, err);
}

/* ---- all of it ---- */

/* All columns of the next block can be read. */
static enum wm_status read_block(struct writer *w, struct wm_err *err)
{
	enum wm_status r = wm_stream_open(&w->s, &w->t->src, w->done->tail,
					  err);
	struct wm_column c;

	if (!r && w->s.heads)
		return wm_err_set(err, WM_BAD_INPUT,
				  "joined blocks of a trace that does not say "
				  "that it was repacked");
	if (!r)
		r = wm_stream_next(&w->s, err);
	for (size_t i = 0; !r && i < w->s.head.columns; i++)
		r = wm_stream_column(&w->s, i, &c, err);
	return r;
}

static enum wm_status put_block(struct writer *w, struct wm_err *err)
{
	bool alone = stays_alone(w);
	enum wm_status r = WM_OK;

	if (alone || is_full(w))
		r = put_joined(w, err);
	if (!r)
		r = alone ? put_alone(w, err) : join_block(w, err);
	w->done->blocks++;
	w->done->tail = w->s.end;
	return r;
}

static enum wm_status put_blocks(struct writer *w, struct wm_err *err)
{
	struct wm_err why;
	enum wm_status r = WM_OK;

	while (!r && w->done->tail < w->t->read_bytes) {
		r = read_block(w, &why);
		if (r)
			r = wm_trace_blame(w->t, w->done->blocks, w->done->tail,
					   r, why.text, err);
		if (r == WM_BAD_INPUT && w->done->blocks) {
			w->t->damage = *err;
			return put_joined(w, err);
		}
		if (!r)
			r = put_block(w, err);
	}
	return r ? r : put_joined(w, err);
}

static void release_writer(struct writer *w)
{
	for (size_t i = 0; i < w->lanes_made; i++) {
		wm_octets_release(&w->lane[i].plain);
		wm_octets_release(&w->lane[i].was);
		wm_packed_release(&w->lane[i].packed);
	}
	for (size_t i = 0; i <= WM_MAX_COLUMNS; i++)
		wm_packed_release(&w->packed[i]);
	wm_stream_release(&w->s);
	wm_octets_release(&w->heads);
	wm_octets_release(&w->plain);
	wm_octets_release(&w->own);
	wm_octets_release(&w->joined);
	wm_octets_release(&w->stream);
	free(w->lane);
	free(w->column);
	free(w->block);
}

enum wm_status wm_repack_write(struct wm_trace *t, int fd,
			       struct wm_rewritten *done, struct wm_err *err)
{
	struct writer *w = calloc(1, sizeof(*w));
	enum wm_status r;

	*done = (struct wm_rewritten){ 0 };
	if (!w)
		return wm_no_memory(err, NULL);
	w->t = t;
	w->done = done;
	w->fd = fd;
	r = put_blocks(w, err);
	if (!r)
		r = copy_tail(w, err);
	release_writer(w);
	free(w);
	return r;
}
