/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/trace/accesses.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"
#include "analyze/trace/block.h"

#define MOST_ACCESSES (UINT64_C(1) << 44)

enum wm_status wm_accesses_note(struct wm_trace *t, const struct wm_head *h,
				uint64_t offset, uint64_t number,
				struct wm_err *err)
{
	struct wm_access_block b = {
		.offset = offset,
		.number = (uint32_t)number,
		.thread = wm_head_uint(h, WMT_F_THREAD),
		.tid = wm_head_uint(h, WMT_F_TID),
		.first = wm_head_uint(h, WMT_F_ACCESS_FIRST),
		.accesses = wm_head_uint(h, WMT_F_ACCESSES),
		.lost = wm_head_uint(h, WMT_F_ACCESSES_LOST),
	};
	struct wm_access_block *to;

	if (b.thread > UINT32_MAX || b.first > MOST_ACCESSES ||
	    b.accesses > MOST_ACCESSES || b.lost > MOST_ACCESSES)
		return wm_err_set(err, WM_BAD_INPUT,
				  "accesses %" PRIu64 " and %" PRIu64
				  " more of thread %" PRIu64,
				  b.first, b.accesses, b.thread);
	to = WM_MORE(t->access_blocks, t->access_block_cap,
		     t->access_block_count);
	if (!to)
		return wm_no_memory(err, NULL);
	*to = b;
	t->access_block_count++;
	return WM_OK;
}

void wm_accesses_open(struct wm_accesses *a, const struct wm_trace *t,
		      uint64_t thread)
{
	memset(a, 0, sizeof(*a));
	a->t = t;
	a->thread = thread;
	a->bad = WM_ALL_BLOCKS;
	wm_source_share(&a->src, &t->src);
}

void wm_accesses_release(struct wm_accesses *a)
{
	wm_source_release(&a->src);
	wm_access_tokens_release(&a->tokens);
	free(a->buf);
	memset(a, 0, sizeof(*a));
	a->src.fd = -1;
}

static enum wm_status load_tokens(struct wm_accesses *a,
				  const struct wm_access_block *b,
				  struct wm_err *err)
{
	struct wm_xz_block at[WMT_COL_LIMIT];
	struct wm_xz xz = { 0 };
	struct wm_head head;
	uint64_t size = 0;
	enum wm_status r;

	r = wm_block_head(&a->src, &xz, b->offset, &head, &a->buf, &a->cap,
			  err);
	if (!r)
		r = wm_block_columns(&xz, &head, at, err);
	if (!r && at[WMT_COL_LOADS].size) {
		size = at[WMT_COL_LOADS].size;
		r = wm_block_decode(&a->src, &at[WMT_COL_LOADS], &a->buf,
				    &a->cap, err);
	}
	wm_xz_release(&xz);
	if (!r)
		wm_access_tokens_add(&a->tokens, a->buf, (size_t)size,
				     b->accesses);
	return r;
}

/* The next block of the thread; WM_END: there is none. */
static enum wm_status next_block(struct wm_accesses *a, struct wm_err *err)
{
	const struct wm_trace *t = a->t;
	const struct wm_access_block *b;
	enum wm_status r;

	while (a->block < t->access_block_count &&
	       t->access_blocks[a->block].thread != a->thread)
		a->block++;
	if (a->block == t->access_block_count)
		return WM_END;
	b = &t->access_blocks[a->block++];
	a->bad = b->number;
	if (b->first != a->next)
		/* a block is lost, and what was learned in it */
		return wm_err_set(err, WM_BAD_INPUT,
				  "accesses %" PRIu64 " to %" PRIu64
				  " of thread %" PRIu64 " are missing",
				  a->next, b->first, a->thread);
	a->next = b->first + b->accesses;
	a->tid = b->tid;
	r = load_tokens(a, b, err);
	return r;
}

enum wm_status wm_accesses_next(struct wm_accesses *a, struct wm_access *out,
				size_t room, size_t *n, struct wm_err *err)
{
	struct wm_err why;
	enum wm_status r;

	for (;;) {
		r = wm_access_tokens_next(&a->tokens, out, room, n, &why);
		if (r == WM_END)
			r = next_block(a, &why);
		else
			break;
		if (r == WM_END)
			return r;
		if (r)
			break;
	}
	if (r)
		return wm_err_set(err, r, "%s: block %" PRIu64 ": %.300s",
				  a->t->name, a->bad, why.text);
	return WM_OK;
}
