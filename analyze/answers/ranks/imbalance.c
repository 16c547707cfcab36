/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/ranks/imbalance.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/order.h"
#include "analyze/lib/base/whole.h"

const unsigned wm_percentile[WM_PERCENTILES] = { 5, 25, 50, 75, 95 };

/* Finds the lowest peak that each percentage of the ranks does not exceed. */
static enum wm_status find_percentiles(struct wm_imbalance *m,
				       const struct wm_analysis *a,
				       struct wm_err *err)
{
	uint64_t *v = calloc(a->rank_count, sizeof(*v));
	size_t i, n = a->rank_count;

	if (!v)
		return wm_no_memory(err, NULL);
	for (i = 0; i < n; i++)
		v[i] = a->ranks[i].in[WM_HOST].peak_bytes;
	WM_SORT(v, n, wm_by_uint64);
	for (i = 0; i < WM_PERCENTILES; i++)
		m->percentile[i] = v[(wm_percentile[i] * n + 99) / 100 - 1];
	free(v);
	return WM_OK;
}

/* By site, then by bytes, most first. */
static int by_site(const void *a, const void *b)
{
	const struct wm_site_difference *x = a, *y = b;

	return WM_KEYS(strcmp(x->name, y->name),
		       wm_text_order(x->file, y->file),
		       WM_ORDER(y->bytes + y->mean, x->bytes + x->mean),
		       WM_ORDER(x->line, y->line));
}

static uint64_t size_of(const struct wm_site_difference *d)
{
	return d->difference < 0 ? -(uint64_t)d->difference :
				   (uint64_t)d->difference;
}

static int by_difference(const void *a, const void *b)
{
	const struct wm_site_difference *x = a, *y = b;

	return WM_KEYS(WM_ORDER(size_of(y), size_of(x)), by_site(a, b));
}

/* Joins paths with the same site.  Means are taken over @ranks. */
static void join_sites(struct wm_site_differences *d, uint64_t ranks)
{
	size_t i, n = 0;

	WM_SORT(d->site, d->count, by_site);
	for (i = 0; i < d->count; i++) {
		struct wm_site_difference *last = n ? &d->site[n - 1] : NULL;
		const struct wm_site_difference *x = &d->site[i];

		if (!last || strcmp(last->name, x->name) != 0 ||
		    wm_text_order(last->file, x->file) != 0) {
			d->site[n++] = *x;
			continue;
		}
		last->bytes += x->bytes;
		last->mean += x->mean;
		if (x->most > last->most) {
			last->most = x->most;
			last->path = x->path;
		}
	}
	d->count = n;
	for (i = 0; i < n; i++) {
		d->site[i].mean = (d->site[i].mean + ranks / 2) / ranks;
		d->site[i].difference = (int64_t)(d->site[i].bytes -
						  d->site[i].mean);
	}
	WM_SORT(d->site, n, by_difference);
}

/* Returns the phase in which rank @r has its peak, over all ranks that
 * entered the phase.  Returns NULL if there is none, or if only one rank has
 * the phase. */
static const struct wm_phase *find_phase(const struct wm_analysis *a,
					 const struct wm_rank *r)
{
	const struct wm_annotations *n = a->chosen == WM_ALL_RANKS ?
						 &a->annotations :
						 &a->sum.annotations;

	for (size_t i = 0; r->peak_phase && i < n->phase_count; i++)
		if (n->phase[i].name &&
		    strcmp(n->phase[i].name, r->peak_phase) == 0)
			return n->phase[i].held_ranks > 1 ? &n->phase[i] : NULL;
	return NULL;
}

/* Returns the sum over the ranks to compare with, or NULL (no memory). */
static struct wm_use *make_uses(struct wm_site_differences *d,
				const struct wm_analysis *a,
				enum wm_retained_id one)
{
	size_t paths = a->paths.path_count, i;
	const struct wm_phase *p = find_phase(a,
					      &a->ranks[a->retained[one].rank]);
	struct wm_use *use = calloc(paths + 1, sizeof(*use));
	uint64_t sum = 0;

	d->phase = p ? p->name : NULL;
	d->ranks = p ? p->held_ranks : a->rank_count;
	for (i = 0; use && i < paths; i++) {
		if (!p)
			use[i] = a->retained[WM_RETAINED_all].use[i];
		else if (i < p->held_count)
			use[i].peak_bytes = p->held[i];
		if (p)
			use[i].peak_blocks = use[i].peak_bytes > 0;
		sum += use[i].peak_bytes;
	}
	d->mean = (sum + d->ranks / 2) / d->ranks;
	return use;
}

/* Finds the sites where kept rank @one has more or less than the mean. */
static enum wm_status compare_with_mean(struct wm_site_differences *d,
					const struct wm_analysis *a,
					enum wm_retained_id one,
					struct wm_err *err)
{
	struct wm_use *use = make_uses(d, a, one);
	struct wm_profile mine = { 0 };
	enum wm_status s;

