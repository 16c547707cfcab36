/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/series.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"

enum wm_status wm_series_builder_init(struct wm_series_builder *b,
				      const struct wm_trace *t, size_t keys,
				      struct wm_err *err)
{
	wm_bins_init(&b->bins, t);
	b->keys = keys;
	b->epoch = 1;
	b->key = calloc(keys, sizeof(*b->key));
	b->dirty = calloc(keys, sizeof(*b->dirty));
	return b->key && b->dirty ? WM_OK : wm_no_memory(err, "the timeline");
}

void wm_series_builder_release(struct wm_series_builder *b)
{
	free(b->key);
	free(b->dirty);
	free(b->step);
	memset(b, 0, sizeof(*b));
}

static enum wm_status put_step(struct wm_series_builder *b, uint32_t key,
			       size_t bin, uint64_t bytes, struct wm_err *err)
{
	struct wm_series_step *s = WM_MORE(b->step, b->step_cap, b->step_count);

	if (!s)
		return wm_no_memory(err, "the timeline");
	*s = (struct wm_series_step){ bytes, key, (uint32_t)bin };
	b->step_count++;
	return WM_OK;
}

static enum wm_status put_steps(struct wm_series_builder *b, struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i, n = 0;

	for (i = 0; i < b->dirty_count && !s; i++) {
		struct wm_series_key *k = &b->key[b->dirty[i]];
		uint64_t v = k->epoch == b->epoch ? k->saved : k->live;

		if (v != k->written) {
			s = put_step(b, b->dirty[i], b->bins.at, v, err);
			k->written = v;
		}
		/* in the next bin the key may have its live bytes */
		k->dirty = k->live != v;
		if (k->dirty)
			b->dirty[n++] = b->dirty[i];
	}
	b->dirty_count = n;
	b->epoch++;
	return s;
}

/* The values of the old bins while pairs are joined. */
struct joint {
	uint64_t *now;
	uint32_t *changed; /* keys that may differ from .written */
	uint8_t *listed;
	/* length of .changed; position in the old steps */
	size_t count, next;
	const struct wm_series_step *old;
	size_t old_count;
};

static void pass_bin(struct joint *j, size_t bin)
{
	for (; j->next < j->old_count && j->old[j->next].bin <= bin;
	     j->next++) {
		uint32_t key = j->old[j->next].key;

		j->now[key] = j->old[j->next].bytes;
		if (j->listed[key])
			continue;
		j->listed[key] = 1;
		j->changed[j->count++] = key;
	}
}

static enum wm_status put_bin(struct wm_series_builder *b, struct joint *j,
			      size_t bin, struct wm_err *err)
{
	enum wm_status s = WM_OK;

	for (size_t i = 0; i < j->count && !s; i++) {
		struct wm_series_key *k = &b->key[j->changed[i]];

		j->listed[j->changed[i]] = 0;
		if (k->written == j->now[j->changed[i]])
			continue;
		k->written = j->now[j->changed[i]];
		s = put_step(b, j->changed[i], bin, k->written, err);
	}
	j->count = 0;
	return s;
}

/* Joins pairs of bins; a pair has the values of the bin with the higher
 * maximum.  @bin has the bins before. */
static enum wm_status join_steps(struct wm_series_builder *b,
				 const struct wm_bin *bin, struct joint *j,
				 struct wm_err *err)
{
	enum wm_status s = WM_OK;

	for (size_t i = 0; i < b->keys; i++)
		b->key[i].written = 0;
	for (size_t i = 0; i < WM_BINS && !s; i += 2) {
		bool first = bin[i].max >= bin[i + 1].max;

		pass_bin(j, i);
		if (!first)
			pass_bin(j, i + 1);
		s = put_bin(b, j, i / 2, err);
		pass_bin(j, i + 1);
	}
	for (size_t i = 0; i < b->keys && !s; i++) {
		struct wm_series_key *k = &b->key[i];

		if (k->written == k->live || k->dirty)
			continue;
		k->dirty = true;
		b->dirty[b->dirty_count++] = (uint32_t)i;
	}
	return s;
}

static enum wm_status join_pairs(struct wm_series_builder *b,
				 const struct wm_bin *bin, struct wm_err *err)
{
	struct wm_series_step *old = b->step;
	struct joint j = {
		.now = calloc(b->keys, sizeof(*j.now)),
		.changed = calloc(b->keys, sizeof(*j.changed)),
		.listed = calloc(b->keys, sizeof(*j.listed)),
		.old = old,
		.old_count = b->step_count,
	};
	enum wm_status s = wm_no_memory(err, "the timeline");

	b->step = NULL;
	b->step_count = b->step_cap = 0;
	if (j.now && j.changed && j.listed)
		s = join_steps(b, bin, &j, err);
	free(j.now);
	free(j.changed);
	free(j.listed);
	free(old);
	return s;
}

enum wm_status wm_series_builder_close(struct wm_series_builder *b,
				       struct wm_err *err)
{
	struct wm_bin before[WM_BINS];
	enum wm_status s = put_steps(b, err);

	if (s)
		return s;
	if (b->bins.at == WM_BINS - 1) {
		wm_bins_end(&b->bins);
		memcpy(before, b->bins.bin, sizeof(before));
	}
	return wm_bins_close(&b->bins) ? join_pairs(b, before, err) : WM_OK;
}

enum wm_status wm_series_builder_finish(struct wm_series_builder *b,
					const struct wm_trace *t,
					struct wm_series *out,
					struct wm_err *err)
{
	enum wm_status s = WM_OK;

	while (!s && wm_bins_before_end(&b->bins, t))
		s = wm_series_builder_close(b, err);
	if (!s)
		s = put_steps(b, err);
	if (s)
		return s;
	wm_bins_end(&b->bins);
	out->step = b->step;
	out->count = b->step_count;
	b->step = NULL;
	return WM_OK;
}
