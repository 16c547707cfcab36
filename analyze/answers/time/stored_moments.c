/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/time/stored_moments.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "wm/search.h"

static bool add(struct wm_stored_moments *m, struct wm_stored_moment moment)
{
	struct wm_stored_moment *n = WM_MORE(m->moment, m->cap, m->count);

	if (n)
		*n = moment;
	m->count += n != NULL;
	return n != NULL;
}

/* Returns the first of the bins with the highest maximum. */
static size_t top_bin(const struct wm_timeline *t)
{
	size_t best = 0, i;

	for (i = 1; i < t->count; i++)
		if (t->bin[i].max > t->bin[best].max)
			best = i;
	return t->count ? best : WM_NO_BIN;
}

static size_t bin_at(const struct wm_rank *r, double seconds)
{
	const struct wm_timeline *t = &r->timeline;
	double i = t->seconds > 0 ? (seconds - r->begin) / t->seconds : 0;

	if (!t->count)
		return WM_NO_BIN;
	if (!(i < (double)t->count))
		return t->count - 1;
	return i > 0 ? (size_t)i : 0;
}

/* Adds the peak and the end of rank number @i. */
static bool add_ends(struct wm_stored_moments *m, const struct wm_analysis *a,
		     size_t i)
{
	const struct wm_rank *r = &a->ranks[i];
	size_t bins = r->timeline.count;

	return add(m,
		   (struct wm_stored_moment){
			   .kind = WM_STORED_PEAK,
			   .rank = i,
			   .seconds = r->in[WM_HOST].peak_seconds,
			   .bin = top_bin(&r->timeline),
			   .bytes = r->in[WM_HOST].peak_bytes,
		   }) &&
	       add(m, (struct wm_stored_moment){
			      .kind = WM_STORED_END,
			      .rank = i,
			      .seconds = wm_rank_end(r),
			      .bin = bins ? bins - 1 : WM_NO_BIN,
			      .bytes = r->in[WM_HOST].end_bytes,
		      });
}

static bool add_bin(struct wm_stored_moments *m, const struct wm_analysis *a,
		    enum wm_stored_kind kind, size_t rank, size_t bin,
		    const char *label)
{
	return add(m, (struct wm_stored_moment){
			      .kind = kind,
			      .label = label,
			      .rank = rank,
			      .seconds = wm_rank_bin(&a->ranks[rank], bin),
			      .bin = bin,
			      .bytes = a->ranks[rank].timeline.bin[bin].max,
		      });
}

/* Adds the first @most snapshots that were listed. */
static bool add_snapshots(struct wm_stored_moments *m,
			  const struct wm_analysis *a, size_t most)
{
	const struct wm_annotations *x = &a->annotations;
	size_t i, n = 0;

	for (i = 0; i < x->snapshot_count; i++) {
		const struct wm_snapshot *s = &x->snapshot[i];

		if (!s->listed || n == most)
			m->snapshots_left_out++;
		else if (!add(m, (struct wm_stored_moment){
					 .kind = WM_STORED_SNAPSHOT,
					 .label = s->name,
					 .rank = a->chosen,
					 .seconds = s->seconds,
					 .bin = bin_at(&a->ranks[a->chosen],
						       s->seconds),
					 .index = i,
					 .bytes = s->bytes,
				 }))
			return false;
		else
			n++;
	}
	return true;
}

/* Adds the @most phases with the highest peaks; of equal phases the first. */
static bool add_phases(struct wm_stored_moments *m, const struct wm_analysis *a,
		       size_t most)
{
	const struct wm_rank *r = &a->ranks[a->chosen];
	const struct wm_annotations *x = &a->annotations;

	for (size_t i = 0; i < x->phase_count && r->timeline.count; i++) {
		const struct wm_phase *p = &x->phase[i], *q = x->phase;
		size_t higher = 0;

		for (size_t k = 0; k < x->phase_count; k++, q++)
			higher += q->name &&
				  q->peak_bytes + (k < i) > p->peak_bytes;
		if (!p->name)
			continue;
		if (higher >= most)
			m->phases_left_out++;
		else if (!add_bin(m, a, WM_STORED_PHASE, a->chosen,
				  bin_at(r, p->peak_seconds), p->name))
			return false;
	}
	return true;
}

/* Returns the middle of the widest row of bins without a moment, or WM_NO_BIN
 * if each bin has a moment. */
