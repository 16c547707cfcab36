/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live bytes by call path and by family: now, and at the highest moment so
 * far.
 *
 * The epoch method: a new peak begins an epoch.  A path that changes for the
 * first time in an epoch first saves its old value, which is its value at the
 * peak.  So the breakdown at the peak is known at the end, after one pass, at
 * the price of one comparison per change.
 */
#include "analyze/pass.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/rank.h"
#include "analyze/reader.h"

struct path_state {
	uint64_t live, saved;
	uint64_t epoch; /* of saved */
	uint32_t blocks, saved_blocks;
};

/* Of a family: the same, and its own peak. */
struct family_state {
	uint64_t live, saved, epoch, peak;
	uint32_t blocks;
};

struct heap {
	struct path_state *path;
	struct family_state family[WM_FAMILIES];
	size_t count;
	uint64_t live, peak, peak_time, epoch;
};

/* More than any machine has; and sums of a batch can not overflow. */
#define TOO_MUCH (1ull << 62)

static enum wm_status heap_init(void *state, const struct wm_trace *t,
				struct wm_err *err)
{
	struct heap *h = state;

	h->count = t->paths.path_count;
	if (h->count >= WM_RELEASE)
		return wm_err_set(err, WM_BAD_INPUT, "%s: too many call paths",
				  t->name);
	h->path = calloc(h->count, sizeof(*h->path));
	if (!h->path)
		return wm_err_set(err, WM_NO_MEMORY,
				  "no memory for %zu call paths", h->count);
	return WM_OK;
}

static inline void family_take(struct family_state *f, uint64_t delta,
			       uint64_t minus, uint64_t epoch)
{
	if (f->epoch != epoch) {
		f->epoch = epoch;
		f->saved = f->live;
	}
	f->live += delta;
	f->blocks += 1 | (uint32_t)minus;
	if (f->live > f->peak && !minus)
		f->peak = f->live;
}

static enum wm_status heap_take(void *state, const struct wm_changes *c,
				struct wm_err *err)
{
	struct heap *h = state;
	uint64_t live = h->live, peak = h->peak, epoch = h->epoch;
	size_t i;

	for (i = 0; i < c->count; i++) {
		uint32_t who = c->who[i];
		struct path_state *p = &h->path[who & ~WM_RELEASE];
		/* 0 or all ones: no branch on what nobody can predict */
		uint64_t minus = -(uint64_t)(who >> 31);
		uint64_t delta = (c->bytes[i] ^ minus) - minus;

		family_take(&h->family[c->family[i]], delta, minus, epoch);
		if (!wm_family_in_peak[c->family[i]])
			continue;
		if (p->epoch != epoch) {
			p->epoch = epoch;
			p->saved = p->live;
			p->saved_blocks = p->blocks;
		}
		p->live += delta;
		p->blocks += 1 | (uint32_t)minus;
		live += delta;
		if (live > peak) {
			peak = live;
			h->peak_time = c->time[i];
			epoch++;
		}
	}
	h->live = live;
	h->peak = peak;
	h->epoch = epoch;
	if (live > TOO_MUCH)
		return wm_err_set(err, WM_BAD_INPUT,
				  "more than 4 EiB are alive");
	return WM_OK;
}

static enum wm_status heap_finish(void *state, const struct wm_trace *t,
				  struct wm_rank *rank, struct wm_err *err)
{
	struct heap *h = state;
	size_t i;

	rank->use = calloc(h->count, sizeof(*rank->use));
	if (!rank->use)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	for (i = 0; i < h->count; i++) {
		const struct path_state *p = &h->path[i];
		int changed = p->epoch == h->epoch;
		struct wm_use *u = &rank->use[i];

		u->peak_bytes = changed ? p->saved : p->live;
		u->peak_blocks = changed ? p->saved_blocks : p->blocks;
		u->end_bytes = p->live;
		u->end_blocks = p->blocks;
		rank->peak_blocks += u->peak_blocks;
		rank->end_blocks += u->end_blocks;
	}
	for (i = 0; i < WM_FAMILIES; i++) {
		const struct family_state *f = &h->family[i];

		rank->family[i] = (struct wm_family_use){
			.peak_bytes = f->peak,
			.at_peak_bytes = f->epoch == h->epoch ? f->saved :
								f->live,
			.end_bytes = f->live,
			.end_blocks = f->blocks,
		};
	}
	rank->peak_bytes = h->peak;
	rank->end_bytes = h->live;
	rank->peak_seconds = h->peak ? wm_trace_seconds(t, h->peak_time) : 0;
	return WM_OK;
}

static void heap_release(void *state)
{
	struct heap *h = state;

	free(h->path);
}

const struct wm_pass_ops wm_pass_heap = {
	.name = "heap",
	.state_size = sizeof(struct heap),
	.init = heap_init,
	.take = heap_take,
	.finish = heap_finish,
	.release = heap_release,
};
