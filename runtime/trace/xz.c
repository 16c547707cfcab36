/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/xz.h"

#include <lzma.h>
#include <time.h>

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/state.h"

#define SHARE 20 /* one part in 20 of the elapsed time */
/* The most memory that liblzma takes, with a dictionary of 64 KiB: 1.41 MiB at
 * the level that is used below, 1.91 MiB at the other levels. */
#define ARENA_BYTES (1536u << 10)
#define ARENA_BYTES_HIGH (2u << 20)
#define INDEX_BYTES (64u << 10)
#define DICT_BYTES (64u << 10)

/* liblzma's memory: a stack of allocations that is emptied for each column.
 * The index of the Stream has a part of its own. */
struct arena {
	uint8_t *p;
	size_t used, room;
};
static struct arena work_arena, index_arena;
static lzma_index *stream_index;
static const lzma_stream_flags stream_flags = { .check = LZMA_CHECK_CRC32 };

static struct wm_packing columns[WMT_COL_LIMIT];
static struct wm_budget budget = { WM_BUDGET_START, 0, SHARE };

static int has_arena(struct arena *a)
{
	if (!a->p)
		a->p = wm_pool_map(a->room);
	return a->p != NULL;
}

static void *arena_alloc(void *opaque, size_t n, size_t size)
{
	struct arena *a = opaque;
	void *p;

	size = (n * size + 63) & ~(size_t)63;
	if (!has_arena(a) || a->room - a->used < size)
		return NULL;
	p = a->p + a->used;
	a->used += size;
	return p;
}

static void arena_free(void *opaque, void *p)
{
	(void)opaque;
	(void)p;
}

static const lzma_allocator work_allocator = { arena_alloc, arena_free,
					       &work_arena };
static const lzma_allocator index_allocator = { arena_alloc, arena_free,
						&index_arena };

static size_t work_bytes(void)
{
	return wm_options.compress > 0 ? ARENA_BYTES_HIGH : ARENA_BYTES;
}

size_t wm_xz_bytes(void)
{
	return (wm_options.compress == WM_COMPRESS_STORE ? 0 : work_bytes()) +
	       INDEX_BYTES;
}

void wm_xz_reserve(void)
{
	work_arena.room = work_bytes();
	index_arena.room = INDEX_BYTES;
	has_arena(&index_arena);
	if (wm_options.compress != WM_COMPRESS_STORE)
		has_arena(&work_arena);
}

int wm_xz_begin(struct wm_buf *out)
{
	index_arena.used = 0;
	stream_index = lzma_index_init(&index_allocator);
	out->len = 0;
	if (!stream_index || wm_buf_reserve(out, LZMA_STREAM_HEADER_SIZE))
		return -1;
	if (lzma_stream_header_encode(&stream_flags, out->p) != LZMA_OK)
		return -1;
	out->len = LZMA_STREAM_HEADER_SIZE;
	return 0;
}

#define STORED (-1)

bool wm_xz_is_due(unsigned column, size_t n)
{
	if (wm_options.compress == WM_COMPRESS_STORE ||
	    (wm_options.compress < 0 &&
	     (n < 64 || !wm_budget_affords(&budget, &columns[column], n))))
		return false;
	return !wm_packing_skips(&columns[column]);
}

void *wm_xz_scratch(size_t bytes)
{
	if (wm_options.compress == WM_COMPRESS_STORE ||
	    !has_arena(&work_arena) || work_arena.room < bytes)
		return NULL;
	return work_arena.p;
}

struct wm_budget *wm_xz_budget(void)
{
	return &budget;
}

static lzma_ret compress_column(lzma_block *block, int level,
				const uint8_t *data, size_t n,
				struct wm_buf *out)
{
	lzma_options_lzma opt;
	lzma_filter filters[2] = {
		{ .id = LZMA_FILTER_LZMA2, .options = &opt },
		{ .id = LZMA_VLI_UNKNOWN, .options = NULL },
	};
	lzma_ret r;

	if (lzma_lzma_preset(&opt, (uint32_t)level))
		return LZMA_OPTIONS_ERROR;
	opt.dict_size = DICT_BYTES;
	if (level == 0) {
		opt.mf = LZMA_MF_HC3;
		opt.nice_len = 32;
		opt.depth = 4;
	}
	block->filters = filters;
	work_arena.used = 0;
	r = lzma_block_buffer_encode(block, &work_allocator, data, n, out->p,
				     &out->len, out->room);
	block->filters = NULL;
	return r;
}

static int add(struct wm_buf *out, unsigned column, int level,
	       const uint8_t *data, size_t n, size_t or_else)
{
	lzma_block block = {
		.check = LZMA_CHECK_CRC32,
		.compressed_size = LZMA_VLI_UNKNOWN,
		.uncompressed_size = LZMA_VLI_UNKNOWN,
	};
	lzma_options_lzma opt = { .dict_size = DICT_BYTES };
	lzma_filter filters[2] = {
		{ .id = LZMA_FILTER_LZMA2, .options = &opt },
		{ .id = LZMA_VLI_UNKNOWN, .options = NULL },
	};
	size_t start = out->len;
	lzma_ret r = LZMA_OK;

	if (wm_buf_reserve(out, lzma_block_buffer_bound(n)))
		return -1;
	if (level != STORED) {
		uint64_t t = wm_clock_ns(CLOCK_MONOTONIC);

		r = compress_column(&block, level, data, n, out);
		wm_budget_spend(&budget, &columns[column], n, or_else,
				out->len - start, t);
	}
	if (level == STORED || r != LZMA_OK) {
		out->len = start;
		block.filters = filters;
		block.compressed_size = LZMA_VLI_UNKNOWN;
		block.uncompressed_size = LZMA_VLI_UNKNOWN;
		r = lzma_block_uncomp_encode(&block, data, n, out->p, &out->len,
					     out->room);
	}
	if (r != LZMA_OK)
		return -1;
	return lzma_index_append(stream_index, &index_allocator,
				 lzma_block_unpadded_size(&block),
				 block.uncompressed_size) == LZMA_OK ?
		       0 :
		       -1;
}

int wm_xz_add(struct wm_buf *out, unsigned column, const uint8_t *data,
	      size_t n)
{
	int level = wm_options.compress >= 0 ? wm_options.compress :
		    wm_xz_is_due(column, n)  ? 0 :
					       STORED;

	return add(out, column, level, data, n, n);
}

int wm_xz_store(struct wm_buf *out, const uint8_t *data, size_t n)
{
	return add(out, 0, STORED, data, n, n);
}

int wm_xz_try(struct wm_buf *out, unsigned column, const uint8_t *data,
	      size_t n, size_t or_else)
{
	int level = wm_options.compress > 0 ? wm_options.compress : 0;

	return add(out, column, level, data, n, or_else);
}

int wm_xz_end(struct wm_buf *out)
{
	lzma_stream_flags flags = stream_flags;

	flags.backward_size = lzma_index_size(stream_index);
	if (wm_buf_reserve(out, flags.backward_size + LZMA_STREAM_HEADER_SIZE))
		return -1;
	if (lzma_index_buffer_encode(stream_index, out->p, &out->len,
				     out->room) != LZMA_OK ||
	    lzma_stream_footer_encode(&flags, out->p + out->len) != LZMA_OK)
		return -1;
	out->len += LZMA_STREAM_HEADER_SIZE;
	return 0;
}