static size_t widest_gap(const uint8_t *taken, size_t bins)
{
	size_t i, from = 0, best = WM_NO_BIN, width = 0;

	for (i = 0; i <= bins; i++) {
		if (i < bins && !taken[i])
			continue;
		if (i - from > width) {
			width = i - from;
			best = from + width / 2;
		}
		from = i + 1;
	}
	return best;
}

/* Adds bins in between for rank number @rank, whose moments begin at @from,
 * until the rank has @most moments. */
static enum wm_status add_steps(struct wm_stored_moments *m,
				const struct wm_analysis *a, size_t rank,
				size_t from, size_t most, struct wm_err *err)
{
	size_t bins = a->ranks[rank].timeline.count, i;
	uint8_t *taken = calloc(bins + 1, 1);
	enum wm_status s = taken ? WM_OK : wm_no_memory(err, "moments");

	for (i = from; i < m->count && !s; i++)
		if (m->moment[i].bin < bins &&
		    m->moment[i].kind != WM_STORED_SNAPSHOT)
			taken[m->moment[i].bin] = 1;
	while (!s && m->count - from < most) {
		size_t bin = widest_gap(taken, bins);

		if (bin == WM_NO_BIN)
			break;
		taken[bin] = 1;
		if (!add_bin(m, a, WM_STORED_STEP, rank, bin, NULL))
			s = wm_no_memory(err, "moments");
	}
	for (i = 0; i < bins && !s && rank == a->chosen; i++)
		m->steps_left_out += !taken[i];
	free(taken);
	return s;
}

/* Compares by time; the end is last, and equal kinds keep their order. */
static int by_time(const void *a, const void *b)
{
	const struct wm_stored_moment *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->seconds, y->seconds),
		       WM_ORDER(x->kind == WM_STORED_END,
				y->kind == WM_STORED_END),
		       WM_ORDER(x->kind, y->kind),
		       WM_ORDER(x->index, y->index));
}

static enum wm_status add_chosen(struct wm_stored_moments *m,
				 const struct wm_analysis *a, size_t most,
				 struct wm_err *err)
{
	enum wm_status s;

	if (!add_ends(m, a, a->chosen) || !add_snapshots(m, a, most / 3) ||
	    !add_phases(m, a, most / 3))
		return wm_no_memory(err, "moments");
	s = add_steps(m, a, a->chosen, 0, most + 2, err);
	if (!s)
		WM_SORT(m->moment, m->count, by_time);
	return s;
}

static const struct wm_use *use_of(const struct wm_analysis *a, size_t rank)
{
	for (size_t i = 0; i < WM_RETAINED_COUNT; i++)
		if (a->retained[i].use && a->retained[i].rank == rank)
			return a->retained[i].use;
	return NULL;
}

static bool add_sums(struct wm_stored_moments *m, const struct wm_analysis *a)
{
	struct wm_stored_moment sum = { .kind = WM_STORED_SUM_OF_PEAKS,
					.rank = WM_ALL_RANKS,
					.seconds = -1,
					.bin = WM_NO_BIN };
	const struct wm_use *use = use_of(a, WM_ALL_RANKS);

	for (size_t i = 0; i < a->paths.path_count; i++)
		sum.bytes += use[i].peak_bytes;
	if (!add(m, sum))
		return false;
	sum.kind = WM_STORED_SUM_OF_ENDS;
	sum.bytes = a->end_bytes;
	return add(m, sum);
}

/* Returns the timeline of rank number @i by call path, or NULL if it is not
 * retained. */
static const struct wm_series *series_of(const struct wm_analysis *a, size_t i)
{
	if (i == a->chosen)
		return &a->series;
	for (size_t k = 0; k < WM_RETAINED_COUNT; k++)
		if (a->retained[k].rank == i && a->retained[k].series.count)
			return &a->retained[k].series;
	return NULL;
}

/* Adds rank number @i, which is not the chosen one, with @steps bins in
 * between. */
static enum wm_status add_other(struct wm_stored_moments *m,
				const struct wm_analysis *a, size_t i,
				size_t steps, struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t from = m->count;

	if (!add_ends(m, a, i))
		return wm_no_memory(err, "moments");
	if (series_of(a, i))
		s = add_steps(m, a, i, from, steps + 2, err);
	if (!s)
		qsort(m->moment + from, m->count - from, sizeof(*m->moment),
		      by_time);
	return s;
}

