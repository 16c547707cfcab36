/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/retained.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/job/analysis.h"
#include "wm/search.h"

enum wm_status wm_retainer_init(struct wm_retainer *k,
				const struct wm_request *q, struct wm_err *err)
{
	memset(k, 0, sizeof(*k));
	k->wanted = q->retains;
	k->choice = q->choice;
	k->number = q->rank;
	if (q->choice == WM_RANK_ALL)
		k->wanted |= WM_RETAINS(all);
	else
		k->wanted |= WM_RETAINS(chosen);
	for (size_t i = 0; i < WM_RETAINED_COUNT; i++)
		k->best[i] = SIZE_MAX;
	k->sum.wants_notes = q->choice == WM_RANK_ALL ||
			     q->wish.needs & WM_NEEDS(phases);
	return wm_paths_init(&k->sum.paths, err);
}

void wm_retainer_release(struct wm_retainer *k)
{
	wm_sum_release(&k->sum);
	memset(k, 0, sizeof(*k));
}

/* Returns how well @r's working set is known: 2, 1 (writes), 0 (not). */
static int working_set_of(const struct wm_rank *r, uint64_t *bytes)
{
	if (wm_working_set(&r->page_totals, bytes))
		return 2;
	*bytes = r->in[WM_HOST].peak_bytes;
	return r->page_totals.epochs != 0;
}

static bool has_more(const struct wm_rank *r, const struct wm_rank *best)
{
	uint64_t set, other;
	int mine = working_set_of(r, &set), its = working_set_of(best, &other);

	if (mine != its)
		return mine > its;
	return set == other ? r->rank < best->rank : set > other;
}

/* Returns number @i of @count ranks that divide a job of @ranks evenly. */
static uint64_t place_of(uint64_t ranks, uint64_t i, uint64_t count)
{
	uint64_t last = ranks ? ranks - 1 : 0, steps = count - 1;

	return last <= steps ? i : last / steps * i + last % steps * i / steps;
}

static uint64_t distance(uint64_t rank, uint64_t place)
{
	return rank > place ? rank - place : place - rank;
}

static bool is_nearer(const struct wm_rank *r, const struct wm_rank *best,
		      size_t i)
{
	uint64_t place = place_of(r->ranks, i, WM_SPREAD);
	uint64_t mine = distance(r->rank, place);
	uint64_t other = distance(best->rank, place);

	return mine == other ? r->rank < best->rank : mine < other;
}

bool wm_retainer_samples(uint64_t rank, uint64_t ranks)
{
	for (uint64_t i = 0; i < WM_EACH_RANKS && ranks > WM_EACH_RANKS; i++)
		if (place_of(ranks, i, WM_EACH_RANKS) == rank)
			return true;
	return ranks <= WM_EACH_RANKS;
}

bool wm_retainer_is_better(const struct wm_retainer *k, size_t id,
			   const struct wm_rank *r, const struct wm_rank *best)
{
	enum wm_rank_choice choice = k->choice;

	if (id == WM_RETAINED_first)
		return !best || r->rank < best->rank;
	if (id >= WM_RETAINED_spread_1 && id < WM_RETAINED_all)
		return !best || is_nearer(r, best, id - WM_RETAINED_spread_1);
	if (id == WM_RETAINED_max)
		choice = WM_RANK_MAX;
	if (id == WM_RETAINED_min)
		choice = WM_RANK_MIN;
	if (choice == WM_RANK_NUMBER)
		return r->rank == k->number;
	if (!best)
		return true;
	if (choice == WM_RANK_WORKING_SET)
		return has_more(r, best);
	if (choice == WM_RANK_ACCESSES && r->access_total != best->access_total)
		return r->access_total > best->access_total;
	if (r->in[WM_HOST].peak_bytes == best->in[WM_HOST].peak_bytes)
		return r->rank < best->rank;
	return (r->in[WM_HOST].peak_bytes < best->in[WM_HOST].peak_bytes) ==
	       (choice == WM_RANK_MIN);
}

static bool is_retained(const struct wm_retainer *k, const struct wm_rank *r,
			size_t index)
{
	bool retained = k->wanted & WM_RETAINS_EACH &&
			wm_retainer_samples(r->rank, r->ranks);

	for (size_t i = 0; i < WM_RETAINED_COUNT; i++)
		retained |= k->best[i] == index;
	return retained;
}

enum wm_status wm_retainer_take(struct wm_retainer *k, struct wm_analysis *a,
				struct wm_err *err)
{
	size_t last = a->rank_count - 1;
	enum wm_status s = WM_OK;
	size_t i;

	if (k->wanted & WM_RETAINS(all))
		s = wm_sum_add(&k->sum, &a->ranks[last], err);
	for (i = 0; i < WM_RETAINED_all && !s; i++) {
		size_t old = k->best[i];

		if (!(k->wanted & 1u << i) ||
		    !wm_retainer_is_better(k, i, &a->ranks[last],
					   old == SIZE_MAX ? NULL :
							     &a->ranks[old]))
			continue;
		k->best[i] = last;
		if (old != SIZE_MAX && old != last &&
		    !is_retained(k, &a->ranks[old], old))
			wm_rank_drop(&a->ranks[old]);
	}
	if (!s && !is_retained(k, &a->ranks[last], last))
		wm_rank_drop(&a->ranks[last]);
	return s;
}

