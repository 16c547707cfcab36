/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/repack/repack_known.h"

#include <stdlib.h>

#include "analyze/trace/decode.h"
#include "analyze/trace/live.h"

struct look {
	struct wm_live live;
	uint64_t most; /* blocks alive at one time */
	int in_realloc; /* the event before is REALLOC_OUT */
};

/* 0: numbers will not do; -1: no memory. */
static int look_at(struct look *l, const struct wm_slice *s)
{
	struct wm_slice_at next = { 0 };
	struct wm_live_slot *at;
	struct wm_event e;

	/* a table of more would take much memory, and numbers save little */
	if (l->live.count > l->most)
		return 0;
	if (wm_live_reserve(&l->live, s->events))
		return -1;
	while (wm_slice_event(s, &next, &e)) {
		if (e.kind == WMT_EV_NAME ||
		    (l->in_realloc && e.kind != WMT_EV_REALLOC_IN &&
		     e.kind != WMT_EV_REALLOC_GONE))
			return 0;
		l->in_realloc = e.kind == WMT_EV_REALLOC_OUT;
		if (!WMT_OPS_NEW(e.kind) && !WMT_OPS_OLD(e.kind))
			continue;
		at = wm_live_find(&l->live, e.addr);
		if (at->addr && WMT_OPS_NEW(e.kind))
			return 0;
		if (WMT_OPS_NEW(e.kind) &&
		    wm_live_put(&l->live, at, e.addr, 0, 0))
			return -1;
		if (at->addr && WMT_OPS_OLD(e.kind))
			wm_live_erase(&l->live, at);
	}
	return 1;
}

static enum wm_status look_at_block(struct look *l, const struct wm_trace *t,
				    const struct wm_event_block *b,
				    struct wm_event_data *d, struct wm_slice *s,
				    int *yes, struct wm_err *err)
{
	struct wm_cursor c;
	enum wm_status r;
	int good = 1;

	r = wm_trace_load(t, b, d, err);
	if (!r)
		r = wm_cursor_init(&c, t, b, d, err);
	while (!r && good > 0) {
		r = wm_cursor_next(&c, s, err);
		if (!r)
			good = look_at(l, s);
	}
	if (good < 0)
		return wm_no_memory(err, NULL);
	*yes = good;
	return r == WM_END ? WM_OK : r;
}

enum wm_status wm_plan_may_number(const struct wm_plan *p, uint64_t max_blocks,
				  int *yes, struct wm_err *err)
{
	const struct wm_trace *t = &p->t;
	struct wm_slice *s = malloc(sizeof(*s));
	struct look l = { .most = wm_live_bound(t->src.size, max_blocks) };
	enum wm_status r = WM_OK;
	struct wm_event_data d;
	size_t i;

	wm_event_data_init(&d, t);
	*yes = t->thread_count == 1;
	if (!s || wm_live_init(&l.live))
		r = wm_no_memory(err, NULL);
	for (i = 0; !r && *yes && i < p->count; i++)
		if (p->block[i].type == WMT_BLOCK_EVENTS && p->block[i].stays)
			*yes = 0;
	for (i = 0; !r && *yes && i < t->block_count; i++)
		r = look_at_block(&l, t, &t->blocks[i], &d, s, yes, err);
	wm_live_release(&l.live);
	wm_event_data_release(&d);
	free(s);
	return r;
}
