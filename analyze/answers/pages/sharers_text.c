/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads and processors that touch pages of the chosen rank, for --pages,
 * if the program's hooks recorded them (WM_ACCESS=pages).
 *
 * In each epoch, a page counts once for each thread and once for each processor
 * that touched it.  A thread's processor is the one on which the thread first
 * accessed the page in the epoch.
 */
#include "analyze/answers/reports.h"

#include <stdlib.h>

#include "analyze/lib/base/index.h"
#include "analyze/lib/base/vec.h"
#include "analyze/answers/pages/pages_by_epoch.h"
#include "analyze/render/table.h"
#include "wm/search.h"
#include "wm/trace_format.h"

/* One thread, or one processor. */
struct page_sharer {
	uint32_t number;
	uint64_t touched, written; /* pages, added up over epochs */
	/* pages that no other thread, or no other processor, touched */
	uint64_t alone;
	/* pages that a thread touched after a change of its processor */
	uint64_t moved;
	uint32_t last; /* last processor + 1; 0: none so far */
};

struct sharers {
	struct page_sharer *list; /* by number, after all have been counted */
	size_t count, cap;
	struct wm_index index;
	size_t last; /* index of the last result of sharer() */
};

struct page_sharers {
	struct sharers threads, cpus;
	/* pages touched by one thread, by several; added up over epochs */
	uint64_t one, several;
	/* pages that at least one of several threads wrote */
	uint64_t several_written;
	uint64_t several_writers; /* pages that two or more threads wrote */
};

/* Returns the entry of @number, new or not, or NULL if memory is short. */
static struct page_sharer *sharer(struct sharers *all, uint32_t number)
{
	uint32_t hash = wm_index_hash(number);
	struct page_sharer *to;
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
		*to = (struct page_sharer){ .number = number };
		wm_index_put(&all->index, s, hash, all->count++);
	}
	all->last = s->number - 1;
	return &all->list[all->last];
}

