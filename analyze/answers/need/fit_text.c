/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --imbalance with --node-memory or --ranks-per-node: how many ranks like those
 * of the run fit a node, and how much memory a given number of such ranks
 * needs, with the margin of need.h.  Shared memory counts once.
 *
 * Ranks that the run did not have are an assumption, so both answers have two
 * bounds.  For one, the worst ranks of the run come first and all further ranks
 * are like the worst; for the other, each rank is like the mean.
 */
#include "analyze/answers/reports.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/units.h"
#include "analyze/lib/base/whole.h"
#include "analyze/answers/need/ask.h"
#include "analyze/answers/text.h"
#include "wm/search.h"

/* More bytes than any node has; a sum of this or more is unknown. */
#define MANY (UINT64_MAX / 4)

struct fit {
	uint64_t node_memory; /* of the question; 0: not asked */
	/* ranks that fit if like the worst; if like the mean */
	uint64_t ranks, most_ranks;
	uint64_t touched_ranks; /* like .ranks, if all requests are touched */
	/* a limit of the run's nodes that allows fewer ranks than the node */
	enum wm_limit limit;
	uint64_t limit_bytes; /* WM_LIMIT_RANK: of each rank */
	uint64_t limit_ranks;

	uint64_t asked; /* ranks of the question; 0: not asked */
	/* bytes that these need if like the mean; if like the worst */
	uint64_t low_bytes, bytes;
	uint64_t touched_bytes; /* like .bytes, if all requests are touched */

	uint64_t worst, mean; /* a rank's own bytes */
	uint64_t shared;
	bool at_least; /* ranks may need more */
};

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
	return bytes && ranks > MANY / bytes ? MANY : ranks * bytes;
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

	while (high && high < MANY && need(c, high) <= memory)
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
static void take_limit(struct fit *fit, enum wm_limit limit, uint64_t bytes,
		       uint64_t ranks)
{
	if (ranks >= fit->ranks || (fit->limit && fit->limit_ranks <= ranks))
		return;
	fit->limit = limit;
	fit->limit_bytes = bytes;
	fit->limit_ranks = ranks;
}

/* Finds the limit of the run's nodes that allows the fewest ranks.  The limit
 * of a cgroup counts only if all ranks of a node are in the cgroup. */
static void find_limit(struct fit *fit, const struct wm_analysis *a,
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
			struct fit *fit, const struct wm_job_need *n)
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