static int by_rank(const void *a, const void *b)
{
	const struct wm_rank *x = a, *y = b;

	return WM_ORDER(x->rank, y->rank);
}

static void sort_ranks(struct wm_retainer *k, struct wm_analysis *a)
{
	uint64_t number[WM_RETAINED_COUNT] = { 0 };

	for (size_t j = 0; j < WM_RETAINED_COUNT; j++)
		if (k->best[j] != SIZE_MAX)
			number[j] = a->ranks[k->best[j]].rank;
	WM_SORT(a->ranks, a->rank_count, by_rank);
	for (size_t i = 0; i < a->rank_count; i++)
		for (size_t j = 0; j < WM_RETAINED_COUNT; j++)
			if (k->best[j] != SIZE_MAX &&
			    number[j] == a->ranks[i].rank)
				k->best[j] = i;
}

/* *@to becomes *@from, and *@from becomes empty. */
#define MOVE(to, from) (*(to) = *(from), memset(from, 0, sizeof(*(from))))

/* Lets the table begin with the paths of the chosen rank or sum, unchanged. */
static void lay_base(struct wm_retainer *k, struct wm_analysis *a)
{
	struct wm_rank *r;

	wm_paths_release(&a->paths);
	if (k->choice == WM_RANK_ALL) {
		a->chosen = WM_ALL_RANKS;
		MOVE(&a->paths, &k->sum.paths);
		return;
	}
	a->chosen = k->best[WM_RETAINED_chosen];
	r = &a->ranks[a->chosen];
	MOVE(&a->paths, &r->paths);
	MOVE(&a->annotations, &r->annotations);
	MOVE(&a->lifetime, &r->lifetime);
	a->lifetime_count = a->paths.path_count;
	MOVE(&a->series, &r->series);
	MOVE(&a->phase_series, &r->phase_series);
	MOVE(&a->name_series, &r->name_series);
	MOVE(&a->by_thread, &r->by_thread);
	MOVE(&a->accesses, &r->accesses);
	MOVE(&a->simulated, &r->simulated);
	MOVE(&a->pages, &r->pages);
}

/* The paths and uses of a retained rank or sum that move to the table. */
struct part {
	const struct wm_paths *paths; /* empty: those of the table */
	const struct wm_use *use;
	const struct wm_rank *rank; /* NULL: the sum */
	uint32_t *number; /* in the table; NULL: the same */
	size_t count;
};

static enum wm_status spread_uses(struct wm_retained *retained,
				  const struct part *p, size_t paths,
				  struct wm_err *err)
{
	retained->use = calloc(paths + 1, sizeof(*retained->use));
	if (!retained->use)
		return wm_no_memory(err, "call paths");
	/* reports that are only about the process run no pass */
	for (size_t i = 0; p->use && i < p->count; i++) {
		struct wm_use *u = &retained->use[p->number ? p->number[i] : i];

		*u = p->use[i];
		if (p->rank)
			wm_use_hold(u, p->rank);
	}
	return WM_OK;
}

/* Takes the series of a rank that is not the chosen one.  Its keys are paths of
 * the rank, and become paths of the common table by @number. */
static void take_series(struct wm_retained *retained, struct wm_rank *r,
			const uint32_t *number)
{
	struct wm_series *b = &retained->series;

	MOVE(b, &r->series);
	for (size_t i = 0; i < b->count; i++)
		b->step[i].key = number[b->step[i].key];
}

static struct part find_part(const struct wm_retainer *k,
			     const struct wm_analysis *a, size_t id,
			     size_t base)
{
	struct part p = { .number = NULL };

	if (id == WM_RETAINED_all) {
		p.paths = &k->sum.paths;
		p.use = k->sum.use;
	} else {
		p.rank = &a->ranks[k->best[id]];
		p.paths = &p.rank->paths;
		p.use = p.rank->use;
	}
	p.count = p.paths->path_count ? p.paths->path_count : base;
	return p;
}

static enum wm_status take_sum(struct wm_retainer *k, struct wm_analysis *a,
			       const uint32_t *number, struct wm_err *err)
{
	MOVE(&a->sum, &k->sum);
	wm_paths_release(&a->sum.paths);
	free(a->sum.use);
	a->sum.use = NULL;
	return wm_sum_finish(&a->sum, number, a->paths.path_count, err);
}

static void choose_sum(struct wm_analysis *a)
{
	MOVE(&a->annotations, &a->sum.annotations);
	MOVE(&a->lifetime, &a->sum.lifetime);
	a->lifetime_count = a->sum.lifetime_count;
}

/* Moves the last call paths of ranks without an end, and of failed requests. */
static enum wm_status put_last_paths(struct wm_analysis *a, struct wm_err *err)
{
	enum wm_status s = WM_OK;

