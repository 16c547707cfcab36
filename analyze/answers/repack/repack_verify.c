/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/repack/repack_verify.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "analyze/answers/repack/repack_block.h"
#include "analyze/lib/trace/stream.h"

/* One of the two traces, at a block. */
struct side {
	struct wm_source *src;
	struct wm_stream s;
	uint64_t at; /* of the next Stream */
	struct wm_octets plain;
};

static enum wm_status say_differs(struct wm_err *err, const char *what,
				  uint64_t n)
{
	return wm_err_set(err, WM_BAD_INPUT,
			  "%s %" PRIu64 " is not what it was", what, n);
}

static enum wm_status next_block(struct side *x, struct wm_err *err)
{
	enum wm_status r = WM_OK;

	if (x->s.next == x->s.blocks) {
		r = wm_stream_open(&x->s, x->src, x->at, err);
		x->at = x->s.end;
	}
	return r ? r : wm_stream_next(&x->s, err);
}

static void release_side(struct side *x)
{
	wm_stream_release(&x->s);
	wm_octets_release(&x->plain);
}

/* All but the list of columns; the first block also says REPACKED. */
static bool same_head(const struct wm_stream *a, const struct wm_stream *b,
		      bool first)
{
	const uint8_t *a_end, *b_end, *at;
	struct wm_repack_field f;
	size_t n;

	wm_repack_fields(a, &a_end);
	wm_repack_fields(b, &b_end);
	n = (size_t)(a_end - a->bytes);
	if ((size_t)(b_end - b->bytes) < n ||
	    memcmp(a->bytes, b->bytes, n) != 0)
		return false;
	at = b->bytes + n;
	if (!first)
		return at == b_end;
	return wm_repack_field(&at, b_end, &f) && f.tag == WMT_F_REPACKED &&
	       at == b_end;
}

static enum wm_status compare_columns(struct side *a, struct side *b,
				      uint64_t number, struct wm_err *err)
{
	const struct wm_head *h = &a->s.head;
	enum wm_status r = WM_OK;
	uint64_t x, y;

	if (h->columns != b->s.head.columns)
		return say_differs(err, "the columns of block", number);
	for (size_t i = 0; i < h->columns && !r; i++) {
		r = wm_repack_plain(&a->s, i, &a->plain, &x, err);
		if (!r)
			r = wm_repack_plain(&b->s, i, &b->plain, &y, err);
		if (!r && (h->column[i].id != b->s.head.column[i].id ||
			   x != y || a->plain.len != b->plain.len ||
			   (a->plain.len &&
			    memcmp(a->plain.p, b->plain.p, a->plain.len) != 0)))
			r = say_differs(err, "a column of block", number);
	}
	return r;
}

static enum wm_status compare_blocks(struct wm_source *old,
				     struct wm_source *new,
				     const struct wm_rewritten *done,
				     struct wm_err *err)
{
	struct side a = { .src = old }, b = { .src = new };
	enum wm_status r = WM_OK;

	for (uint64_t i = 0; i < done->blocks && !r; i++) {
		r = next_block(&a, err);
		if (!r)
			r = next_block(&b, err);
		if (!r && !same_head(&a.s, &b.s, i == 0))
			r = say_differs(err, "the head of block", i);
		if (!r)
			r = compare_columns(&a, &b, i, err);
	}
	if (!r && (a.at != done->tail || b.at != done->at))
		r = say_differs(err, "the number of blocks,", done->blocks);
	release_side(&a);
	release_side(&b);
	return r;
}

static enum wm_status compare_tails(struct wm_source *a, uint64_t from,
				    struct wm_source *b, uint64_t at,
				    struct wm_err *err)
{
	const uint8_t *x, *y;
	enum wm_status r = WM_OK;

	if (from > a->size || at > b->size || a->size - from != b->size - at)
		return say_differs(err, "the length of the rest,",
				   a->size - from);
	while (!r && from < a->size) {
		uint64_t left = a->size - from;
		size_t n = left < 1 << 20 ? (size_t)left : 1 << 20;

		r = wm_source_view(a, from, n, &x, err);
		if (!r)
			r = wm_source_view(b, at, n, &y, err);
		if (!r && memcmp(x, y, n) != 0)
			r = say_differs(err, "the rest from byte", from);
		from += n;
		at += n;
	}
	return r;
}

enum wm_status wm_repack_verify(struct wm_trace *t, const char *path,
				const struct wm_rewritten *done,
				struct wm_err *err)
{
	struct wm_trace q;
	uint64_t blocks;
	enum wm_status r;

	r = wm_trace_open_alone(&q, path, "the new trace", done->blocks, NULL,
				&blocks, err);
	if (r)
		return r;
	if (q.damage.text[0] || q.read_bytes != done->at || !q.repacked)
		r = wm_err_set(err, WM_BAD_INPUT,
			       "only %" PRIu64 " of %" PRIu64
			       " new bytes can be read: %.300s",
			       q.read_bytes, done->at, q.damage.text);
	if (!r)
		r = compare_blocks(&t->src, &q.src, done, err);
	if (!r)
		r = compare_tails(&t->src, done->tail, &q.src, done->at, err);
	wm_trace_release(&q);
	return r;
}
