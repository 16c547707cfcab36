/* SPDX-License-Identifier: Apache-2.0 */
/* The places of blocks of a page or more during the run.  Blocks with the same
 * call path, address and size, as in a loop, share an entry.  Blocks beyond
 * MOST_BLOCKS are only counted.  If a part of a mapping is removed, the rest is
 * an entry of its own. */
#include <stdbool.h>
#include <stdlib.h>

#include "analyze/lib/base/index.h"
#include "analyze/lib/base/vec.h"
#include "analyze/pages/pages.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/reader.h"

#define MOST_BLOCKS ((size_t)1 << 18) /* 12 MiB with the index */

struct blocks {
	struct wm_block_at *block;
	size_t count, cap;
	struct wm_index index;
	uint64_t left_out;
	uint64_t least; /* bytes */
};

static enum wm_status blocks_init(void *state, const struct wm_trace *t,
				  struct wm_err *err)
{
	struct blocks *b = state;

	(void)err;
	b->least = UINT64_C(1) << t->page_shift;
	return WM_OK;
}

static bool add_block(struct blocks *b, uint64_t addr, uint64_t bytes,
		      uint32_t path)
{
	uint64_t key[] = { addr, bytes, path };
	uint32_t hash = wm_index_hash(
		wm_hash_bytes(WM_HASH_START, key, sizeof(key)));
	struct wm_index_slot *s;
	struct wm_block_at *to;

	if (wm_index_room(&b->index))
		return false;
	WM_INDEX_EACH(s, &b->index, hash) {
		to = &b->block[s->number - 1];
		if (to->addr == addr && to->bytes == bytes && to->path == path)
			return true;
	}
	if (b->count == MOST_BLOCKS) {
		b->left_out++;
		return true;
	}
	to = WM_MORE(b->block, b->cap, b->count);
	if (!to)
		return false;
	*to = (struct wm_block_at){ addr, bytes, path };
	wm_index_put(&b->index, s, hash, b->count++);
	return true;
}

static enum wm_status blocks_take(void *state, const struct wm_changes *c,
				  struct wm_err *err)
{
	struct blocks *b = state;

	for (size_t i = 0; i < c->count; i++)
		if (!(c->who[i] & WM_RELEASE) && c->bytes[i] >= b->least &&
		    !add_block(b, c->addr[i], c->bytes[i], c->who[i]))
			return wm_no_memory(err, NULL);
	return WM_OK;
}

static enum wm_status blocks_finish(void *state, const struct wm_trace *t,
				    struct wm_rank *rank, struct wm_err *err)
{
	struct blocks *b = state;

	(void)t;
	(void)err;
	rank->pages.block = b->block;
	rank->pages.blocks = b->count;
	rank->pages.blocks_left_out = b->left_out;
	b->block = NULL;
	return WM_OK;
}

static void blocks_release(void *state)
{
	struct blocks *b = state;

	wm_index_release(&b->index);
	free(b->block);
}

const struct wm_pass_ops wm_pass_blocks = {
	.name = "blocks",
	.state_size = sizeof(struct blocks),
	.alloc_times = true,
	.addresses = true,
	.idle = wm_trace_without_pages,
	.init = blocks_init,
	.take = blocks_take,
	.finish = blocks_finish,
	.release = blocks_release,
};
