/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the numbers of a job from the records of its ranks. */
#include "runtime/summary/summary.h"

#include <string.h>

static void add_value(struct wm_summary_stat *s, uint64_t v, uint32_t rank)
{
	if (!s->count || v > s->max || (v == s->max && rank < s->max_rank)) {
		s->max = v;
		s->max_rank = rank;
	}
	if (!s->count || v < s->min || (v == s->min && rank < s->min_rank)) {
		s->min = v;
		s->min_rank = rank;
	}
	s->count++;
	s->sum += v;
	s->squares += (unsigned __int128)v * v;
}

/* Divides bit by bit, without a function of the compiler's library. */
static unsigned __int128 divide_wide(unsigned __int128 v, uint64_t by,
				     uint64_t *rest)
{
	unsigned __int128 quotient = 0, left = 0;

	for (int i = 127; i >= 0; i--) {
		left = left << 1 | (v >> i & 1);
		if (left < by)
			continue;
		left -= by;
		quotient |= (unsigned __int128)1 << i;
	}
	*rest = (uint64_t)left;
	return quotient;
}

uint64_t wm_summary_mean(const struct wm_summary_stat *s)
{
	uint64_t rest, mean = (uint64_t)divide_wide(s->sum, s->count, &rest);

	return mean + (rest >= s->count - rest);
}

static uint64_t square_root(unsigned __int128 v)
{
	uint64_t r = 0;

	for (int i = 63; i >= 0; i--) {
		uint64_t more = r | UINT64_C(1) << i;

		if ((unsigned __int128)more * more <= v)
			r = more;
	}
	return r + (v - (unsigned __int128)r * r > r);
}

/* Computes the deviation from the distances to the whole part of the mean; the
 * fraction could change the variance by less than 1.  All is modulo 2^128, so
 * only the sum of the squared distances must be below that: 2^20 ranks may be
 * 2^54 bytes apart. */
uint64_t wm_summary_deviation(const struct wm_summary_stat *s)
{
	unsigned __int128 mean, squares;
	uint64_t unused;

	mean = divide_wide(s->sum, s->count, &unused);
	squares = s->squares - 2 * mean * s->sum + mean * mean * s->count;
	return square_root(divide_wide(squares, s->count, &unused));
}

static struct wm_summary_node *node_of(struct wm_summary_job *j,
				       const struct wm_summary_record *r)
{
	struct wm_summary_node *n;
	size_t i = j->nodes;

	/* From the last node: ranks of a node mostly follow each other. */
	while (i-- > 0)
		if (j->node[i].id == r->node)
			return &j->node[i];
	if (wm_buf_reserve(&j->memory, sizeof(*n)))
		return NULL;
	j->memory.len += sizeof(*n);
	j->node = (void *)j->memory.p;
	n = &j->node[j->nodes++];
	memset(n, 0, sizeof(*n));
	n->id = r->node;
	memcpy(n->host, r->host, sizeof(n->host) - 1);
	return n;
}

int wm_summary_add(struct wm_summary_job *j, const struct wm_summary_record *r)
{
	static struct wm_curve curve; /* the stack may be small */
	struct wm_summary_node *n = node_of(j, r);

	if (!n)
		return -1;
	if (!j->count || r->rank < j->lowest)
		j->lowest = r->rank;
	j->count++;
	j->ranks = r->ranks > j->ranks ? r->ranks : j->ranks;
	if (r->end_real - r->start_real > j->seconds_ns)
		j->seconds_ns = r->end_real - r->start_real;
	j->events += r->events;
	j->trace_bytes += r->trace_bytes;
	j->dropped += r->dropped;
	j->overwritten |= r->overwritten != 0;
	add_value(&j->fixed, r->static_bytes, r->rank);
	add_value(&j->tool, r->tool_bytes, r->rank);
	add_value(&j->writing, r->write_ns, r->rank);
	add_value(&j->spent, r->spent_ns, r->rank);
	n->ranks++;
	if (!r->has_heap || !wm_curve_is_sound(&r->heap.curve)) {
		n->unknown++;
		return 0;
	}
	add_value(&j->peak, r->heap.peak, r->rank);
	add_value(&j->live, r->heap.live, r->rank);
	if (r->heap.peak > n->peak)
		n->peak = r->heap.peak;
	curve = r->heap.curve;
	wm_curve_add(&n->curve, &curve);
	return 0;
}

void wm_summary_release(struct wm_summary_job *j)
{
	if (j->memory.p)
		wm_pool_unmap(j->memory.p, j->memory.room);
	memset(j, 0, sizeof(*j));
}

void wm_summary_concurrent(const struct wm_summary_node *n, uint64_t *most,
			   uint64_t *least)
{
	*most = 0;
	*least = n->peak; /* the other ranks may have had nothing then */
	for (uint32_t i = 0; i < n->curve.count; i++) {
		if (n->curve.bin[i].max > *most)
			*most = n->curve.bin[i].max;
		if (n->curve.bin[i].end > *least)
			*least = n->curve.bin[i].end;
	}
}
