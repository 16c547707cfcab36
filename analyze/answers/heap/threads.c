/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/heap/threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/shorten.h"
#include "analyze/lib/base/whole.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/symbols/rules.h"
#include "analyze/symbols/site.h"
#include "wm/search.h"

#define NAME 200
#define CREATORS 3 /* the most functions of the creator in a thread's name */

/* How a thread began. */
struct began {
	enum wm_thread_kind kind;
	const struct wm_symbol *symbol;
	uint32_t creator; /* call path + 1; 0: unknown */
	uint32_t thread; /* its index */
};

static enum wm_status find_start(struct began *b, const struct wm_analysis *a,
				 const struct wm_thread_use *use,
				 struct wm_path_frames *frames,
				 struct wm_err *err)
{
	const struct wm_frame *f;
	enum wm_status s;

	b->kind = use->main ? WM_THREAD_MAIN : WM_THREAD_UNKNOWN;
	b->symbol = NULL;
	b->creator = use->has_creator ? use->creator + 1 : 0;
	if (use->main || !use->has_path)
		return WM_OK;
	s = wm_path_frames_fill_whole(frames, a, use->path, err);
	if (s || !frames->count)
		return s;
	f = &frames->frame[frames->count - 1];
	/* the path was cut there, or the unwinder went no farther */
	if (!a->paths.nodes[f->node].parent)
		return WM_OK;
	b->kind = f->symbol->site == WM_SITE_OPENMP ? WM_THREAD_OPENMP :
						      WM_THREAD_STARTED;
	if (b->kind == WM_THREAD_STARTED)
		b->symbol = f->symbol;
	return WM_OK;
}

static int start_order(const struct began *x, const struct began *y)
{
	uint32_t f = x->symbol ? x->symbol->function : 0;
	uint32_t g = y->symbol ? y->symbol->function : 0;

	return WM_KEYS(WM_ORDER(x->kind, y->kind), WM_ORDER(f, g),
		       WM_ORDER(x->creator, y->creator));
}

static int by_start(const void *a, const void *b)
{
	const struct began *x = a, *y = b;

	return WM_KEYS(start_order(x, y), WM_ORDER(x->thread, y->thread));
}

/* Returns "main > start_pool", the innermost functions of the program that
 * created a thread, or NULL if memory is short. */
static char *creator_text(const struct wm_analysis *a, uint32_t path,
			  struct wm_path_frames *frames, struct wm_err *err)
{
	char name[WM_NAME_COLUMNS + 1], text[NAME];
	size_t used = 0, i, first = 0, count;

	if (wm_path_frames_fill(frames, a, path, err))
		return NULL;
	/* skip the runtime of OpenMP, which calls pthread_create */
	while (first < frames->count &&
	       !wm_site_may_be(frames->frame[first].symbol))
		first++;
	while (first < frames->count &&
	       frames->frame[first].symbol->site == WM_SITE_OPENMP)
		first++;
	count = frames->count - first;
	if (count > CREATORS) {
		used = (size_t)snprintf(text, sizeof(text), "... > ");
		count = CREATORS;
	}
	text[used] = 0;
	for (i = count; i-- > 0 && used < sizeof(text);)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%s",
					 wm_shorten(frames->frame[first + i]
							    .symbol->name,
						    WM_NAME_COLUMNS / 2, name),
					 i ? " > " : "");
	return strdup(text);
}

/* Writes " (worker, started by main)", or as much of this as is known. */
static void put_start(char *to, size_t size, const struct wm_thread_start *s)
{
	char name[WM_NAME_COLUMNS + 1] = "";
	const char *by = s->creator && *s->creator ? s->creator : NULL;

	to[0] = 0;
	if (s->kind == WM_THREAD_OPENMP)
		snprintf(name, sizeof(name), "OpenMP");
	else if (s->symbol)
		wm_shorten(s->symbol->name, WM_NAME_COLUMNS, name);
	if (*name || by)
		snprintf(to, size, " (%s%s%s%s)", name, *name && by ? ", " : "",
			 by ? "started by " : "", by ? by : "");
}

/* Returns the name of thread number *@number or, if @number is NULL, of all
 * threads that began alike. */
