/* SPDX-License-Identifier: Apache-2.0 */
/* Live bytes over time by key, which is a call path or a phase: the bytes of
 * each key when live bytes were highest in a bin.  In each bin the bytes of all
 * keys add up to that maximum.  A new maximum of the bin begins an epoch of the
 * method of pass_heap.c.  Only values that differ from those in the bin before
 * are kept.  A wm_series_builder owns what it points to; one thread at a
 * time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/passes/bins.h"
#include "analyze/passes/rank.h"

struct wm_series_key {
	uint64_t live, saved;
	uint64_t epoch; /* of saved */
	uint64_t written; /* value in the last closed bin */
	bool dirty;
};

struct wm_series_builder {
	struct wm_bins bins;
	struct wm_series_key *key;
	size_t keys;
	uint32_t *dirty; /* keys that may differ from .written */
	size_t dirty_count;
	uint64_t epoch;
	struct wm_series_step *step;
	size_t step_count, step_cap;
};

/* Keys are 0 to @keys - 1. */
enum wm_status wm_series_builder_init(struct wm_series_builder *b,
				      const struct wm_trace *t, size_t keys,
				      struct wm_err *err);
void wm_series_builder_release(struct wm_series_builder *b);
enum wm_status wm_series_builder_close(struct wm_series_builder *b,
				       struct wm_err *err);
/* Ends all bins and moves the steps to @out. */
enum wm_status wm_series_builder_finish(struct wm_series_builder *b,
					const struct wm_trace *t,
					struct wm_series *out,
					struct wm_err *err);

/* Adds @bytes to @key at @time, or subtracts them if @gone. */
static inline enum wm_status wm_series_builder_add(struct wm_series_builder *b,
						   size_t key, uint64_t bytes,
						   int gone, uint64_t time,
						   struct wm_err *err)
{
	struct wm_series_key *k = &b->key[key];
	struct wm_bins *n = &b->bins;
	enum wm_status s;

	while (wm_bins_over(n, time))
		if ((s = wm_series_builder_close(b, err)))
			return s;
	if (k->epoch != b->epoch) {
		k->epoch = b->epoch;
		k->saved = k->live;
		if (!k->dirty) {
			k->dirty = true;
			b->dirty[b->dirty_count++] = (uint32_t)key;
		}
	}
	if (gone) {
		k->live -= bytes;
		n->live -= bytes;
		return WM_OK;
	}
	k->live += bytes;
	n->live += bytes;
	if (n->live > n->max) {
		n->max = n->live;
		b->epoch++;
	}
	return WM_OK;
}