static enum wm_status find_fit(struct fit *fit, const struct wm_analysis *a,
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

static void tell_node(const struct fit *f, uint64_t ranks, struct wm_doc *d)
{
	static const char *const whose[] = {
		[WM_LIMIT_JOB] = "batch job",
		[WM_LIMIT_GROUP] = "cgroup",
		[WM_LIMIT_RANK] = "batch job",
	};
	struct wm_figure b[4];

	wm_doc_print(d,
		     "  %s: room for %s rank%s like these, with %d %% more: "
		     "first the worst, which needs %s%s",
		     wm_bytes(&b[0], f->node_memory), wm_count(&b[1], f->ranks),
		     f->ranks == 1 ? "" : "s", WM_ASK_MARGIN,
		     wm_bytes(&b[2], f->worst),
		     f->ranks > ranks ? ", and further ones like it" : "");
	if (f->most_ranks > f->ranks)
		wm_doc_print(d, "; for %s if each needs the mean, %s",
			     wm_count(&b[0], f->most_ranks),
			     wm_bytes(&b[1], f->mean));
	if (f->shared)
		wm_doc_print(d, "; %s are shared", wm_bytes(&b[3], f->shared));
	wm_doc_print(d, "\n");
	if (f->touched_ranks < f->ranks)
		wm_doc_print(d,
			     "  room for %s rank%s if all that they requested "
			     "is in RAM at once\n",
			     wm_count(&b[0], f->touched_ranks),
			     f->touched_ranks == 1 ? "" : "s");
	if (f->limit)
		wm_doc_print(d,
			     "  the limit of this run's %s, %s%s, allows only "
			     "%s rank%s\n",
			     whose[f->limit], wm_bytes(&b[0], f->limit_bytes),
			     f->limit == WM_LIMIT_RANK ? " for each rank" : "",
			     wm_count(&b[1], f->limit_ranks),
			     f->limit_ranks == 1 ? "" : "s");
}

/* @known: the need of the ranks is no mere lower bound. */
static const char *verdict(const struct fit *f, bool known)
{
	return f->low_bytes > f->node_memory	   ? "more than the node" :
	       known && f->bytes <= f->node_memory ? "that fits a node" :
						     "that may fit a node";
}

static const char *more_than(uint64_t bytes)
{
	return bytes < MANY ? "" : "more than ";
}

static void tell_ranks(const struct fit *f, bool known, struct wm_doc *d)
{
	struct wm_figure b[4];

	wm_doc_print(d, "  %s rank%s a node: %s%s with %d %% more",
		     wm_count(&b[0], f->asked), f->asked == 1 ? "" : "s",
		     more_than(f->bytes), wm_bytes(&b[1], f->bytes),
		     WM_ASK_MARGIN);
	if (f->low_bytes < f->bytes - f->bytes / 50)
		wm_doc_print(d,
			     ", counting first the worst, then further ranks "
			     "like it; %s%s if each needs the mean",
			     more_than(f->low_bytes),
			     wm_bytes(&b[2], f->low_bytes));
	if (f->touched_bytes > f->bytes)
		wm_doc_print(
			d,
			"; %s%s if all that they requested is in RAM at once",
			more_than(f->touched_bytes),
			wm_bytes(&b[2], f->touched_bytes));
	if (f->node_memory)
		wm_doc_print(d, "; %s of %s", verdict(f, known),
			     wm_bytes(&b[3], f->node_memory));
	wm_doc_print(d, "\n");
}

static void put_data(const struct fit *f, struct wm_json *j)
{
	bool node = f->node_memory != 0, asked = f->asked != 0;

	wm_json_flat_object(j, "fit");
	WM_JSON_ADD(j, "node_memory_bytes ranks most_ranks touched_ranks limit",
		    wm_known(node, f->node_memory), wm_known(node, f->ranks),
		    wm_known(node, f->most_ranks),
		    wm_known(node, f->touched_ranks), wm_limit_name[f->limit]);
	WM_JSON_ADD(j, "limit_bytes limit_ranks",
		    wm_known(f->limit, f->limit_bytes),
		    wm_known(f->limit, f->limit_ranks));
	WM_JSON_ADD(j, "ranks_per_node bytes low_bytes touched_bytes",
		    wm_known(asked, f->asked), wm_known(asked, f->bytes),
		    wm_known(asked, f->low_bytes),
		    wm_known(asked, f->touched_bytes));
	wm_json_end_object(j);
}

enum wm_status wm_tell_fit(const struct wm_analysis *a, const struct wm_opts *o,
			   unsigned audience, struct wm_doc *d,
			   struct wm_err *err)
{
	enum wm_status s;
	struct fit f;

	if (!wm_doc_wants(d, audience))
		return WM_OK;
	s = find_fit(&f, a, o->node_memory, o->ranks_per_node, err);
	if (s)
		return s;
	if (audience & WM_FOR_DATA)
		put_data(&f, &d->data);
	if (!(audience & WM_FOR_TEXT) || (!f.node_memory && !f.asked))
		return WM_OK;
	wm_doc_heading(d, "Ranks like these on a node");
	if (f.node_memory)
		tell_node(&f, a->rank_count, d);
	if (f.asked)
		tell_ranks(&f, a->complete && !f.at_least, d);
	if (!a->complete || f.at_least)
		wm_doc_print(d, "  ranks may need more: %s\n",
			     a->complete ? "not all that they need is known" :
					   "a part of the run is missing");
	return WM_OK;
}
