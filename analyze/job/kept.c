/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/kept.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/job/analysis.h"
#include "analyze/vec.h"

static enum wm_status no_memory(struct wm_err *err)
{
	return wm_err_set(err, WM_NO_MEMORY, "no memory for call paths");
}

enum wm_status wm_keeper_init(struct wm_keeper *k, unsigned keeps,
			      const struct wm_opts *o, struct wm_err *err)
{
	int i;

	memset(k, 0, sizeof(*k));
	k->wanted = keeps;
	k->choice = o->choice;
	k->number = o->rank;
	if (o->choice == WM_RANK_ALL)
		k->wanted |= WM_KEEPS(all);
	else
		k->wanted |= WM_KEEPS(chosen);
	for (i = 0; i < WM_KEPT_COUNT; i++)
		k->best[i] = SIZE_MAX;
	return wm_paths_init(&k->paths, err);
}

void wm_keeper_release(struct wm_keeper *k)
{
	wm_paths_release(&k->paths);
	wm_notes_release(&k->told);
	free(k->use);
	free(k->life);
	memset(k, 0, sizeof(*k));
}

int wm_keeper_is_better(const struct wm_keeper *k, int id,
			const struct wm_rank *r, const struct wm_rank *best)
{
	enum wm_rank_choice choice = k->choice;

	if (id == WM_KEPT_first)
		return !best || r->rank < best->rank;
	if (id == WM_KEPT_max)
		choice = WM_RANK_MAX;
	if (id == WM_KEPT_min)
		choice = WM_RANK_MIN;
	if (choice == WM_RANK_NUMBER)
		return r->rank == k->number;
	if (!best)
		return 1;
	if (r->peak_bytes == best->peak_bytes)
		return r->rank < best->rank;
	return (r->peak_bytes < best->peak_bytes) == (choice == WM_RANK_MIN);
}

/* Add the lives of @r's blocks; @before: paths that there were before it. */
static enum wm_status add_lives(struct wm_keeper *k, const struct wm_rank *r,
				const uint32_t *number, size_t before,
				struct wm_err *err)
{
	struct wm_life *life;
	size_t i;

	if (!r->life || k->choice != WM_RANK_ALL)
		return WM_OK;
	if (!k->life)
		before = 0;
	life = wm_grow(k->life, &k->life_cap, k->paths.path_count,
		       sizeof(*life));
	if (!life)
		return no_memory(err);
	k->life = life;
	memset(life + before, 0, (k->paths.path_count - before) *
	       sizeof(*life));
	for (i = 0; i < r->paths.path_count; i++)
		wm_life_add(&life[number[i]], &r->life[i]);
	return WM_OK;
}

/* Add the blocks of @r to those of all ranks. */
static enum wm_status add_to_sum(struct wm_keeper *k, const struct wm_rank *r,
				 struct wm_err *err)
{
	uint32_t *number = calloc(r->paths.path_count, sizeof(*number));
	size_t before = k->use ? k->paths.path_count : 0, i;
	struct wm_use *use = NULL;
	enum wm_status s;

	if (!number)
		return no_memory(err);
	s = wm_paths_merge(&k->paths, &r->paths, number, err);
	if (!s) {
		use = wm_grow(k->use, &k->use_cap, k->paths.path_count,
			      sizeof(*use));
		if (!use)
			s = no_memory(err);
	}
	if (!s) {
		k->use = use;
		memset(use + before, 0, (k->paths.path_count - before) *
		       sizeof(*use));
		for (i = 0; r->use && i < r->paths.path_count; i++)
			wm_use_add(&use[number[i]], &r->use[i]);
		s = add_lives(k, r, number, before, err);
		if (!s && k->choice == WM_RANK_ALL)
			s = wm_notes_merge(&k->told, &r->told, number, err);
	}
	free(number);
	return s;
}

static int is_kept(const struct wm_keeper *k, size_t index)
{
	int i, kept = 0;

	for (i = 0; i < WM_KEPT_COUNT; i++)
		kept |= k->best[i] == index;
	return kept;
}

enum wm_status wm_keeper_take(struct wm_keeper *k, struct wm_analysis *a,
			      struct wm_err *err)
{
	size_t last = a->rank_count - 1;
	enum wm_status s = WM_OK;
	int i;

	if (k->wanted & WM_KEEPS(all))
		s = add_to_sum(k, &a->ranks[last], err);
	for (i = 0; i < WM_KEPT_all && !s; i++) {
		size_t old = k->best[i];

		if (!(k->wanted & 1u << i) ||
		    !wm_keeper_is_better(k, i, &a->ranks[last],
			       old == SIZE_MAX ? NULL : &a->ranks[old]))
			continue;
		k->best[i] = last;
		if (old != SIZE_MAX && old != last && !is_kept(k, old))
			wm_rank_shrink(&a->ranks[old]);
	}
	if (!s && !is_kept(k, last))
		wm_rank_shrink(&a->ranks[last]);
	return s;
}