static bool count_thread(struct page_sharers *r,
			 const struct wm_page_toucher *x, bool alone)
{
	struct page_sharer *t = sharer(&r->threads, x->thread);

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
static bool count_cpus(struct page_sharers *r, const struct wm_page_walk *w)
{
	bool alone = true;

	for (size_t i = 1; i < w->touchers; i++)
		alone &= w->toucher[i].cpu == w->toucher[0].cpu;
	for (size_t i = 0; i < w->touchers; i++) {
		unsigned did = w->toucher[i].did;
		struct page_sharer *c;
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

static bool count_page(struct page_sharers *r, const struct wm_page_walk *w)
{
	size_t writers = 0;

	for (size_t i = 0; i < w->touchers; i++) {
		writers += (w->toucher[i].did & WMT_WHO_WRITTEN) != 0;
		if (!count_thread(r, &w->toucher[i], w->touchers == 1))
			return false;
	}
	r->one += w->touchers == 1;
	r->several += w->touchers > 1;
	r->several_written += w->touchers > 1 && writers;
	r->several_writers += writers > 1;
	return count_cpus(r, w);
}

static enum wm_status go_through(struct page_sharers *r,
				 struct wm_page_epochs *x, struct wm_err *err)
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
	const struct page_sharer *x = a, *y = b;

	return WM_ORDER(x->number, y->number);
}

static void end_sharers(struct sharers *all)
{
	wm_index_release(&all->index);
	WM_SORT(all->list, all->count, by_number);
}

/* Returns WM_NOT_FOUND if no threads or processors were recorded. */
static enum wm_status make_sharers(struct page_sharers *r,
				   const struct wm_analysis *a,
				   struct wm_err *err)
{
	struct wm_page_epochs x;
	enum wm_status s = wm_page_epochs_open(&x, a, err);

	if (s)
		return s;
	if (!x.t.samples)
		s = wm_err_set(err, WM_NOT_FOUND, "no hooks recorded pages");
	if (!s)
		s = go_through(r, &x, err);
	wm_page_epochs_release(&x);
	end_sharers(&r->threads);
	end_sharers(&r->cpus);
	return s;
}

static void put_list(const struct sharers *all, uint64_t page, const char *key,
		     bool threads, size_t top, unsigned audience,
		     struct wm_doc *d)
{
	static const struct wm_table_column columns[2][6] = {
		{
			{ "cpu", "processor", WM_UNIT_NUMBER },
			{ "page_epochs", "pages of epochs", WM_UNIT_COUNT },
			{ "bytes", "bytes", WM_UNIT_BYTES },
			{ "written_page_epochs", "written", WM_UNIT_COUNT },
			{ "alone_page_epochs", "alone", WM_UNIT_COUNT },
		},
		{
			{ "thread", "thread", WM_UNIT_NUMBER },
			{ "page_epochs", "pages of epochs", WM_UNIT_COUNT },
			{ "bytes", "bytes", WM_UNIT_BYTES },
			{ "written_page_epochs", "written", WM_UNIT_COUNT },
			{ "alone_page_epochs", "alone", WM_UNIT_COUNT },
			{ "cpu_changes", "processor changes", WM_UNIT_COUNT },
		},
	};
	struct wm_table t;

	wm_table_init(&t, columns[threads], threads ? 6 : 5);
	for (size_t i = 0; i < all->count; i++) {
		const struct page_sharer *x = &all->list[i];

		WM_TABLE_ADD(&t, x->number, x->touched, x->touched * page,
			     x->written, x->alone);
		if (threads)
			wm_table_uint(&t, x->moved);
	}
	wm_doc_table(d, &t, key, top, audience);
}

static double percent(uint64_t part, uint64_t of)
{
	return of ? 100 * (double)part / (double)of : 0;
}

static void put_text(const struct page_sharers *s, uint64_t page, size_t top,
		     struct wm_doc *d)
{
	uint64_t all = s->one + s->several;

	wm_doc_heading(d, "Which threads touch pages");
	put_list(&s->threads, page, NULL, true, top, WM_FOR_TEXT, d);
	wm_doc_print(d,
		     "\n  One thread touched %.1f %% of the pages of all "
		     "epochs, several threads touched %.1f %%:\n"
		     "  %.1f %% were written by at least one of these "
		     "threads, %.1f %% by two or more.\n",
		     percent(s->one, all), percent(s->several, all),
		     percent(s->several_written, all),
		     percent(s->several_writers, all));
	wm_doc_heading(d, "On which processors");
	put_list(&s->cpus, page, NULL, false, top, WM_FOR_TEXT, d);
	wm_doc_print(d, "\n  --accesses reports the variables and lines of the "
			"first access to each page in each\n  epoch.\n");
}

static void put_data(const struct page_sharers *s, uint64_t page,
		     struct wm_doc *d)
{
	wm_json_object(&d->data, "touched_by");
	put_list(&s->threads, page, "threads", true, 0, WM_FOR_DATA, d);
	put_list(&s->cpus, page, "cpus", false, 0, WM_FOR_DATA, d);
	WM_JSON_ADD(&d->data,
		    "one_thread_page_epochs several_threads_page_epochs "
		    "several_threads_written_page_epochs "
		    "several_writers_page_epochs",
		    s->one, s->several, s->several_written, s->several_writers);
	wm_json_end_object(&d->data);
}

enum wm_status wm_pages_sharers(const struct wm_analysis *a, size_t top,
				unsigned audience, struct wm_doc *d,
				struct wm_err *err)
{
	uint64_t page = a->ranks[a->chosen].page_totals.page_bytes;
	struct page_sharers s = { .one = 0 };
	enum wm_status r = make_sharers(&s, a, err);

	if (r == WM_NOT_FOUND && audience == WM_FOR_DATA)
		wm_json_text(&d->data, "touched_by", NULL);
	else if (!r && audience == WM_FOR_TEXT)
		put_text(&s, page, top, d);
	else if (!r)
		put_data(&s, page, d);
	free(s.threads.list);
	free(s.cpus.list);
	return r == WM_NOT_FOUND ? WM_OK : r;
}
