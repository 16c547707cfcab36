/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/page_touches.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "wm/trace_format.h"
#include "wm/varint.h"

static enum wm_status take_spots(struct wm_page_touches *t, struct wm_column b,
				 struct wm_err *err)
{
	uint64_t step, what, bytes, pc = 0;

	t->spots = 0;
	while (b.p < b.end) {
		if (!wm_take(&b, &step) || !wm_take(&b, &what) ||
		    !wm_take(&b, &bytes) || what > 255 || !bytes ||
		    bytes >> t->shift > 1)
			return wm_malformed("SPOTS", err);
		pc += (uint64_t)wm_unzigzag(step);
		if (!WM_APPEND(t->spot, t->spot_cap, t->spots,
			       (struct wm_page_spot){ pc, bytes,
						      (uint8_t)what }))
			return wm_no_memory(err, NULL);
	}
	return WM_OK;
}

enum wm_status wm_page_touches_load(struct wm_page_touches *t, unsigned shift,
				    struct wm_column who,
				    struct wm_column spots,
				    struct wm_column samples,
				    struct wm_err *err)
{
	t->shift = shift;
	t->who = who;
	t->samples = samples;
	t->sets = 0;
	t->pages = 0;
	return take_spots(t, spots, err);
}

void wm_page_touches_release(struct wm_page_touches *t)
{
	free(t->set);
	free(t->spot);
	memset(t, 0, sizeof(*t));
}

bool wm_page_touches_have_more(const struct wm_page_touches *t)
{
	return t->who.p != t->who.end || t->samples.p != t->samples.end;
}

/* Takes the next thread of a set, whose last thread was *@thread. */
static bool take_toucher(struct wm_column *b, bool first, uint64_t *thread,
			 struct wm_page_toucher *to)
{
	uint64_t step, cpu, did;

	if (!wm_take(b, &step) || !wm_take(b, &cpu) || !wm_take(b, &did) ||
	    (!first && !step) || step > UINT32_MAX - *thread ||
	    cpu > UINT32_MAX || !did || did > (WMT_WHO_READ | WMT_WHO_WRITTEN))
		return false;
	*thread += step;
	*to = (struct wm_page_toucher){ (uint32_t)*thread, (uint32_t)cpu,
					(unsigned)did };
	return true;
}

static enum wm_status take_set(struct wm_page_touches *t, struct wm_err *err)
{
	struct wm_page_set_of_threads *s = WM_MORE(t->set, t->set_cap, t->sets);
	struct wm_page_toucher unused;
	uint64_t more, thread = 0;

	if (!s)
		return wm_no_memory(err, NULL);
	if (!wm_take(&t->who, &more) || more > UINT32_MAX)
		return wm_malformed("WHO", err);
	s->p = t->who.p;
	s->count = more + 1;
	for (uint64_t i = 0; i < s->count; i++)
		if (!take_toucher(&t->who, !i, &thread, &unused))
			return wm_malformed("WHO", err);
	t->sets++;
	return WM_OK;
}

/* Checks and skips the sets of @pages pages. */
static enum wm_status pass_who(struct wm_page_touches *t, uint64_t pages)
{
	uint64_t number, more;
	enum wm_status r = WM_OK;

	while (pages && !r) {
		if (!wm_take(&t->who, &number))
			return WM_BAD_INPUT;
		if (!number)
			r = take_set(t, NULL);
		if (r || number > t->sets || !wm_take(&t->who, &more) ||
		    more >= pages)
			return r ? r : WM_BAD_INPUT;
		pages -= more + 1;
	}
	return r;
}

static bool pass_runs(struct wm_page_touches *t, uint64_t pages)
{
	uint64_t spot, place, more;

	while (pages) {
		if (!wm_take(&t->samples, &spot) ||
		    !wm_take(&t->samples, &place) ||
		    !wm_take(&t->samples, &more) || !spot || spot > t->spots ||
		    place >> t->shift || more >= pages ||
		    place + t->spot[spot - 1].bytes > UINT64_C(1) << t->shift)
			return false;
		pages -= more + 1;
	}
	return true;
}

static bool pass_times(struct wm_page_touches *t, uint64_t pages)
{
	uint64_t unused;

	while (pages--)
		if (!wm_take(&t->samples, &unused))
			return false;
	return true;
}

/* Checks, for each page of several threads, which of them was first. */
static bool pass_whose(struct wm_page_touches *t, uint64_t pages)
{
	struct wm_column who = { t->who_at, t->who.p };
	size_t sets = t->sets_before;
	uint64_t number = 0, more = 0, whose, v;

	while (pages) {
		wm_take(&who, &number);
		if (!number) {
			number = ++sets;
			wm_take(&who, &v);
			for (uint64_t i = 3 * t->set[number - 1].count; i--;)
				wm_take(&who, &v);
		}
		wm_take(&who, &more);
		pages -= more + 1;
		for (more++; more && t->set[number - 1].count > 1; more--)
			if (!wm_take(&t->samples, &whose) ||
			    whose >= t->set[number - 1].count)
				return false;
	}
	return true;
}

