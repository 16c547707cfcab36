/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/replay/bound.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/vec.h"

int wm_bound_init(struct wm_bound *b)
{
	memset(b, 0, sizeof(*b));
	b->length = 1;
	b->piece = wm_grow(NULL, &b->cap, 2, sizeof(*b->piece));
	if (!b->piece)
		return -1;
	memset(b->piece, 0, 2 * sizeof(*b->piece));
	return 0;
}

void wm_bound_release(struct wm_bound *b)
{
	free(b->piece);
	b->piece = NULL;
}

void wm_bound_look(struct wm_bound *b, const struct wm_changes *c)
{
	size_t i;

	for (i = b->seen; i < c->count; i++) {
		if (!wm_family_in_peak[c->family[i]])
			continue;
		if (c->who[i] & WM_RELEASE) {
			b->live -= c->bytes[i];
			continue;
		}
		b->live += c->bytes[i];
		if (b->live > b->top)
			b->top = b->live;
	}
	b->seen = c->count;
}

/* The next event begins: in the last piece, or in a new one.  Piece 0 is the
 * time before the first event; and there is always one behind the last, for
 * what ends with that. */
static int advance(struct wm_bound *b)
{
	struct wm_bound_piece *p;

	if (b->room--)
		return 0;
	p = wm_grow(b->piece, &b->cap, b->last + 3, sizeof(*p));
	if (!p)
		return -1;
	b->piece = p;
	if (++b->last % WM_BOUND_PIECES == 0)
		b->length *= 2;
	b->room = b->length - 1;
	memset(&p[b->last + 1], 0, sizeof(*p));
	return 0;
}

/* In [@from, @to] a thread had @bytes in a call. */
static void add(struct wm_bound *b, size_t from, size_t to, uint64_t bytes)
{
	b->piece[from].more += bytes;
	b->piece[to + 1].more -= bytes;
}

/* From its last event to now @t had at most @bytes in a call. */
static void spread(struct wm_bound *b, struct wm_bound_thread *t,
		   uint64_t bytes)
{
	if (bytes > t->most)
		t->most = bytes;
	if (t->piece == b->last)
		return;
	add(b, t->piece, t->piece, t->most);
	if (t->piece + 1 < b->last)
		add(b, t->piece + 1, b->last - 1, bytes);
	t->piece = b->last;
	t->most = bytes;
}

int wm_bound_event(struct wm_bound *b, struct wm_bound_thread *t,
		   const struct wm_changes *c)
{
	struct wm_bound_piece *p;
	uint64_t came, high;

	wm_bound_look(b, c);
	came = b->top - b->before;
	high = came ? b->top : b->live;
	spread(b, t, t->gone > came ? t->gone : came);
	t->gone = b->top - b->live;
	b->before = b->top = b->live;
	if (advance(b))
		return -1;
	if (t->piece != b->last) {
		add(b, t->piece, t->piece, t->most);
		t->piece = b->last;
		t->most = 0;
	}
	p = &b->piece[b->last];
	if (p->high < high)
		p->high = high;
	return 0;
}

void wm_bound_end(struct wm_bound *b, const struct wm_bound_thread *t)
{
	uint64_t most = t->most > t->gone ? t->most : t->gone;

	/* its last call may last until the end of the trace */
	b->piece[t->piece].more += most;
	b->piece[t->piece + 1].more += t->gone - most;
}

uint64_t wm_bound_result(const struct wm_bound *b)
{
	uint64_t most = 0, more = 0;
	size_t i;

	for (i = 0; b->piece && i <= b->last; i++) {
		more += b->piece[i].more;
		if (b->piece[i].high + more > most)
			most = b->piece[i].high + more;
	}
	return most;
}
