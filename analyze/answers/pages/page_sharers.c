/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/pages/page_sharers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/index.h"
#include "analyze/lib/base/vec.h"
#include "analyze/answers/pages/pages_by_epoch.h"
#include "wm/search.h"
#include "wm/trace_format.h"

struct sharers {
	struct wm_page_sharer *list;
	size_t count, cap;
	struct wm_index index;
	size_t last; /* index of the last result of sharer() */
};

struct reading {
	struct wm_page_sharers *out;
	struct sharers threads, cpus;
};

void wm_page_sharers_release(struct wm_page_sharers *s)
{
	free(s->thread);
	free(s->cpu);
	memset(s, 0, sizeof(*s));
}

/* Returns the entry of @number, new or not, or NULL if memory is short. */
static struct wm_page_sharer *sharer(struct sharers *all, uint32_t number)
{
	uint32_t hash = wm_index_hash(number);
	struct wm_page_sharer *to;
	struct wm_index_slot *s;

	if (all->last < all->count && all->list[all->last].number == number)
		return &all->list[all->last];
	if (wm_index_room(&all->index))
		return NULL;
	WM_INDEX_EACH(s, &all->index, hash)
		if (all->list[s->number - 1].number == number)
			break;
	if (!s->number) {
		to = WM_MORE(all->list, all->cap, all->count);
		if (!to)
			return NULL;
		*to = (struct wm_page_sharer){ .number = number };
		wm_index_put(&all->index, s, hash, all->count++);
	}
	all->last = s->number - 1;
	return &all->list[all->last];
}

static bool count_thread(struct reading *r, const struct wm_page_toucher *x,
			 bool alone)
{
	struct wm_page_sharer *t = sharer(&r->threads, x->thread);

	if (!t)
		return false;
	t->touched++;
	t->written += (x->did & WMT_WHO_WRITTEN) != 0;
	t->alone += alone;
	t->moved += t->last && t->last != x->cpu + 1;
	t->last = x->cpu + 1;
	return true;
}

/* Counts each processor once, for all its threads together. */
static bool count_cpus(struct reading *r, const struct wm_page_walk *w)
{
	bool alone = true;

	for (size_t i = 1; i < w->touchers; i++)
		alone &= w->toucher[i].cpu == w->toucher[0].cpu;
	for (size_t i = 0; i < w->touchers; i++) {
		unsigned did = w->toucher[i].did;
		struct wm_page_sharer *c;
		bool came = false;

		for (size_t j = 0; j < i; j++)
			came |= w->toucher[j].cpu == w->toucher[i].cpu;
		for (size_t j = i + 1; j < w->touchers; j++)
			if (w->toucher[j].cpu == w->toucher[i].cpu)
				did |= w->toucher[j].did;
		if (came)
			continue;
		c = sharer(&r->cpus, w->toucher[i].cpu);
		if (!c)
			return false;
		c->touched++;
		c->written += (did & WMT_WHO_WRITTEN) != 0;
		c->alone += alone;
	}
	return true;
}

static bool count_page(struct reading *r, const struct wm_page_walk *w)
{
	struct wm_page_sharers *out = r->out;
	size_t writers = 0;

	for (size_t i = 0; i < w->touchers; i++) {
		writers += (w->toucher[i].did & WMT_WHO_WRITTEN) != 0;
		if (!count_thread(r, &w->toucher[i], w->touchers == 1))
			return false;
	}
	out->one += w->touchers == 1;
	out->several += w->touchers > 1;
	out->several_written += w->touchers > 1 && writers;
	out->several_writers += writers > 1;
	return count_cpus(r, w);
}

static enum wm_status go_through(struct reading *r, struct wm_page_epochs *x,
				 struct wm_err *err)
{
	struct wm_page_walk w = { .toucher_room = NULL };
	enum wm_status s;

	while (!(s = wm_page_epochs_next(x, err))) {
		wm_page_walk_begin(&w, &x->e.touches, &x->e.accessed);
		while (!(s = wm_page_walk_next(&w, err)))
			if (!count_page(r, &w)) {
				s = wm_no_memory(err, NULL);
				break;
			}
		if (s != WM_END)
			break;
	}
	wm_page_walk_end(&w);
	return s == WM_END ? WM_OK : s;
}

static int by_number(const void *a, const void *b)
{
	const struct wm_page_sharer *x = a, *y = b;

	return WM_ORDER(x->number, y->number);
}

static void end_sharers(struct sharers *all, struct wm_page_sharer **list,
			size_t *count)
{
	wm_index_release(&all->index);
	WM_SORT(all->list, all->count, by_number);
	*list = all->list;
	*count = all->count;
}

enum wm_status wm_page_sharers_make(struct wm_page_sharers *out,
				    const struct wm_analysis *a,
				    struct wm_err *err)
{
	struct reading r = { .out = out };
	struct wm_page_epochs x;
	enum wm_status s;

	memset(out, 0, sizeof(*out));
	s = wm_page_epochs_open(&x, a, err);
	if (s)
		return s;
	if (!x.t.samples)
		s = wm_err_set(err, WM_NOT_FOUND, "no hooks recorded pages");
	if (!s)
		s = go_through(&r, &x, err);
	wm_page_epochs_release(&x);
	end_sharers(&r.threads, &out->thread, &out->threads);
	end_sharers(&r.cpus, &out->cpu, &out->cpus);
	if (s)
		wm_page_sharers_release(out);
	return s;
}
