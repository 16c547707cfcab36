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
	struct wm_plain_block block;
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
	return r ? r : wm_plain_block_next(&x->block, &x->s, err);
}

static bool same(const struct wm_octets *a, const struct wm_octets *b)
{
	return a->len == b->len && (!a->len || memcmp(a->p, b->p, a->len) == 0);
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
		if (!r && (!same(&a.block.head, &b.block.head) ||
			   !same(&a.block.columns, &b.block.columns)))
			r = say_differs(err, "block", i);
	}
	if (!r && (a.at != done->tail || b.at != done->at))
		r = say_differs(err, "the number of blocks,", done->blocks);
	wm_stream_release(&a.s);
	wm_stream_release(&b.s);
	wm_plain_block_release(&a.block);
	wm_plain_block_release(&b.block);
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
	if (q.damage.text[0] || q.read_bytes != done->at)
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