	for (size_t i = 0; i < a->rank_count && !s; i++) {
		struct wm_rank *r = &a->ranks[i];

		if (r->failures.count)
			s = wm_failures_move(&r->failures, &a->paths, err);
		if (s || !r->last_path.path_count)
			continue;
		s = wm_paths_copy(&a->paths, &r->last_path, r->last_number,
				  &r->last_number, err);
		if (!s)
			s = wm_paths_copy(&a->paths, &r->last_path,
					  r->growth_number, &r->growth_number,
					  err);
	}
	return s;
}

/* Returns whether @id is a spread rank that is already retained as another. */
static bool is_again(const struct wm_retainer *k, size_t id)
{
	if (id < WM_RETAINED_spread_1 || id == WM_RETAINED_all)
		return false;
	for (size_t i = 0; i < id; i++)
		if (k->wanted & 1u << i && k->best[i] == k->best[id])
			return true;
	return false;
}

/* Puts the paths of each rank that still has its own into the table. */
static enum wm_status take_each(struct wm_retainer *k, struct wm_analysis *a,
				size_t base, struct wm_err *err)
{
	enum wm_status s = WM_OK;

	if (!(k->wanted & WM_RETAINS_EACH))
		return WM_OK;
	a->each = calloc(a->rank_count + 1, sizeof(*a->each));
	if (!a->each)
		return wm_no_memory(err, "call paths");
	for (size_t i = 0; i < a->rank_count && !s; i++) {
		struct wm_rank *r = &a->ranks[i];
		struct wm_each *e = &a->each[a->each_count];

		if (!r->use)
			continue;
		*e = (struct wm_each){ i, &r->annotations, r->lifetime,
				       .count = r->paths.path_count };
		if (i == a->chosen)
			*e = (struct wm_each){ i, &a->annotations, a->lifetime,
					       .count = base };
		e->number = calloc(e->count + 1, sizeof(*e->number));
		if (!e->number)
			return wm_no_memory(err, "call paths");
		a->each_count++;
		for (size_t n = 0; i == a->chosen && n < base; n++)
			e->number[n] = (uint32_t)n;
		if (i != a->chosen && e->count)
			s = wm_paths_merge(&a->paths, &r->paths, e->number,
					   err);
	}
	return s;
}

static enum wm_status put_over_one_table(struct wm_retainer *k,
					 struct wm_analysis *a,
					 struct wm_err *err)
{
	struct part part[WM_RETAINED_COUNT] = { { .paths = NULL } };
	size_t base = a->paths.path_count;
	enum wm_status s = WM_OK;

	for (size_t i = 0; i < WM_RETAINED_COUNT && !s; i++) {
		struct part *p = &part[i];

		if (!(k->wanted & 1u << i) || is_again(k, i))
			continue;
		*p = find_part(k, a, i, base);
		if (!p->paths->path_count)
			continue;
		p->number = calloc(p->count, sizeof(*p->number));
		s = p->number ? wm_paths_merge(&a->paths, p->paths, p->number,
					       err) :
				wm_no_memory(err, "call paths");
	}
	if (!s)
		s = take_each(k, a, base, err);
	if (!s)
		s = put_last_paths(a, err);
	if (!s)
		s = wm_strays_find(a, err);
	for (size_t i = 0; i < WM_RETAINED_COUNT && !s; i++) {
		struct wm_retained *retained = &a->retained[i];

		retained->rank = i == WM_RETAINED_all ? WM_ALL_RANKS :
							k->best[i];
		if (part[i].paths)
			s = spread_uses(retained, &part[i], a->paths.path_count,
					err);
		if (!s && part[i].rank && part[i].number)
			take_series(retained, &a->ranks[k->best[i]],
				    part[i].number);
	}
	if (!s && part[WM_RETAINED_all].paths)
		s = take_sum(k, a, part[WM_RETAINED_all].number, err);
	for (size_t i = 0; i < WM_RETAINED_COUNT; i++)
		free(part[i].number);
	return s;
}

enum wm_status wm_retainer_finish(struct wm_retainer *k, struct wm_analysis *a,
				  struct wm_err *err)
{
	enum wm_status s = WM_OK;

	sort_ranks(k, a);
	if (k->choice != WM_RANK_ALL && k->best[WM_RETAINED_chosen] == SIZE_MAX)
		s = wm_err_set(err, WM_NOT_FOUND,
			       "no rank %" PRIu64 " among the "
			       "traces that can be read",
			       k->number);
	if (s)
		return s;
	lay_base(k, a);
	s = put_over_one_table(k, a, err);
	if (!s && k->choice == WM_RANK_ALL)
		choose_sum(a);
	a->use = a->retained[k->choice == WM_RANK_ALL ? WM_RETAINED_all :
							WM_RETAINED_chosen]
			 .use;
	for (size_t i = 0; i < a->rank_count && !a->each; i++)
		wm_rank_shrink(&a->ranks[i]);
	return s;
}