enum wm_status wm_page_touches_epoch(struct wm_page_touches *t, uint64_t pages,
				     struct wm_err *err)
{
	enum wm_status r;

	t->pages = 0;
	if (t->who.p == t->who.end && t->samples.p == t->samples.end)
		return WM_OK;
	t->sets_before = t->sets;
	t->who_at = t->who.p;
	r = pass_who(t, pages);
	if (r)
		return r == WM_BAD_INPUT ? wm_malformed("WHO", err) :
					   wm_no_memory(err, NULL);
	t->runs_at = t->samples.p;
	if (!pass_runs(t, pages))
		return wm_malformed("SAMPLES", err);
	t->times_at = t->samples.p;
	if (!pass_times(t, pages))
		return wm_malformed("SAMPLES", err);
	t->whose_at = t->samples.p;
	if (!pass_whose(t, pages))
		return wm_malformed("SAMPLES", err);
	t->end = t->samples.p;
	t->pages = pages;
	return WM_OK;
}

/* The walk needs no checks: wm_page_touches_epoch() has made them. */

void wm_page_walk_begin(struct wm_page_walk *w, const struct wm_page_touches *t,
			const struct wm_page_set *accessed)
{
	struct wm_page_toucher *room = w->toucher_room;
	size_t cap = w->cap;

	memset(w, 0, sizeof(*w));
	w->toucher_room = room;
	w->cap = cap;
	w->t = t;
	w->accessed = accessed;
	w->left = t->pages;
	w->sets = t->sets_before;
	w->who = (struct wm_column){ t->who_at, t->who.p };
	w->runs = (struct wm_column){ t->runs_at, t->times_at };
	w->times = (struct wm_column){ t->times_at, t->whose_at };
	w->whose = (struct wm_column){ t->whose_at, t->end };
	if (accessed->count)
		w->page = accessed->range[0].first - 1;
}

void wm_page_walk_end(struct wm_page_walk *w)
{
	free(w->toucher_room);
	memset(w, 0, sizeof(*w));
}

static enum wm_status next_set(struct wm_page_walk *w, struct wm_err *err)
{
	uint64_t number = 0, thread = 0, v = 0;
	const struct wm_page_set_of_threads *s;
	struct wm_column b;
	struct wm_page_toucher *to;

	wm_take(&w->who, &number);
	s = &w->t->set[number ? number - 1 : w->sets];
	b = (struct wm_column){ s->p, w->t->who.end };
	to = wm_grow(w->toucher_room, &w->cap, (size_t)s->count, sizeof(*to));
	if (!to)
		return wm_no_memory(err, NULL);
	w->toucher = w->toucher_room = to;
	w->touchers = (size_t)s->count;
	for (uint64_t i = 0; i < s->count; i++)
		take_toucher(&b, !i, &thread, &to[i]);
	if (!number) {
		w->sets++;
		w->who.p = b.p;
	}
	wm_take(&w->who, &v);
	w->who_left = v + 1;
	return WM_OK;
}

static void next_page(struct wm_page_walk *w)
{
	const struct wm_page_range *r = &w->accessed->range[w->range];

	if (++w->page < r->end)
		return;
	w->page = r[1].first;
	w->range++;
}

enum wm_status wm_page_walk_next(struct wm_page_walk *w, struct wm_err *err)
{
	const struct wm_page_touches *t = w->t;
	uint64_t v = 0, whose = 0;
	enum wm_status r = WM_OK;

	if (!w->left)
		return WM_END;
	w->left--;
	next_page(w);
	w->same = w->who_left;
	if (!w->who_left)
		r = next_set(w, err);
	if (r)
		return r;
	w->who_left--;
	if (!w->run_left) {
		wm_take(&w->runs, &w->spot);
		wm_take(&w->runs, &w->place);
		wm_take(&w->runs, &w->run_left);
		w->run_left++;
	}
	w->run_left--;
	wm_take(&w->times, &v);
	w->ticks += (uint64_t)wm_unzigzag(v);
	if (w->touchers > 1)
		wm_take(&w->whose, &whose);
	w->first = &w->toucher[whose];
	w->addr = (w->page << t->shift) + w->place;
	w->bytes = t->spot[w->spot - 1].bytes;
	w->pc = t->spot[w->spot - 1].pc;
	w->what = t->spot[w->spot - 1].what;
	return WM_OK;
}
