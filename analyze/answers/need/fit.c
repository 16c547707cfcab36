/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/need/fit.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/whole.h"
#include "wm/search.h"

/* Ranks of a node, in order of need. */
struct crowd {
	uint64_t *sum; /* [k]: sum of the k worst, each at its own highest */
	size_t count; /* ranks of the run */
	uint64_t most; /* the most of all ranks at one time, on one node */
	uint64_t shared;
};

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return WM_ORDER(*y, *x);
}

static uint64_t times(uint64_t ranks, uint64_t bytes)
{
	return bytes && ranks > WM_FIT_MANY / bytes ? WM_FIT_MANY :
						      ranks * bytes;
}

/* Returns the need of @k ranks, the worst first, further ones like the
 * worst. */
static uint64_t need_of(const struct crowd *c, uint64_t k)
{
	uint64_t bytes = c->sum[k < c->count ? k : c->count];

	wm_lower(&bytes, c->most);
	if (k > c->count)
		bytes += times(k - c->count, c->sum[1]);
	return wm_with_margin(bytes + c->shared);
}

/* Returns the need of @k ranks if each is like the mean. */
static uint64_t mean_need_of(const struct crowd *c, uint64_t k)
{
	uint64_t each = c->count ? c->most / c->count : 0;
	uint64_t rest = c->count ? c->most % c->count * k / c->count : 0;

	return wm_with_margin(times(k, each) + rest + c->shared);
}

static uint64_t most_ranks(const struct crowd *c, uint64_t memory,
			   uint64_t (*need)(const struct crowd *c, uint64_t k))
{
	uint64_t low = 0, high = c->sum[1] ? 1 : 0;

	while (high && high < WM_FIT_MANY && need(c, high) <= memory)
		high *= 2;
	while (low < high) {
		uint64_t k = low + (high - low + 1) / 2;

		if (need(c, k) <= memory)
			low = k;
		else
			high = k - 1;
	}
	return low;
}

static bool is_within(const struct crowd *c, uint64_t k, uint64_t each)
{
	return need_of(c, k) <= times(k, each);
}

/* Returns the largest number of ranks, up to @ranks, that need no more than
 * @each bytes times their number.  A smaller number of ranks may need more for
 * each, as shared memory counts once. */
static uint64_t most_with(const struct crowd *c, uint64_t each, uint64_t ranks)
{
	uint64_t k = ranks < c->count ? ranks : c->count, high = ranks;

	if (is_within(c, ranks, each))
		return ranks;
	if (!is_within(c, k, each)) {
		while (k && !is_within(c, k, each))
			k--;
		return k;
	}
	/* from @k on, each further rank adds the same */
	while (high - k > 1) {
		uint64_t half = k + (high - k) / 2;

		if (is_within(c, half, each))
			k = half;
		else
			high = half;
	}
	return k;
}

static void lower_to(uint64_t *limit, uint64_t bytes)
{
	if (bytes)
		wm_lower(limit, bytes);
}

/* Takes a limit of @bytes, which up to @ranks ranks keep to, if it allows fewer
 * ranks than the node and than the limit in @fit. */
static void take_limit(struct wm_node_fit *fit, enum wm_limit limit,
		       uint64_t bytes, uint64_t ranks)
{
	if (ranks >= fit->ranks || (fit->limit && fit->limit_ranks <= ranks))
		return;
	fit->limit = limit;
	fit->limit_bytes = bytes;
	fit->limit_ranks = ranks;
}

/* Finds the limit of the run's nodes that allows the fewest ranks.  The limit
 * of a cgroup counts only if all ranks of a node are in the cgroup. */
static void find_limit(struct wm_node_fit *fit, const struct wm_analysis *a,
		       const struct wm_job_need *n, const struct crowd *c)
{
	uint64_t job = UINT64_MAX, group = job, each = job;

	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_origin *o = wm_analysis_origin(a, i);
		size_t node = wm_job_need_node(a, i);

		lower_to(&job, o->limits.per_node);
		lower_to(&each, wm_ask_rank_limit(o));
		if (!n->node[node].groups_apart)
			lower_to(&group, o->limits.group);
	}
	if (job != UINT64_MAX)
		take_limit(fit, WM_LIMIT_JOB, job, most_ranks(c, job, need_of));
	if (group != UINT64_MAX)
		take_limit(fit, WM_LIMIT_GROUP, group,
			   most_ranks(c, group, need_of));
	if (each != UINT64_MAX)
		take_limit(fit, WM_LIMIT_RANK, each,
			   most_with(c, each, fit->ranks));
}

static void sum_up(struct crowd *c)
{
	uint64_t *v = c->sum;

	qsort(v + 1, c->count, sizeof(*v), by_size);
	for (size_t i = 2; i <= c->count; i++)
		v[i] += v[i - 1];
}

static void find_crowds(struct crowd *own, struct crowd *touched,
			struct wm_node_fit *fit, const struct wm_job_need *n)
{
	for (size_t i = 0; i < own->count; i++) {
		own->sum[i + 1] = n->rank[i].own;
		touched->sum[i + 1] = n->rank[i].own + n->rank[i].more -
				      n->rank[i].more_shared;
		wm_raise(&fit->worst, n->rank[i].own);
	}
	for (size_t i = 0; i < n->nodes; i++) {
		own->most += n->node[i].at_once;
		touched->most += n->node[i].at_once + n->node[i].more -
				 n->node[i].more_shared;
		wm_raise(&own->shared, n->node[i].shared);
		wm_raise(&touched->shared,
			 n->node[i].shared + n->node[i].more_shared);
		fit->at_least |= n->node[i].at_least;
	}
	sum_up(own);
	sum_up(touched);
}

enum wm_status wm_fit_find(struct wm_node_fit *fit, const struct wm_analysis *a,
			   uint64_t node_memory, uint64_t ranks,
			   struct wm_err *err)
{
	struct crowd own = { .count = a->rank_count }, touched = own;
	struct wm_job_need n;
	enum wm_status s;

	memset(fit, 0, sizeof(*fit));
	fit->node_memory = node_memory;
	fit->asked = ranks;
	s = wm_job_need_find(&n, a, err);
	if (s)
		return s;
	own.sum = calloc(own.count + 2, sizeof(*own.sum));
	touched.sum = calloc(own.count + 2, sizeof(*touched.sum));
	if (!own.sum || !touched.sum) {
		s = wm_no_memory(err, NULL);
		goto out;
	}
	find_crowds(&own, &touched, fit, &n);
	fit->mean = own.count ? own.most / own.count : 0;
	fit->shared = own.shared;
	if (node_memory) {
		fit->ranks = most_ranks(&own, node_memory, need_of);
		fit->most_ranks = most_ranks(&own, node_memory, mean_need_of);
		fit->touched_ranks = most_ranks(&touched, node_memory, need_of);
		find_limit(fit, a, &n, &own);
	}
	if (ranks) {
		fit->low_bytes = mean_need_of(&own, ranks);
		fit->bytes = need_of(&own, ranks);
		fit->touched_bytes = need_of(&touched, ranks);
	}
out:
	free(own.sum);
	free(touched.sum);
	wm_job_need_release(&n);
	return s;
}
