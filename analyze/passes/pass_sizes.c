/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks by size, of all allocations and at the peak (lifetime.h). */
#include "analyze/lib/replay/pass.h"

#include <stdlib.h>

#include "analyze/passes/lifetime.h"
#include "analyze/passes/rank.h"

struct size_state {
	uint64_t blocks, bytes; /* alive */
	uint64_t saved_blocks, saved_bytes;
	uint64_t epoch; /* of saved */
};

struct sizes {
	struct wm_sizes *sizes;
	struct size_state size[WM_SIZES];
	uint64_t live, peak, epoch;
};

static enum wm_status sizes_init(void *state, const struct wm_trace *t,
				 struct wm_err *err)
{
	struct sizes *z = state;

	(void)t;
	z->sizes = calloc(1, sizeof(*z->sizes));
	return z->sizes ? WM_OK : wm_no_memory(err, NULL);
}

static void take_size(struct sizes *z, uint64_t bytes, bool gone)
{
	unsigned k = bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
	struct size_state *s = &z->size[k];

	if (s->epoch != z->epoch) {
		s->epoch = z->epoch;
		s->saved_blocks = s->blocks;
		s->saved_bytes = s->bytes;
	}
	s->blocks += gone ? -1ull : 1;
	s->bytes += gone ? -bytes : bytes;
	z->sizes->blocks[k] += !gone;
	z->sizes->bytes[k] += gone ? 0 : bytes;
}

static enum wm_status sizes_take(void *state, const struct wm_changes *c,
				 struct wm_err *err)
{
	struct sizes *z = state;

	(void)err;
	for (size_t i = 0; i < c->count; i++) {
		bool gone = (c->who[i] & WM_RELEASE) != 0;
		uint8_t family = c->family[i];

		if (!wm_family_in_peak[family])
			continue;
		if (wm_family_blocks[family])
			take_size(z, c->bytes[i], gone);
		z->live += gone ? -c->bytes[i] : c->bytes[i];
		if (!gone && z->live > z->peak) {
			z->peak = z->live;
			z->epoch++;
		}
	}
	return WM_OK;
}

static enum wm_status sizes_finish(void *state, const struct wm_trace *t,
				   struct wm_rank *rank, struct wm_err *err)
{
	struct sizes *z = state;

	(void)t;
	(void)err;
	for (size_t i = 0; i < WM_SIZES; i++) {
		const struct size_state *s = &z->size[i];
		bool changed = s->epoch == z->epoch;

		z->sizes->peak_blocks[i] = changed ? s->saved_blocks :
						     s->blocks;
		z->sizes->peak_bytes[i] = changed ? s->saved_bytes : s->bytes;
	}
	rank->sizes = z->sizes;
	z->sizes = NULL;
	return WM_OK;
}

static void sizes_release(void *state)
{
	struct sizes *z = state;

	free(z->sizes);
}

const struct wm_pass_ops wm_pass_sizes = {
	.name = "sizes",
	.state_size = sizeof(struct sizes),
	.init = sizes_init,
	.take = sizes_take,
	.finish = sizes_finish,
	.release = sizes_release,
};
