/* SPDX-License-Identifier: Apache-2.0 */
/* Releases that later blocks call refused: which events they are, and that
 * nothing else changes, whatever a block says. */
#include "analyze/lib/trace/refused.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/trace/decode.h"
#include "analyze/lib/trace/reader.h"
#include "tests/unit/tap.h"

static struct wm_trace trace;

static enum wm_status note(uint64_t thread, uint64_t event)
{
	static const uint8_t there;
	struct wm_head *h = calloc(1, sizeof(*h));
	struct wm_err err;
	enum wm_status r;

	h->field[WMT_F_THREAD].v[0] = thread;
	h->field[WMT_F_REFUSED].v[0] = event;
	h->field[WMT_F_REFUSED].data = &there;
	r = wm_refused_note(&trace, h, &err);
	free(h);
	return r;
}

static size_t among(uint32_t thread, uint64_t event, uint64_t events)
{
	const struct wm_refused *first = NULL;
	size_t n = wm_refused_among(&trace, thread, event, events, &first);

	return n && first->event < event ? SIZE_MAX : n;
}

/* A slice of all kinds of releases, and others. */
static void make_slice(struct wm_slice *s)
{
	static const uint8_t kinds[] = {
		WMT_EV_UNMAP,	 WMT_EV_MPI_FREE,
		WMT_EV_SHM_GONE, WMT_EV_THREAD_STACK_GONE,
		WMT_EV_FREE,	 WMT_EV_REMAP_OUT,
		WMT_EV_PHASE,
	};

	memset(s, 0, sizeof(*s));
	s->events = sizeof(kinds);
	memcpy(s->kind, kinds, sizeof(kinds));
	for (uint64_t i = 0; i < 4; i++)
		s->extra[s->extras++] = i + 1;
	for (uint64_t i = 0; i < 6; i++)
		s->old_addr[s->olds++] = 4096 * i;
}

static bool extras_are(const struct wm_slice *s, unsigned n,
		       const uint64_t *extra)
{
	return s->extras == n && !memcmp(s->extra, extra, n * sizeof(*extra));
}

int main(void)
{
	static struct wm_slice s;

	tap_plan(9);
	ok(among(0, 0, 100) == 0, "none");
	ok(!note(3, 7) && !note(0, 9) && !note(3, 5) && !note(3, UINT64_MAX),
	   "four of two threads");
	ok(note(UINT32_MAX, 0) == WM_BAD_INPUT, "a thread that cannot be");
	wm_refused_sort(&trace);
	ok(among(3, 5, 3) == 2 && among(3, 6, 2) == 1 && among(3, 0, 5) == 0 &&
		   among(0, 0, 10) == 1 && among(1, 0, 100) == 0,
	   "those of a block");
	ok(among(3, UINT64_MAX, 65535) == 0, "numbers that cannot be");

	make_slice(&s);
	ok(wm_refused_apply(&s, 2) == WMT_EV_SHM_GONE &&
		   s.kind[2] == WMT_EV_UNMAP &&
		   extras_are(&s, 4, (uint64_t[]){ 1, 0, 3, 4 }),
	   "one with a length");
	ok(wm_refused_apply(&s, 3) == WMT_EV_THREAD_STACK_GONE &&
		   wm_refused_apply(&s, 1) == WMT_EV_MPI_FREE &&
		   extras_are(&s, 6, (uint64_t[]){ 1, 0, 0, 0, 3, 4 }),
	   "two without");
	ok(wm_refused_apply(&s, 5) == WMT_EV_REMAP_OUT &&
		   wm_refused_apply(&s, 5) == WMT_EV_UNMAP &&
		   extras_are(&s, 6, (uint64_t[]){ 1, 0, 0, 0, 0, 4 }),
	   "twice the same");
	ok(wm_refused_apply(&s, 4) == WMT_EV_FREE && s.kind[4] == WMT_EV_FREE &&
		   wm_refused_apply(&s, 6) == WMT_EV_PHASE && s.olds == 6 &&
		   extras_are(&s, 6, (uint64_t[]){ 1, 0, 0, 0, 0, 4 }),
	   "what cannot be refused stays");
	free(trace.refused);
	return tap_done();
}