static char *name_of(const uint64_t *number, const struct wm_thread_start *s)
{
	char *name, start[NAME + WM_NAME_COLUMNS + 20];
	int n;

	if (s->kind == WM_THREAD_MAIN)
		return strdup("main thread");
	put_start(start, sizeof(start), s);
	if (number)
		n = asprintf(&name, "thread %" PRIu64 "%s", *number, start);
	else
		n = asprintf(&name, "%zu thread%s%s", s->threads,
			     s->threads == 1 ? "" : "s", start);
	return n < 0 ? NULL : name;
}

static void add_to_start(struct wm_thread_start *s,
			 const struct wm_thread_row *r)
{
	const struct wm_thread_use *u = r->use;

	wm_raise(&s->peak_bytes, u->peak_bytes);
	s->sum_bytes += u->peak_bytes;
	s->held_bytes += r->held_bytes;
	s->held_blocks += r->held_blocks;
	s->end_bytes += r->end_bytes;
	s->end_blocks += r->end_blocks;
	s->allocations += u->allocations;
	s->bytes += u->bytes;
	if (!s->threads || u->from < s->from)
		s->from = u->from;
	if (!s->threads || u->to > s->to)
		s->to = u->to;
	s->threads++;
}

static int by_sum(const void *a, const void *b)
{
	const struct wm_thread_start *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->sum_bytes, x->sum_bytes),
		       strcmp(x->name, y->name), WM_ORDER(x->place, y->place));
}

static enum wm_status sort_starts(struct wm_thread_rows *r, struct wm_err *err)
{
	size_t *place = calloc(r->starts + 1, sizeof(*place)), i;

	if (!place)
		return wm_no_memory(err, "threads");
	for (i = 0; i < r->starts; i++)
		r->start[i].place = i;
	WM_SORT(r->start, r->starts, by_sum);
	for (i = 0; i < r->starts; i++)
		place[r->start[i].place] = i;
	for (i = 0; i < r->count; i++)
		r->row[i].start = place[r->row[i].start];
	free(place);
	return WM_OK;
}

/* Rows are still in order of index. */
static enum wm_status join_starts(struct wm_thread_rows *r,
				  const struct wm_analysis *a, struct began *b,
				  struct wm_path_frames *frames,
				  struct wm_err *err)
{
	WM_SORT(b, r->count, by_start);
	for (size_t i = 0; i < r->count; i++) {
		struct wm_thread_row *row = &r->row[b[i].thread];

		if (!i || start_order(&b[i - 1], &b[i])) {
			struct wm_thread_start *s = &r->start[r->starts++];

			s->kind = b[i].kind;
			s->symbol = b[i].symbol;
			if (b[i].creator)
				s->creator = creator_text(a, b[i].creator - 1,
							  frames, err);
			if (b[i].creator && !s->creator)
				return wm_no_memory(err, "threads");
		}
		row->start = r->starts - 1;
		row->name = name_of(&row->use->number, &r->start[row->start]);
		if (!row->name)
			return wm_no_memory(err, "threads");
		add_to_start(&r->start[row->start], row);
	}
	for (size_t i = 0; i < r->starts; i++) {
		r->start[i].name = name_of(NULL, &r->start[i]);
		if (!r->start[i].name)
			return wm_no_memory(err, "threads");
	}
	return sort_starts(r, err);
}

static enum wm_status make_starts(struct wm_thread_rows *r,
				  const struct wm_analysis *a,
				  struct wm_err *err)
{
	struct wm_path_frames frames = { .count = 0 };
	struct began *b = calloc(r->count + 1, sizeof(*b));
	enum wm_status s = b ? WM_OK : wm_no_memory(err, "threads");

	for (size_t i = 0; i < r->count && !s; i++) {
		b[i].thread = (uint32_t)i;
		s = find_start(&b[i], a, r->row[i].use, &frames, err);
	}
	if (!s)
		s = join_starts(r, a, b, &frames, err);
	wm_path_frames_release(&frames);
	free(b);
	return s;
}

/* The last root is for all threads that could not be distinguished.  Rows are
 * still in order of index. */
static enum wm_status make_roots(struct wm_thread_rows *r, struct wm_err *err)
{
	bool apart = r->count <= WM_THREADS_APART;

