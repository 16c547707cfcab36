/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/repack/repack_known.h"

#include <string.h>

enum wm_status wm_known_look_init(struct wm_known_look *l,
				  const struct wm_trace *t, uint64_t max_blocks,
				  struct wm_err *err)
{
	memset(l, 0, sizeof(*l));
	l->good = t->thread_count == 1;
	l->most = wm_live_bound(t->src.size, max_blocks);
	return wm_live_init(&l->live) ? wm_no_memory(err, NULL) : WM_OK;
}

void wm_known_look_release(struct wm_known_look *l)
{
	wm_live_release(&l->live);
}

/* Numbers instead of addresses. */
enum numbers { NUMBERS_DO, NUMBERS_DO_NOT, NUMBERS_NO_MEMORY };

static enum numbers look_at_event(struct wm_known_look *l,
				  const struct wm_event *e)
{
	struct wm_live_slot *at;

	if (e->kind == WMT_EV_NAME ||
	    (l->in_realloc && e->kind != WMT_EV_REALLOC_IN &&
	     e->kind != WMT_EV_REALLOC_GONE))
		return NUMBERS_DO_NOT;
	l->in_realloc = e->kind == WMT_EV_REALLOC_OUT;
	if (!WMT_OPS_NEW(e->kind) && !WMT_OPS_OLD(e->kind))
		return NUMBERS_DO;
	at = wm_live_find(&l->live, e->addr);
	if (WMT_OPS_OLD(e->kind)) {
		if (at->addr)
			wm_live_erase(&l->live, at);
		return NUMBERS_DO;
	}
	if (at->addr)
		return NUMBERS_DO_NOT;
	return wm_live_put(&l->live, at, e->addr, 0, 0) ? NUMBERS_NO_MEMORY :
							  NUMBERS_DO;
}

enum wm_status wm_known_look_at(struct wm_known_look *l,
				const struct wm_slice *s, struct wm_err *err)
{
	struct wm_slice_at at = { 0 };
	struct wm_event e;
	enum numbers n = NUMBERS_DO;

	/* a table of more would take much memory, and numbers save little */
	if (!l->good || l->live.count > l->most) {
		l->good = false;
		return WM_OK;
	}
	if (wm_live_reserve(&l->live, s->events))
		n = NUMBERS_NO_MEMORY;
	while (n == NUMBERS_DO && wm_slice_event(s, &at, &e))
		n = look_at_event(l, &e);
	l->good = n == NUMBERS_DO;
	return n == NUMBERS_NO_MEMORY ? wm_no_memory(err, NULL) : WM_OK;
}