static int by_rank(const void *a, const void *b)
{
	const struct wm_rank *x = a, *y = b;

	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static enum wm_status sort_ranks(struct wm_keeper *k, struct wm_analysis *a,
				 struct wm_err *err)
{
	uint64_t number[WM_KEPT_COUNT] = { 0 };
	size_t i;
	int j;

	for (j = 0; j < WM_KEPT_COUNT; j++)
		if (k->best[j] != SIZE_MAX)
			number[j] = a->ranks[k->best[j]].rank;
	qsort(a->ranks, a->rank_count, sizeof(*a->ranks), by_rank);
	for (i = 0; i < a->rank_count; i++) {
		if (i && a->ranks[i].rank == a->ranks[i - 1].rank)
			return wm_err_set(err, WM_USAGE, "two traces of rank "
					  "%llu given",
					  (unsigned long long)a->ranks[i].rank);
		for (j = 0; j < WM_KEPT_COUNT; j++)
			if (k->best[j] != SIZE_MAX &&
			    number[j] == a->ranks[i].rank)
				k->best[j] = i;
	}
	return WM_OK;
}

/* The table of paths begins with those of the chosen ones, unchanged. */
static void lay_base(struct wm_keeper *k, struct wm_analysis *a)
{
	struct wm_rank *r;

	wm_paths_release(&a->paths);
	if (k->choice == WM_RANK_ALL) {
		a->chosen = WM_ALL_RANKS;
		a->paths = k->paths;
		a->told = k->told;
		a->life = k->life;
		a->life_count = a->paths.path_count;
		k->life = NULL;
		memset(&k->paths, 0, sizeof(k->paths));
		memset(&k->told, 0, sizeof(k->told));
		return;
	}
	a->chosen = k->best[WM_KEPT_chosen];
	r = &a->ranks[a->chosen];
	a->paths = r->paths;
	a->told = r->told;
	a->life = r->life;
	a->life_count = a->paths.path_count;
	r->life = NULL;
	a->bands = r->bands;
	memset(&r->bands, 0, sizeof(r->bands));
	memset(&r->paths, 0, sizeof(r->paths));
	memset(&r->told, 0, sizeof(r->told));
}

/* Put the @count uses of @use, numbered by @number, into a table of all. */
static enum wm_status spread(struct wm_kept *kept, const struct wm_use *use,
			     const uint32_t *number, size_t count,
			     size_t paths, struct wm_err *err)
{
	size_t i;

	kept->use = calloc(paths + 1, sizeof(*kept->use));
	if (!kept->use)
		return no_memory(err);
	/* no pass has run for who asks about the process only */
	for (i = 0; use && i < count; i++)
		kept->use[number ? number[i] : i] = use[i];
	return WM_OK;
}

/* Where the paths and uses of a kept one are while they are put together. */
struct part {
	const struct wm_paths *paths; /* with no node: those of the table */
	const struct wm_use *use;
	uint32_t *number; /* in the table; NULL: the same */
	size_t count;
};

static struct part find_part(const struct wm_keeper *k,
			     const struct wm_analysis *a, int id, size_t base)
{
	struct part p = { .number = NULL };

	if (id == WM_KEPT_all) {
		p.paths = &k->paths;
		p.use = k->use;
	} else {
		p.paths = &a->ranks[k->best[id]].paths;
		p.use = a->ranks[k->best[id]].use;
	}
	p.count = p.paths->path_count ? p.paths->path_count : base;
	return p;
}

static enum wm_status put_over_one_table(struct wm_keeper *k,
					 struct wm_analysis *a,
					 struct wm_err *err)
{
	struct part part[WM_KEPT_COUNT] = { { .paths = NULL } };
	size_t base = a->paths.path_count;
	enum wm_status s = WM_OK;
	int i;

	for (i = 0; i < WM_KEPT_COUNT && !s; i++) {
		struct part *p = &part[i];

		if (!(k->wanted & 1u << i))
			continue;
		*p = find_part(k, a, i, base);
		if (!p->paths->path_count)
			continue;
		p->number = calloc(p->count, sizeof(*p->number));
		s = p->number ? wm_paths_merge(&a->paths, p->paths, p->number,
					       err) : no_memory(err);
	}
	for (i = 0; i < WM_KEPT_COUNT && !s; i++) {
		struct wm_kept *kept = &a->kept[i];

		kept->rank = i == WM_KEPT_all ? WM_ALL_RANKS : k->best[i];
		if (part[i].paths)
			s = spread(kept, part[i].use, part[i].number,
				   part[i].count, a->paths.path_count, err);
	}
	for (i = 0; i < WM_KEPT_COUNT; i++)
		free(part[i].number);
	return s;
}

enum wm_status wm_keeper_finish(struct wm_keeper *k, struct wm_analysis *a,
				struct wm_err *err)
{
	enum wm_status s = sort_ranks(k, a, err);
	size_t i;

	if (s)
		return s;
	if (k->choice == WM_RANK_ALL)
		s = wm_notes_sort(&k->told, err);
	else if (k->best[WM_KEPT_chosen] == SIZE_MAX)
		s = wm_err_set(err, WM_NOT_FOUND, "no rank %llu among the "
			       "traces that can be read",
			       (unsigned long long)k->number);
	if (s)
		return s;
	lay_base(k, a);
	s = put_over_one_table(k, a, err);
	a->use = a->kept[k->choice == WM_RANK_ALL ? WM_KEPT_all :
						    WM_KEPT_chosen].use;
	for (i = 0; i < a->rank_count; i++)
		wm_rank_shrink(&a->ranks[i]);
	return s;
}
