/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/failed.h"

#include <string.h>

#include "analyze/lib/base/vec.h"

/* A program may fail again and again with larger requests.  After this number
 * of call paths, which takes seconds, .held is no longer filled. */
#define MAX_LOOKS (1ull << 30)

enum wm_status wm_failures_add(struct wm_failures *f, const struct wm_mark *m,
			       struct wm_failed_alive live, size_t paths,
			       struct wm_failed **largest, struct wm_err *err)
{
	struct wm_failed *s = NULL;

	for (size_t i = 0; i < f->count; i++)
		if (f->site[i].path == m->path)
			s = &f->site[i];
	*largest = NULL;
	if (!s && f->count == WM_FAILED_SITES) {
		f->left_out++;
		return WM_OK;
	}
	if (!s) {
		s = WM_MORE(f->site, f->cap, f->count);
		if (!s)
			return wm_no_memory(err, "failed requests");
		*s = (struct wm_failed){ .path = m->path };
		f->count++;
	}
	if (s->count++ && m->bytes <= s->bytes)
		return WM_OK;
	s->bytes = m->bytes;
	s->ticks = m->time;
	s->live_bytes = live.all;
	s->old_bytes = m->span.bytes;
	s->shared_bytes = live.shared;
	s->mapped_bytes = live.mapped;
	s->held_count = 0;
	f->looks += paths;
	if (f->looks <= MAX_LOOKS)
		*largest = s;
	return WM_OK;
}

void wm_failed_hold(struct wm_failed *s, uint32_t path, uint64_t bytes,
		    uint64_t blocks)
{
	size_t i = s->held_count;

	if (!bytes || (i == WM_FAILED_HELD && bytes <= s->held[i - 1].bytes))
		return;
	if (i < WM_FAILED_HELD)
		s->held_count++;
	else
		i--;
	for (; i && s->held[i - 1].bytes < bytes; i--)
		s->held[i] = s->held[i - 1];
	s->held[i] = (struct wm_holding){ path, bytes, blocks };
}

/* Copies all call paths of @f from @from to @to. */
static enum wm_status move_paths(struct wm_failures *f, struct wm_paths *to,
				 const struct wm_paths *from,
				 struct wm_err *err)
{
	enum wm_status s = WM_OK;

	for (size_t i = 0; i < f->count && !s; i++) {
		struct wm_failed *x = &f->site[i];

		s = wm_paths_copy(to, from, x->path, &x->path, err);
		for (size_t k = 0; k < x->held_count && !s; k++)
			s = wm_paths_copy(to, from, x->held[k].what,
					  &x->held[k].what, err);
	}
	return s;
}

enum wm_status wm_failures_finish(struct wm_failures *f,
				  const struct wm_trace *t,
				  struct wm_failures *to, struct wm_err *err)
{
	*to = *f;
	memset(f, 0, sizeof(*f));
	if (!to->count)
		return WM_OK;
	for (size_t i = 0; i < to->count; i++)
		to->site[i].seconds = wm_trace_seconds(t, to->site[i].ticks);
	if (wm_paths_init(&to->paths, err))
		return WM_NO_MEMORY;
	return move_paths(to, &to->paths, &t->paths, err);
}

enum wm_status wm_failures_move(struct wm_failures *f, struct wm_paths *paths,
				struct wm_err *err)
{
	enum wm_status s = move_paths(f, paths, &f->paths, err);

	wm_paths_release(&f->paths);
	return s;
}

void wm_failures_wire(struct wm_wire *w, struct wm_failures *f)
{
	wm_wire_array(w, &f->site, &f->count, &f->cap, sizeof(*f->site));
	wm_paths_wire(w, &f->paths);
}

void wm_failures_release(struct wm_failures *f)
{
	WM_WIRE_FREE(f, wm_failures_wire);
}
