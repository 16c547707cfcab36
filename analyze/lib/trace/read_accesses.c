/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/read_accesses.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/trace/head.h"
#include "wm/search.h"

#define MOST_ACCESSES (UINT64_C(1) << 44)

enum wm_status wm_accesses_note(struct wm_trace *t, const struct wm_head *h,
				uint64_t offset, uint32_t part, uint64_t number,
				struct wm_err *err)
{
	struct wm_accesses_block b = {
		.offset = offset,
		.number = (uint32_t)number,
		.part = part,
		.thread = wm_head_uint(h, WMT_F_THREAD),
		.tid = wm_head_uint(h, WMT_F_TID),
		.stream = wm_head_uint(h, WMT_F_ACCESS_STREAM),
		.base = wm_head_uint(h, WMT_F_ACCESS_BASE),
		.first = wm_head_uint(h, WMT_F_ACCESS_FIRST),
		.accesses = wm_head_uint(h, WMT_F_ACCESSES),
		.lost = wm_head_uint(h, WMT_F_ACCESSES_LOST),
	};

	if (b.thread > UINT32_MAX || b.first > MOST_ACCESSES ||
	    b.base > MOST_ACCESSES || b.accesses > MOST_ACCESSES ||
	    b.lost > MOST_ACCESSES)
		return wm_err_set(err, WM_BAD_INPUT,
				  "accesses %" PRIu64 " and %" PRIu64
				  " more of thread %" PRIu64,
				  b.first, b.accesses, b.thread);
	return WM_APPEND(t->access_blocks, t->access_block_cap,
			 t->access_block_count, b) ?
		       WM_OK :
		       wm_no_memory(err, NULL);
}

static int by_thread(const void *a, const void *b)
{
	const struct wm_accesses_block *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->thread, y->thread),
		       WM_ORDER(x->number, y->number));
}

void wm_accesses_sort(struct wm_trace *t)
{
	WM_SORT(t->access_blocks, t->access_block_count, by_thread);
}

uint64_t wm_accesses_lost(const struct wm_trace *t)
{
	const struct wm_accesses_block *b = t->access_blocks;
	uint64_t lost = 0;

	for (size_t i = 0; i < t->access_block_count; i++)
		if (i + 1 == t->access_block_count ||
		    b[i + 1].thread != b[i].thread)
			lost += b[i].lost;
	return lost > t->accesses_lost ? lost : t->accesses_lost;
}

/* Returns the first block of @thread, or else of a later thread. */
static size_t first_block(const struct wm_trace *t, uint64_t thread)
{
	return WM_FIRST(i, t->access_block_count,
			t->access_blocks[i].thread >= thread);
}

void wm_accesses_open(struct wm_accesses *a, const struct wm_trace *t,
		      uint64_t thread)
{
	memset(a, 0, sizeof(*a));
	a->t = t;
	a->thread = thread;
	a->block = first_block(t, thread);
	wm_source_share(&a->src, &t->src);
}

void wm_accesses_release(struct wm_accesses *a)
{
	wm_source_release(&a->src);
	wm_access_tokens_release(&a->tokens);
	wm_access_lists_release(&a->lists);
	wm_stream_release(&a->columns);
	memset(a, 0, sizeof(*a));
	a->src.fd = -1;
}

size_t wm_accesses_memory(const struct wm_accesses *a)
{
	return wm_stream_memory(&a->columns) + a->src.cap +
	       wm_access_tokens_memory(&a->tokens) + a->lists.token_cap +
	       a->lists.list_cap;
}

static enum wm_status load_tokens(struct wm_accesses *a,
				  const struct wm_accesses_block *b,
				  struct wm_err *err)
{
	const struct wm_head *h = &a->columns.head;
	struct wm_column c = { NULL, NULL };
	enum wm_status r = wm_stream_seek(&a->columns, &a->src, b->offset,
					  b->part, err);
	size_t i = 0, size;

	while (!r && i < h->columns && h->column[i].id != WMT_COL_LOADS)
		i++;
	if (!r && i < h->columns)
		r = wm_stream_column(&a->columns, i, &c, err);
	if (r)
		return r;
	size = c.p ? (size_t)(c.end - c.p) : 0;
	if (c.p && wm_block_encoding(&h->column[i]) == WMT_ENC_LISTS) {
		r = wm_access_lists_unpack(&a->lists, c.p, size, &size, err);
		c.p = a->lists.tokens;
	}
	if (!r)
		wm_access_tokens_add(&a->tokens,
				     c.p ? c.p : (const uint8_t *)"", size,
				     b->accesses);
	return r;
}

/* Loads the next block of the thread, or returns WM_END. */
static enum wm_status next_block(struct wm_accesses *a, struct wm_err *err)
{
	const struct wm_trace *t = a->t;
	const struct wm_accesses_block *b;

	if (a->block == t->access_block_count ||
	    t->access_blocks[a->block].thread != a->thread)
		return WM_END;
	b = &t->access_blocks[a->block++];
	if (b->first != a->next)
		/* the spots of a lost block are unknown */
		return wm_err_set(err, WM_BAD_INPUT,
				  "accesses %" PRIu64 " to %" PRIu64
				  " of thread %" PRIu64 " are missing",
				  a->next, b->first, a->thread);
	a->next = b->first + b->accesses;
	a->tid = b->tid;
	a->stream = b->stream;
	a->base = b->base;
	return load_tokens(a, b, err);
}

enum wm_status wm_accesses_next(struct wm_accesses *a, struct wm_access *out,
				size_t room, size_t *n, struct wm_err *err)
{
	const struct wm_accesses_block *b;
	struct wm_err why;
	enum wm_status r;

	do
		r = wm_access_tokens_next(&a->tokens, out, room, n, &why);
	while (r == WM_END && !(r = next_block(a, &why)));
	if (!r || r == WM_END)
		return r;
	b = &a->t->access_blocks[a->block - 1];
	return wm_trace_blame(a->t, b->number, b->offset, r, why.text, err);
}