	/* the paths of all ranks include those of the one rank */
	s = use ? wm_profile_make(&d->profile, a, use, NULL, WM_PROFILE_BY_NAME,
				  err) :
		  wm_no_memory(err, NULL);
	free(use);
	if (!s)
		s = wm_profile_make(&mine, a, a->retained[one].use, NULL,
				    WM_PROFILE_BY_NAME, err);
	if (s)
		return s;
	d->site = calloc(d->profile.count + 1, sizeof(*d->site));
	if (!d->site)
		s = wm_no_memory(err, NULL);
	for (size_t i = 0; i < d->profile.count && !s; i++) {
		const struct wm_profile_row *r = &d->profile.row[i], *q;
		uint64_t bytes, all, sum = r->use.peak_bytes;

		if (!sum)
			continue;
		q = wm_profile_find(&mine, r->path);
		bytes = q ? q->use.peak_bytes : 0;
		all = bytes * d->ranks;
		d->site[d->count++] = (struct wm_site_difference){
			.name = r->site,
			.file = r->file,
			.line = r->line,
			.path = r->path,
			.most = all > sum ? all - sum : sum - all,
			.bytes = bytes,
			.mean = sum,
		};
	}
	wm_profile_release(&mine);
	if (!s)
		join_sites(d, d->ranks);
	return s;
}

/* Returns the first rank of each node, or SIZE_MAX for a node without ranks. */
static size_t *first_ranks(const struct wm_analysis *a)
{
	size_t *first = calloc(a->node_count + 1, sizeof(*first));

	for (size_t i = 0; first && i < a->node_count; i++)
		first[i] = SIZE_MAX;
	for (size_t i = a->rank_count; first && i-- > 0;)
		first[a->ranks[i].node] = i;
	return first;
}

/* a sum whose part of some rank is unknown */
#define UNKNOWN UINT64_MAX

static void add_known(uint64_t *sum, bool known, uint64_t v)
{
	*sum = known && *sum != UNKNOWN ? *sum + v : UNKNOWN;
}

/* Adds the memory that the system gave to rank @r, without shared memory. */
static void add_system(struct wm_node_row *n, const struct wm_rank_need *need,
		       const struct wm_rank *r)
{
	uint64_t other = 0, shared = r->family[WM_FAMILY_shm].peak_bytes +
				     r->family[WM_FAMILY_mpi].peak_bytes;

	wm_lower(&shared, need->shared);
	for (size_t k = WM_FAMILY_heap + 1; k < WM_FAMILIES; k++)
		if (wm_family_in_peak[k])
			other += r->family[k].peak_bytes;
	add_known(&n->allocator, r->footprint_peak != 0,
		  r->footprint_peak + other - shared);
	if (need->counted == WM_COUNTED_RESIDENT ||
	    need->counted == WM_COUNTED_PAGES)
		add_known(&n->resident, true, need->own);
	else
		add_known(&n->resident, r->peak_rss != 0 && !r->watched,
			  wm_above(r->peak_rss, wm_tool_of(r) + need->shared));
}

/* Counts shared memory once, although each rank that has it asked for it. */
static void count_shared_once(struct wm_node_row *n, uint64_t asked)
{
	uint64_t twice = wm_above(asked, n->need.shared);

	n->shared = n->need.shared;
	n->low = wm_above(n->low, twice);
	n->high = wm_above(n->high, twice);
	n->allocator = n->allocator == UNKNOWN ?
			       0 :
			       n->allocator + n->static_bytes + n->shared;
	n->resident = n->resident == UNKNOWN ? 0 : n->resident + n->shared;
}

/* Takes the lowest of equal ranks. */
static void find_working_sets(struct wm_working_sets *w,
			      const struct wm_analysis *a)
{
	double sum = 0;
	uint64_t bytes;

	for (size_t i = 0; i < a->rank_count; i++) {
		if (!wm_working_set(&a->ranks[i].page_totals, &bytes))
			continue;
		if (!w->ranks || bytes > w->high) {
			w->high = bytes;
			w->max = i;
		}
		if (!w->ranks || bytes < w->low) {
			w->low = bytes;
			w->min = i;
		}
		w->ranks++;
		sum += (double)bytes;
	}
	w->mean = w->ranks ? sum / (double)w->ranks : 0;
}

static void fill_node(const struct wm_imbalance *m, const struct wm_analysis *a,
		      struct wm_node_row *n, size_t index, size_t first)
{
	const struct wm_node_peak *x = &a->node[index];
	uint64_t asked = 0, start;

