/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records the order of accesses and of other threads' events.  A thread with an
 * event reads the positions of all streams and records them in its own stream:
 * this costs nothing for an access, and one load of each stream for an event.
 *
 * The load is relaxed.  If the program orders an access and an event, for
 * example by a lock, the load is ordered as well.  If the program does not,
 * either order is right.
 */
#include "runtime/base/depth.h"
#include "runtime/base/on_stack.h"
#include "runtime/trace/access_token.h"

/* Returns the number of accesses of @other that precede the present event of
 * the owner of @s.  In @s itself these are the accesses of earlier owners. */
static uint64_t count_of(const struct wm_access_stream *s,
			 const struct wm_access_stream *other)
{
	if (s == other)
		return s->first;
	return *(const volatile uint64_t *)&other->count;
}

/* Returns NULL if the table has no room for stream @number. */
static uint64_t *noted(struct wm_access_stream *s, uint32_t number)
{
	uint64_t *all = (void *)((char *)s + WM_ACCESS_SEEN_AT);

	return number < WMA_SEEN_STREAMS ? &all[number] : NULL;
}

static bool has_news(struct wm_access_stream *s,
		     const struct wm_access_stream *other)
{
	const uint64_t *before = noted(s, other->number);

	return count_of(s, other) != (before ? *before : 0);
}

static const struct wm_access_stream *
next_news(struct wm_access_stream *s, const struct wm_access_stream *other)
{
	while (other && !has_news(s, other))
		other = other->next;
	return other;
}

static struct token begin_special(struct wm_access_stream *s, unsigned what)
{
	struct token t = begin_token(s, WMA_SPECIAL);

	*t.p++ = (uint8_t)what;
	return t;
}

static void put_events(struct wm_access_stream *s, uint64_t events)
{
	struct token t;

	if (events == s->events)
		return;
	t = begin_special(s, WMA_EVENTS);
	t.p = wm_varint_put(t.p, events - s->events);
	end_token(s, t);
	s->events = events;
}

/* Writes one token, from @other on; returns the first stream left out. */
static const struct wm_access_stream *
put_seen(struct wm_access_stream *s, const struct wm_access_stream *other)
{
	struct token t = begin_special(s, WMA_SEEN);
	uint8_t *streams = t.p++;
	unsigned n = 0;

	for (; other && n < WMA_SEEN_MOST; n++) {
		uint64_t *before = noted(s, other->number);
		uint64_t count = count_of(s, other);

		t.p = wm_varint_put(t.p, other->number);
		t.p = wm_varint_put(t.p, count - (before ? *before : 0));
		if (before)
			*before = count;
		other = next_news(s, other->next);
	}
	*streams = (uint8_t)n;
	end_token(s, t);
	return other;
}

static void note_all(struct wm_access_stream *s, uint64_t events)
{
	const struct wm_access_stream *other =
		next_news(s, atomic_load(&wm_state->streams));

	if (!other)
		return;
	put_events(s, events);
	while (other) {
		other = put_seen(s, other);
		if (is_full(s) && !wm_access_flush(s))
			return;
	}
}

static void begin(void *slot)
{
	wm_access_stream_begin(slot, wm_access_self ? WM_ACCESS_STOPPED :
						      WM_ACCESS_ON);
}

static struct wm_access_stream *stream_of(struct wm_slot *slot)
{
	struct wm_access_stream *s = slot->accesses;
	uint32_t on;

	if (!s || s->thread != slot->thread) {
		if (!atomic_load(&wm_state->streams) || !slot->base ||
		    atomic_load(&wm_state->tracing) != WM_TRACING_ON)
			return NULL;
		wm_aside(begin, slot);
		s = slot->accesses;
	}
	on = s ? atomic_load_explicit(&s->on, memory_order_relaxed) :
		 WM_ACCESS_ENDED;
	return on == WM_ACCESS_ENDED || on == WM_ACCESS_REFUSED ? NULL : s;
}

void wm_access_note(struct wm_slot *slot)
{
	uintptr_t self = wm_access_self;
	bool in_hook = self && !(self & 1);
	struct wm_access_stream *s = in_hook ? slot->accesses : stream_of(slot);
	uint64_t events = wm_slot_events(slot);

	if (!s)
		return;
	/* A lost event has no number of its own. */
	if (events != s->noted_at && !in_hook) {
		/* As in a hook, handlers leave the stream alone. */
		wm_access_self = (uintptr_t)wm_frame() & ~(uintptr_t)1;
		atomic_signal_fence(memory_order_seq_cst);
		note_all(s, events);
		atomic_signal_fence(memory_order_seq_cst);
		wm_access_self = self;
	}
	s->noted_at = events;
	wm_access_event(s);
}
