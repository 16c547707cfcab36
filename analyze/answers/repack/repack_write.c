/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/repack/repack_write.h"

#include <errno.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/lib/base/octets.h"
#include "analyze/answers/repack/repack_block.h"
#include "analyze/lib/trace/stream.h"

/* A Stream is closed when a lane has so many bytes.  A reader holds the lanes
 * of one Stream for each thread, and lanes of 512 KiB saved only 8 % at
 * most. */
#define LANE_BYTES (128u << 10)
#define HEAD_BYTES (256u << 10) /* the same limit for heads */
#define LANES 250 /* a reader takes 256 xz Blocks */
/* If the columns of a block have more bytes, the block stays as it is. */
#define BLOCK_BYTES (WMT_MAX_LANE - LANE_BYTES)
#define DICT_BYTES (1u << 20) /* the largest dictionary that a reader takes */

/* Columns with one number, of one thread. */
struct lane {
	uint64_t column, thread;
	struct wm_octets bytes;
};

struct writer {
	struct wm_trace *t;
	struct wm_rewritten *done;
	int fd;
	struct wm_stream s; /* the original */
	struct wm_plain_block block;
	/* blocks that become one Stream */
	size_t blocks, lanes;
	struct wm_octets heads;
	struct lane lane[LANES];
	struct wm_octets own, stream;
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

/* Copies bytes of the original unchanged. */
static enum wm_status copy(struct writer *w, uint64_t at, uint64_t end,
			   struct wm_err *err)
{
	enum wm_status r = WM_OK;

	while (!r && at < end) {
		size_t n = end - at < 1 << 20 ? (size_t)(end - at) : 1 << 20;
		const uint8_t *p;

		r = wm_source_view(&w->t->src, at, n, &p, err);
		if (!r)
			r = write_all(w, p, n, err);
		at += n;
	}
	return r;
}

/* ---- an .xz Stream (docs/trace-format.md, 2.3) ---- */

static lzma_ret encode(lzma_stream *z, struct wm_octets *out,
		       lzma_action action)
{
	lzma_ret r = LZMA_OK;

	while (r == LZMA_OK) {
		z->avail_out = 64 << 10;
		z->next_out = wm_octets_room(out, z->avail_out);
		if (!z->next_out)
			return LZMA_MEM_ERROR;
		r = lzma_code(z, action);
		out->len = (size_t)(z->next_out - out->p);
	}
	return r == LZMA_STREAM_END ? LZMA_OK : r;
}

/* Replaces the contents of @out by a Stream with an xz Block for each of @n
 * columns, none of which is empty. */
static enum wm_status make_stream(struct wm_octets *out,
				  const struct wm_octets *const *column,
				  size_t n, struct wm_err *err)
{
	lzma_options_lzma opt;
	lzma_filter filters[] = {
		{ .id = LZMA_FILTER_LZMA2, .options = &opt },
		{ .id = LZMA_VLI_UNKNOWN },
	};
	/* this encoder writes both sizes into the header of a Block */
	lzma_mt mt = { .threads = 1,
		       .check = LZMA_CHECK_CRC32,
		       .filters = filters };
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret r;

	for (size_t i = 0; i < n; i++)
		if (column[i]->len > mt.block_size)
			mt.block_size = column[i]->len;
	lzma_lzma_preset(&opt, LZMA_PRESET_DEFAULT);
	/* numbers have any length, so the position of a byte has no meaning */
	opt.lc = 2;
	opt.pb = 0;
	/* the smallest dictionary that holds all: less memory to clear */
	opt.dict_size = LZMA_DICT_SIZE_MIN;
	while (opt.dict_size < mt.block_size && opt.dict_size < DICT_BYTES)
		opt.dict_size *= 2;
	out->len = 0;
	r = lzma_stream_encoder_mt(&z, &mt);
	for (size_t i = 0; i < n && r == LZMA_OK; i++) {
		z.next_in = column[i]->p;
		z.avail_in = column[i]->len;
		r = encode(&z, out,
			   i + 1 < n ? LZMA_FULL_BARRIER : LZMA_FINISH);
	}
	lzma_end(&z);
	if (r == LZMA_MEM_ERROR)
		return wm_no_memory(err, NULL);
	return r == LZMA_OK ? WM_OK :
			      wm_err_set(err, WM_BAD_INPUT, "liblzma: error %d",
					 (int)r);
}

/* ---- blocks that become one Stream ---- */

static enum wm_status put_joined(struct writer *w, struct wm_err *err)
{
	const uint8_t head[] = { WMT_MAJOR,
				 WMT_MINOR,
				 WMT_BLOCK_JOINED,
				 0, /* prefix */
				 0, /* no fields */
				 1, /* column */
				 WMT_COL_HEADS,
				 WMT_ENC_HEADS };
	const struct wm_octets *all[2 + LANES] = { &w->own, &w->heads };
	enum wm_status r;