	r->roots = (apart ? r->count : r->starts) + 1;
	r->root = calloc(r->roots, sizeof(*r->root));
	if (!r->root)
		return wm_no_memory(err, "threads");
	for (size_t i = 0; i < r->roots; i++) {
		r->root[i].function = UINT32_MAX - (uint32_t)i;
		r->root[i].site = WM_SITE_USER;
		r->root[i].name = i + 1 == r->roots ? "several threads" :
				  apart		    ? r->row[i].name :
						      r->start[i].name;
	}
	return WM_OK;
}

static size_t root_of(const struct wm_thread_rows *r, uint32_t thread)
{
	if (thread == WM_THREAD_OTHERS)
		return r->roots - 1;
	return r->count <= WM_THREADS_APART ? thread : r->row[thread].start;
}

static enum wm_status make_uses(struct wm_thread_rows *r,
				const struct wm_analysis *a, struct wm_err *err)
{
	const struct wm_threads *t = &a->by_thread;
	/* by root: index + 1 of its last use */
	size_t *last = calloc(r->roots, sizeof(*last));

	r->use = calloc(t->holds + 1, sizeof(*r->use));
	if (!last || !r->use) {
		free(last);
		return wm_no_memory(err, "threads");
	}
	for (size_t i = 0; i < t->holds; i++) {
		const struct wm_thread_hold *h = &t->hold[i];
		size_t root = root_of(r, h->thread);
		struct wm_use use = { .peak_bytes = h->peak_bytes,
				      .peak_blocks = h->peak_blocks,
				      .end_bytes = h->end_bytes,
				      .end_blocks = h->end_blocks };

		wm_use_hold(&use, &a->ranks[a->chosen]);
		if (!last[root] || r->use[last[root] - 1].path != h->path) {
			r->use[r->uses].root = &r->root[root];
			r->use[r->uses].path = h->path;
			last[root] = ++r->uses;
		}
		wm_use_add(&r->use[last[root] - 1].use, &use);
	}
	free(last);
	return WM_OK;
}

static int by_peak(const void *a, const void *b)
{
	const struct wm_thread_row *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->use->peak_bytes, x->use->peak_bytes),
		       WM_ORDER(x->use->number, y->use->number));
}

static enum wm_status make_rows(struct wm_thread_rows *r,
				const struct wm_analysis *a, struct wm_err *err)
{
	const struct wm_threads *t = &a->by_thread;

	r->row = calloc(t->count + 1, sizeof(*r->row));
	r->start = calloc(t->count + 1, sizeof(*r->start));
	if (!r->row || !r->start)
		return wm_no_memory(err, "threads");
	r->count = t->count;
	for (size_t i = 0; i < t->count; i++)
		r->row[i].use = &t->thread[i];
	for (size_t i = 0; i < t->holds; i++) {
		const struct wm_thread_hold *h = &t->hold[i];
		struct wm_thread_row *row = &r->row[h->thread];

		if (h->thread == WM_THREAD_OTHERS)
			continue;
		row->held_bytes += h->peak_bytes;
		row->held_blocks += h->peak_blocks;
		row->end_bytes += h->end_bytes;
		row->end_blocks += h->end_blocks;
	}
	return WM_OK;
}

enum wm_status wm_thread_rows_make(struct wm_thread_rows *r,
				   const struct wm_analysis *a,
				   struct wm_err *err)
{
	enum wm_status s;

	memset(r, 0, sizeof(*r));
	s = make_rows(r, a, err);
	if (!s)
		s = make_starts(r, a, err);
	if (!s)
		s = make_roots(r, err);
	if (!s)
		s = make_uses(r, a, err);
	if (s) {
		wm_thread_rows_release(r);
		return s;
	}
	WM_SORT(r->row, r->count, by_peak);
	return WM_OK;
}

void wm_thread_rows_release(struct wm_thread_rows *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->row[i].name);
	for (size_t i = 0; i < r->starts; i++) {
		free(r->start[i].name);
		free(r->start[i].creator);
	}
	free(r->row);
	free(r->start);
	free(r->root);
	free(r->use);
	memset(r, 0, sizeof(*r));
}
