/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/bound.h"

#include <string.h>

#include "analyze/lib/base/whole.h"

void wm_bound_init(struct wm_bound *b)
{
	memset(b, 0, sizeof(*b));
	b->last = &b->start;
}

void wm_bound_look(struct wm_bound *b, const struct wm_changes *c)
{
	for (size_t i = b->seen; i < c->count; i++) {
		if (!wm_family_in_peak[c->family[i]])
			continue;
		if (c->who[i] & WM_RELEASE) {
			b->live -= c->bytes[i];
			continue;
		}
		b->live += c->bytes[i];
		wm_raise(&b->top, b->live);
	}
	b->seen = c->count;
}

/* Merges the moments of @t, which is in the list, into those of t->before. */
static void join_before(struct wm_bound *b, struct wm_bound_thread *t)
{
	uint64_t high = t->high + t->more;

	/* numbers wrap around, but their differences are small */
	if ((int64_t)(high - t->before->high) > 0)
		t->before->high = high;
	t->before->next = t->next;
	if (t->next) {
		t->next->before = t->before;
		t->next->more += t->more;
	} else {
		b->last = t->before;
		b->more -= t->more;
	}
	t->before = t->next = NULL;
}

void wm_bound_event(struct wm_bound *b, struct wm_bound_thread *t,
		    const struct wm_changes *c)
{
	uint64_t more;

	wm_bound_look(b, c);
	more = wm_above(b->top - b->base, t->gone);
	(t->before ? t : &b->start)->more += more;
	b->more += more;
	if (t->before)
		join_before(b, t);
	b->gone -= t->gone;
	t->gone = b->top - b->live;
	b->gone += t->gone;
	b->base = b->top = b->live;
	t->high = b->live + b->gone - b->more;
	t->more = 0;
	t->before = b->last;
	b->last = b->last->next = t;
}

void wm_bound_end(struct wm_bound *b, struct wm_bound_thread *t)
{
	if (t->before)
		join_before(b, t);
}

uint64_t wm_bound_result(const struct wm_bound *b)
{
	const struct wm_bound_thread *t;
	uint64_t most = 0, more = 0;

	for (t = b->last ? &b->start : NULL; t; t = t->next) {
		more += t->more;
		if ((int64_t)(t->high + more - most) > 0)
			most = t->high + more;
	}
	return most;
}