/* Adds ranks other than the chosen rank: the worst rank, then the other ranks
 * that are retained, in order of rank.  They share @most bins in between. */
static enum wm_status add_others(struct wm_stored_moments *m,
				 const struct wm_analysis *a, size_t most,
				 struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t others = 0, i;

	for (i = 0; i < a->rank_count; i++)
		others += i != a->chosen && use_of(a, i);
	most = others ? most / others : 0;
	if (a->max != a->chosen && use_of(a, a->max))
		s = add_other(m, a, a->max, most, err);
	for (i = 0; i < a->rank_count && !s; i++)
		if (i != a->max && i != a->chosen && use_of(a, i))
			s = add_other(m, a, i, most, err);
	return s;
}

enum wm_status wm_stored_moments_make(struct wm_stored_moments *m,
				      const struct wm_analysis *a, size_t most,
				      struct wm_err *err)
{
	enum wm_status s = WM_OK;

	memset(m, 0, sizeof(*m));
	if (a->chosen != WM_ALL_RANKS)
		s = add_chosen(m, a, most, err);
	if (!s)
		s = add_others(m, a, most, err);
	if (!s && use_of(a, WM_ALL_RANKS) && !add_sums(m, a))
		s = wm_no_memory(err, "moments");
	if (s)
		wm_stored_moments_release(m);
	return s;
}

void wm_stored_moments_release(struct wm_stored_moments *m)
{
	free(m->moment);
	memset(m, 0, sizeof(*m));
}

/* The state while moments are visited. */
struct visit {
	const struct wm_analysis *a;
	uint64_t *bytes; /* of the moment */
	uint64_t *now; /* of the bin that the series of .rank has come to */
	size_t rank, next; /* the next step of that series */
};

static void fill_bin(struct visit *v, size_t rank, size_t bin)
{
	const struct wm_series *b = series_of(v->a, rank);

	if (rank != v->rank) {
		memset(v->now, 0, v->a->paths.path_count * sizeof(*v->now));
		v->rank = rank;
		v->next = 0;
	}
	/* moments of a rank are in order of time, and so are their bins */
	for (; v->next < b->count && b->step[v->next].bin <= bin; v->next++)
		v->now[b->step[v->next].key] = b->step[v->next].bytes;
	memcpy(v->bytes, v->now, v->a->paths.path_count * sizeof(*v->bytes));
}

static void fill_use(struct visit *v, const struct wm_stored_moment *m)
{
	const struct wm_use *use = use_of(v->a, m->rank);
	bool end = m->kind == WM_STORED_END || m->kind == WM_STORED_SUM_OF_ENDS;

	for (size_t i = 0; i < v->a->paths.path_count && use; i++)
		v->bytes[i] = end ? use[i].end_bytes : use[i].peak_bytes;
}

static void fill_snapshot(struct visit *v, size_t index)
{
	const struct wm_snapshot *s = &v->a->annotations.snapshot[index];

	memset(v->bytes, 0, v->a->paths.path_count * sizeof(*v->bytes));
	for (size_t i = 0; i < s->path_count; i++)
		v->bytes[s->path[i].what] = s->path[i].bytes;
}

enum wm_status wm_stored_moments_visit(const struct wm_stored_moments *m,
				       const struct wm_analysis *a,
				       wm_stored_take *take, void *context,
				       struct wm_err *err)
{
	size_t n = a->paths.path_count + 1, i;
	struct visit v = {
		.a = a,
		.rank = a->chosen,
		.bytes = calloc(n, sizeof(*v.bytes)),
		.now = calloc(n, sizeof(*v.now)),
	};
	enum wm_status s = v.bytes && v.now ? WM_OK :
					      wm_no_memory(err, "moments");

	for (i = 0; i < m->count && !s; i++) {
		const struct wm_stored_moment *p = &m->moment[i];

		if (p->kind == WM_STORED_SNAPSHOT)
			fill_snapshot(&v, p->index);
		else if (p->kind == WM_STORED_PHASE ||
			 p->kind == WM_STORED_STEP)
			fill_bin(&v, p->rank, p->bin);
		else
			fill_use(&v, p);
		s = take(context, i, v.bytes, err);
	}
	free(v.bytes);
	free(v.now);
	return s;
}
