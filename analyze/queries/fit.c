/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/fit.h"

#include <stdlib.h>
#include <string.h>

/* Sums of the worst ranks: [k] of k. */
struct sums {
	uint64_t *own, *touched;
	size_t count; /* ranks */
};

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x > *y ? -1 : *x < *y;
}

static void sum_up(uint64_t *v, size_t count)
{
	qsort(v + 1, count, sizeof(*v), by_size);
	v[0] = 0;
	for (size_t i = 1; i <= count; i++)
		v[i] += v[i - 1];
}

static uint64_t with_margin(uint64_t bytes)
{
	return bytes + bytes / 100 * WM_ASK_MARGIN;
}

/* Of @k ranks, @v being sums of the worst ones. */
static uint64_t need_of(const uint64_t *v, size_t count, uint64_t shared,
			uint64_t k)
{
	uint64_t further = k > count ? k - count : 0;

	if (v[1] && further > UINT64_MAX / 4 / v[1])
		return UINT64_MAX / 2;
	return with_margin(v[k - further] + further * v[1] + shared);
}

/* The most ranks that need no more than @memory. */
static uint64_t most_ranks(const uint64_t *v, size_t count, uint64_t shared,
			   uint64_t memory)
{
	uint64_t low = 0, high = v[1] ? count + memory / v[1] + 1 : 0;

	while (low < high) {
		uint64_t k = low + (high - low + 1) / 2;

		if (need_of(v, count, shared, k) <= memory)
			low = k;
		else
			high = k - 1;
	}
	return low;
}

/* The lowest limit of the run's nodes that does not depend on how many ranks
 * they have. */
static void find_limit(struct wm_fit *fit, const struct wm_analysis *a,
		       const struct sums *s)
{
	const struct wm_limits *l = &wm_analysis_origin(a, 0)->limits;

	if (l->per_node) {
		fit->limit = WM_LIMIT_JOB;
		fit->limit_bytes = l->per_node;
	}
	if (l->group && (!fit->limit_bytes || l->group < fit->limit_bytes)) {
		fit->limit = WM_LIMIT_GROUP;
		fit->limit_bytes = l->group;
	}
	if (!fit->limit)
		return;
	fit->limit_ranks = most_ranks(s->own, s->count, fit->shared,
				      fit->limit_bytes);
	if (fit->limit_ranks >= fit->ranks)
		fit->limit = WM_LIMIT_NONE;
}

static enum wm_status find_sums(struct sums *s, struct wm_fit *fit,
				const struct wm_analysis *a, struct wm_err *err)
{
	struct wm_node_need *node = calloc(a->run.file_count + 1,
					   sizeof(*node));
	size_t i;

	s->own = calloc(a->rank_count + 2, sizeof(*s->own));
	s->touched = calloc(a->rank_count + 2, sizeof(*s->touched));
	s->count = a->rank_count;
	if (!node || !s->own || !s->touched) {
		free(node);
		return wm_no_memory(err, NULL);
	}
	for (i = 0; i < a->rank_count; i++) {
		size_t at = a->run.files[a->ranks[i].source].node;
		struct wm_rank_need n;

		wm_rank_need_find(&n, a, i);
		wm_node_need_add(&node[at], &n);
		s->own[i + 1] = n.own;
		s->touched[i + 1] = n.own + n.untouched;
		if (node[at].shared > fit->shared)
			fit->shared = node[at].shared;
	}
	sum_up(s->own, s->count);
	sum_up(s->touched, s->count);
	fit->worst = s->own[1];
	free(node);
	return WM_OK;
}

enum wm_status wm_fit_find(struct wm_fit *fit, const struct wm_analysis *a,
			   uint64_t node_memory, uint64_t ranks,
			   struct wm_err *err)
{
	struct sums s = { NULL, NULL, 0 };
	enum wm_status status;

	memset(fit, 0, sizeof(*fit));
	fit->node_memory = node_memory;
	fit->asked = ranks;
	status = find_sums(&s, fit, a, err);
	if (!status && node_memory) {
		fit->ranks = most_ranks(s.own, s.count, fit->shared,
					node_memory);
		fit->touched_ranks = most_ranks(s.touched, s.count, fit->shared,
						node_memory);
		find_limit(fit, a, &s);
	}
	if (!status && ranks) {
		fit->bytes = need_of(s.own, s.count, fit->shared, ranks);
		fit->touched_bytes = need_of(s.touched, s.count, fit->shared,
					     ranks);
	}
	free(s.own);
	free(s.touched);
	return status;
}