	n->node_peak = x;
	n->need = m->needs.node[wm_job_need_node(a, first)];
	n->host = x->host ? x->host : "?";
	n->lower_bound = a->missing_count || a->left_out || x->lost;
	/* the clock of the node */
	start = x->own_clock ? a->ranks[first].start.mono_ns :
			       a->ranks[first].start.real_ns;
	if (x->high)
		n->seconds = a->ranks[first].begin +
			     (double)(int64_t)(x->time - start) * 1e-9;
	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];
		const struct wm_census *c;
		uint64_t bytes;
		bool known;

		if (r->node != index)
			continue;
		c = wm_analysis_census(a, i);
		n->sum_of_peaks += r->in[WM_HOST].peak_bytes;
		n->unknown_static += !c;
		n->static_bytes += c ? c->static_bytes : 0;
		add_system(n, &m->needs.rank[i], r);
		asked += r->family[WM_FAMILY_shm].peak_bytes;
		known = wm_working_set(&r->page_totals, &bytes);
		add_known(&n->working_set, known, bytes);
		n->lower_bound |= !wm_rank_is_whole(r) || r->dropped ||
				  r->overwritten || r->usage.capped;
	}
	n->low = x->low + n->static_bytes;
	n->high = x->high + n->static_bytes;
	count_shared_once(n, asked);
	if (n->working_set == UNKNOWN)
		n->working_set = 0;
}

static int by_number(const void *a, const void *b)
{
	const struct wm_node_part *x = a, *y = b;

	return WM_ORDER(x->rank, y->rank);
}

bool wm_rank_at_node_peak(const struct wm_analysis *a, const struct wm_rank *r,
			  uint64_t *bytes)
{
	const struct wm_node_peak *x = r->node < a->node_count ?
					       &a->node[r->node] :
					       NULL;
	struct wm_node_part key = { r->rank, 0 }, *p = NULL;

	if (x && x->exact)
		p = bsearch(&key, x->part, x->parts, sizeof(key), by_number);
	*bytes = p ? p->bytes : 0;
	return x && x->exact;
}

static enum wm_status add_nodes(struct wm_imbalance *m,
				const struct wm_analysis *a, struct wm_err *err)
{
	size_t *first = first_ranks(a), i;

	m->node = calloc(a->node_count + 1, sizeof(*m->node));
	if (!first || !m->node) {
		free(first);
		return wm_no_memory(err, NULL);
	}
	for (i = 0, m->nodes = 0; i < a->node_count; i++) {
		struct wm_node_row *n = &m->node[m->nodes];

		if (first[i] == SIZE_MAX)
			continue;
		fill_node(m, a, n, i, first[i]);
		if (n->high > m->node[m->top].high)
			m->top = m->nodes;
		m->nodes++;
	}
	free(first);
	return WM_OK;
}

enum wm_node_fit wm_node_fits(const struct wm_imbalance *m,
			      const struct wm_node_row *n)
{
	uint64_t bytes = wm_node_need_bytes(&n->need);

	if (bytes > m->node_memory)
		return WM_NODE_TOO_SMALL;
	/* a part that is missing may be too much */
	return wm_with_margin(bytes) <= m->node_memory && !n->lower_bound &&
			       !n->need.at_least ?
		       WM_NODE_FITS :
		       WM_NODE_FIT_UNKNOWN;
}

enum wm_status wm_imbalance_make(struct wm_imbalance *m,
				 const struct wm_analysis *a,
				 uint64_t node_memory, struct wm_err *err)
{
	enum wm_status s;

	memset(m, 0, sizeof(*m));
	m->node_memory = node_memory;
	find_working_sets(&m->sets, a);
	s = wm_job_need_find(&m->needs, a, err);
	if (!s)
		s = find_percentiles(m, a, err);
	if (!s)
		s = compare_with_mean(&m->worst, a, WM_RETAINED_max, err);
	if (!s)
		s = compare_with_mean(&m->best, a, WM_RETAINED_min, err);
	if (!s)
		s = add_nodes(m, a, err);
	if (!s)
		s = wm_heatmap_fill(&m->map, a, WM_HEATMAP_BINS, err);
	if (s)
		wm_imbalance_release(m);
	return s;
}

enum wm_status wm_imbalance_choose(struct wm_imbalance *m,
				   const struct wm_analysis *a,
				   struct wm_err *err)
{
	return compare_with_mean(&m->chosen, a, WM_RETAINED_chosen, err);
}

void wm_imbalance_release(struct wm_imbalance *m)
{
	wm_job_need_release(&m->needs);
	wm_profile_release(&m->worst.profile);
	wm_profile_release(&m->best.profile);
	wm_profile_release(&m->chosen.profile);
	free(m->chosen.site);
	free(m->worst.site);
	free(m->best.site);
	free(m->node);
	free(m->map.cell);
	memset(m, 0, sizeof(*m));
}
