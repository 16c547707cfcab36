/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/replay.h"

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"

void wm_replay_slice_done(struct wm_feed *f)
{
	if (!f->slice->events)
		return;
	f->last_time = f->slice->time[f->slice->events - 1];
	if (f->stray_event + 1 != f->slice->events)
		f->stray.addr = 0;
}

int wm_replay_end(struct wm_replay *r, struct wm_feed *f)
{
	wm_raise(&r->tally.last_time, f->last_time);
	if (f->stray.addr && f->stray.time >= r->tally.stray.time)
		r->tally.stray = f->stray;

	if (r->recent)
		wm_bound_end(&r->bound, &f->bound);
	if (!r->passes->alloc_times || f->pending.state != WM_PENDING_KNOWN)
		return 0;
	return WM_APPEND(r->halfway, r->halfway_cap, r->halfway_count,
			 f->pending) ?
		       0 :
		       -1;
}

static void left_blocks(const struct wm_replay *r, const struct wm_live *l,
			enum wm_family family)
{
	for (size_t i = 0; i <= l->mask; i++)
		if (l->slot[i].addr)
			wm_passes_left(r->passes, family,
				       l->slot[i].path & ~WM_NAMED,
				       wm_live_size(l, &l->slot[i]),
				       l->alloc_time[i]);
}

static void left_range(const struct wm_replay *r, const struct wm_range *x)
{
	wm_passes_left(r->passes, x->family, x->path, x->end - x->start,
		       x->alloc_time);
}

void wm_replay_left(const struct wm_replay *r)
{
	const struct wm_range *x;

	if (!r->passes->alloc_times)
		return;
	left_blocks(r, &r->live, WM_FAMILY_heap);
	left_blocks(r, &r->mpi, WM_FAMILY_mpi);
	for (size_t i = 0; i < r->halfway_count; i++)
		wm_passes_left(r->passes, WM_FAMILY_heap,
			       r->halfway[i].path & ~WM_NAMED,
			       r->halfway[i].size, r->halfway[i].alloc_time);
	for (x = wm_ranges_find(&r->ranges, 0); x;
	     x = wm_ranges_find(&r->ranges, x->end))
		left_range(r, x);
	for (size_t i = 0; i < r->flights; i++)
		if (r->flight[i].range.end)
			left_range(r, &r->flight[i].range);
}