	if (!w->blocks)
		return WM_OK;
	w->own.len = 0;
	wm_octets_add(&w->own, WMT_MAGIC, WMT_MAGIC_SIZE);
	wm_octets_add(&w->own, head, sizeof(head));
	wm_octets_varint(&w->own, w->heads.len);
	if (w->own.failed)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < w->lanes; i++)
		all[2 + i] = &w->lane[i].bytes;
	r = make_stream(&w->stream, all, 2 + w->lanes, err);
	w->blocks = w->lanes = w->heads.len = 0;
	return r ? r : write_all(w, w->stream.p, w->stream.len, err);
}

static struct lane *lane_of(struct writer *w, uint64_t column)
{
	uint64_t thread = wm_stream_is_common(column) ?
				  0 :
				  wm_head_uint(&w->s.head, WMT_F_THREAD);
	struct lane *l = w->lane, *end = w->lane + w->lanes;

	while (l < end && (l->column != column || l->thread != thread))
		l++;
	if (l == end) {
		l->column = column;
		l->thread = thread;
		l->bytes.len = 0;
		w->lanes++;
	}
	return l;
}

static enum wm_status join_block(struct writer *w, struct wm_err *err)
{
	const struct wm_plain_block *b = &w->block;
	const uint8_t *at = b->columns.p;
	bool failed = false;

	wm_octets_add(&w->heads, b->head.p, b->head.len);
	for (size_t i = 0; i < w->s.head.columns; i++) {
		struct lane *l;

		if (!b->size[i])
			continue;
		l = lane_of(w, w->s.head.column[i].id);
		wm_octets_add(&l->bytes, at, b->size[i]);
		failed |= l->bytes.failed;
		at += b->size[i];
	}
	w->blocks++;
	return failed || w->heads.failed ? wm_no_memory(err, NULL) : WM_OK;
}

/* Whether no further block may join those that wait. */
static bool is_full(const struct writer *w)
{
	if (w->blocks == WMT_MAX_JOINED || w->heads.len > HEAD_BYTES ||
	    w->lanes + w->s.head.columns > LANES)
		return true;
	for (size_t i = 0; i < w->lanes; i++)
		if (w->lane[i].bytes.len > LANE_BYTES)
			return true;
	return false;
}

/* ---- all of it ---- */

/* Reads all columns of the next block. */
static enum wm_status read_block(struct writer *w, struct wm_err *err)
{
	enum wm_status r = wm_stream_open(&w->s, &w->t->src, w->done->tail,
					  err);

	return r ? r : wm_plain_block_next(&w->block, &w->s, err);
}

/* Writes a block; START and very large blocks stay as they are. */
static enum wm_status put_block(struct writer *w, struct wm_err *err)
{
	bool alone = !w->done->blocks || w->block.head.len > HEAD_BYTES ||
		     w->block.columns.len > BLOCK_BYTES;
	enum wm_status r = WM_OK;

	if (alone || is_full(w))
		r = put_joined(w, err);
	if (!r)
		r = alone ? copy(w, w->done->tail, w->s.end, err) :
			    join_block(w, err);
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
	for (size_t i = 0; i < LANES; i++)
		wm_octets_release(&w->lane[i].bytes);
	wm_stream_release(&w->s);
	wm_plain_block_release(&w->block);
	wm_octets_release(&w->heads);
	wm_octets_release(&w->own);
	wm_octets_release(&w->stream);
	free(w);
}

enum wm_status wm_repack_write(struct wm_trace *t, int fd,
			       struct wm_rewritten *done, struct wm_err *err)
{
	struct writer *w = calloc(1, sizeof(*w));
	enum wm_status r;
	uint64_t at;

	*done = (struct wm_rewritten){ 0 };
	if (!w)
		return wm_no_memory(err, NULL);
	w->t = t;
	w->done = done;
	w->fd = fd;
	r = put_blocks(w, err);
	at = done->at;
	if (!r)
		r = copy(w, done->tail, t->src.size, err);
	done->at = at;
	release_writer(w);
	return r;
}
