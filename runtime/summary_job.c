/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of ranks become numbers of a job.  Means and deviations as they
 * come (Welford, Technometrics 4, 1962): one look at each record.
 */
#include "runtime/summary.h"

#include <string.h>

#include "runtime/pool.h"

static void put(struct wm_summary_stat *s, uint64_t v, uint32_t rank)
{
	double d = (double)v - s->mean;

	if (!s->count || v > s->max || (v == s->max && rank < s->max_rank)) {
		s->max = v;
		s->max_rank = rank;
	}
	if (!s->count || v < s->min || (v == s->min && rank < s->min_rank)) {
		s->min = v;
		s->min_rank = rank;
	}
	s->count++;
	s->mean += d / (double)s->count;
	s->squares += d * ((double)v - s->mean);
}

static struct wm_summary_node *node_of(struct wm_summary_job *j,
				       const struct wm_summary_record *r)
{
	struct wm_summary_node *n;
	size_t i = j->nodes;

	/* neighbours are looked at first: ranks of a node mostly are */
	while (i-- > 0)
		if (j->node[i].id == r->node)
			return &j->node[i];
	if (j->nodes == j->node_room) {
		size_t room = j->node_room ? 2 * j->node_room : 16;

		n = wm_pool_map(room * sizeof(*n));
		if (!n)
			return NULL;
		if (j->node) {
			memcpy(n, j->node, j->nodes * sizeof(*n));
			wm_pool_unmap(j->node, j->node_room * sizeof(*n));
		}
		j->node = n;
		j->node_room = room;
	}
	n = &j->node[j->nodes++];
	memset(n, 0, sizeof(*n));
	n->id = r->node;
	memcpy(n->host, r->host, sizeof(n->host) - 1);
	return n;
}

static uint64_t curve_end(const struct wm_curve *c)
{
	return c->first + c->count;
}

/* Make @c begin at bin @first and have @count bins; later ones hold @last. */
static void stretch(struct wm_curve *c, uint64_t first, uint32_t count,
		    uint64_t last)
{
	uint32_t shift = (uint32_t)(c->first - first);

	memmove(c->bin + shift, c->bin, c->count * sizeof(*c->bin));
	memset(c->bin, 0, shift * sizeof(*c->bin));
	c->first = first;
	for (c->count += shift; c->count < count; c->count++)
		c->bin[c->count].max = c->bin[c->count].end = last;
}

/* What a rank has after its last bin it has still. */
static void add_curve(struct wm_summary_node *n, struct wm_curve *r)
{
	struct wm_curve *c = &n->curve;
	uint64_t last = r->bin[r->count - 1].end, first, end;

	if (!c->count) {
		*c = *r;
		n->last = last;
		return;
	}
	for (;;) {
		while (c->shift < r->shift)
			wm_curve_widen(c);
		while (r->shift < c->shift)
			wm_curve_widen(r);
		first = c->first < r->first ? c->first : r->first;
		end = curve_end(c) > curve_end(r) ? curve_end(c) : curve_end(r);
		if (end - first <= WM_CURVE_BINS)
			break;
		wm_curve_widen(c);
	}
	stretch(c, first, (uint32_t)(end - first), n->last);
	stretch(r, first, (uint32_t)(end - first), last);
	for (uint32_t i = 0; i < c->count; i++) {
		c->bin[i].max += r->bin[i].max;
		c->bin[i].end += r->bin[i].end;
	}
	n->last += last;
}

int wm_summary_add(struct wm_summary_job *j, const struct wm_summary_record *r)
{
	static struct wm_curve curve; /* the stack may be a small one */
	struct wm_summary_node *n = node_of(j, r);

	if (!n)
		return -1;
	if (!j->count || r->rank < j->lowest)
		j->lowest = r->rank;
	curve = r->curve;
	j->count++;
	j->ranks = r->ranks > j->ranks ? r->ranks : j->ranks;
	if (r->end_real - r->start_real > j->seconds_ns)
		j->seconds_ns = r->end_real - r->start_real;
	j->events += r->events;
	j->trace_bytes += r->trace_bytes;
	j->dropped += r->dropped;
	j->result[r->result < WM_REPLAY_RESULTS ? r->result : WM_REPLAY_BAD]++;
	if (r->usable_peak != WM_SUMMARY_UNKNOWN)
		put(&j->usable, r->usable_peak, r->rank);
	put(&j->fixed, r->static_bytes, r->rank);
	put(&j->tool, r->tool_bytes, r->rank);
	put(&j->writing, r->write_ns, r->rank);
	put(&j->spent, r->spent_ns, r->rank);
	n->ranks++;
	if (r->result != WM_REPLAY_DONE || !curve.count ||
	    curve.count > WM_CURVE_BINS || curve.shift > 63) {
		n->unknown++;
		return 0;
	}
	put(&j->requested, r->requested_peak, r->rank);
	if (r->requested_peak > n->peak)
		n->peak = r->requested_peak;
	add_curve(n, &curve);
	return 0;
}

void wm_summary_release(struct wm_summary_job *j)
{
	if (j->node)
		wm_pool_unmap(j->node, j->node_room * sizeof(*j->node));
	memset(j, 0, sizeof(*j));
}

void wm_summary_concurrent(const struct wm_summary_node *n, uint64_t *most,
			   uint64_t *least)
{
	*most = 0;
	*least = n->peak; /* of one rank, the others had something or nothing */
	for (uint32_t i = 0; i < n->curve.count; i++) {
		if (n->curve.bin[i].max > *most)
			*most = n->curve.bin[i].max;
		if (n->curve.bin[i].end > *least)
			*least = n->curve.bin[i].end;
	}
}
