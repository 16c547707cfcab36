/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/callpath/journal.h"

#include <stdatomic.h>
#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/state.h"
#include "runtime/callpath/frame_tree.h"

void wm_journal_time(struct wmw_head *w, unsigned at)
{
	w->now[at][0] = wm_clock_ticks();
	w->now[at][1] = wm_clock_ns(CLOCK_MONOTONIC);
	w->now[at][2] = wm_clock_ns(CLOCK_REALTIME);
}

/* Reading the clocks takes two system calls, so the stored time is renewed only
 * when it is older than about a thousandth of the run. */
static void keep_time(struct wmw_head *w)
{
	const uint64_t *last = w->now[w->now_at];
	unsigned now = !w->now_at;

	if (wm_clock_ticks() - last[0] < (last[0] - w->start[0]) / 1024)
		return;
	/* The set of clocks that is not valid is written first: the valid set
	 * is complete whenever the process is killed. */
	wm_journal_time(w, now);
	WM_SWITCH(w->now_at, now);
}

static size_t path_bytes(size_t frames)
{
	return sizeof(struct wmw_path) + frames * sizeof(uint64_t);
}

/* Writes @p, without its @shared outer frames, at byte @used of journal @which.
 * Returns the place of the next path. */
static size_t put_path(struct wmw_head *w, unsigned which, size_t used,
		       const struct wm_path *p, uint32_t shared,
		       uint32_t generation)
{
	struct wmw_path *to = (void *)((char *)w + used +
				       WMW_JOURNAL_AT(w, which));

	to->number = p->number;
	to->generation = generation;
	to->depth = p->depth;
	to->shared = shared;
	wm_frame_tree_frames(p->node, p->depth - shared, to + 1);
	return used + path_bytes(p->depth - shared);
}

enum wm_journal_room wm_journal_look(size_t frames)
{
	const struct wmw_head *w = atomic_load(&wm_state->crash_buffer);
	size_t need = path_bytes(frames);

	if (!w)
		return WM_JOURNAL_ROOM;
	if (need > w->journal_size)
		return WM_JOURNAL_TOO_LONG;
	return need > w->journal_size - (uint32_t)w->journal ? WM_JOURNAL_FULL :
							       WM_JOURNAL_ROOM;
}

void wm_journal_enter(const struct wm_path *p, uint32_t generation)
{
	struct wmw_head *w = atomic_load(&wm_state->crash_buffer);
	unsigned which;
	size_t used;

	if (!w)
		return;
	keep_time(w);
	which = (unsigned)(w->journal >> 32);
	used = put_path(w, which, (uint32_t)w->journal, p, p->shared,
			generation);
	/* Stored last: before this the path is beyond the journal's end. */
	WM_SWITCH(w->journal, (uint64_t)which << 32 | used);
}

/* Writes the paths from @first on to the other journal, which becomes the valid
 * one.  Returns false if not all paths fit. */
static bool switch_journal(struct wmw_head *w, const struct wm_path *first,
			   uint32_t generation)
{
	unsigned which = !(w->journal >> 32);
	size_t used = 0;
	bool all = true, before = true; /* before: the previous one fits */

	for (const struct wm_path *p = first; p; p = p->next) {
		uint32_t shared = before ? p->shared : 0;

		before = path_bytes(p->depth - shared) <=
			 w->journal_size - used;
		if (before)
			used = put_path(w, which, used, p, shared, generation);
		else
			all = false;
	}
	WM_SWITCH(w->journal, (uint64_t)which << 32 | used);
	return all;
}

void wm_journal_sent(const struct wm_path *first, uint32_t generation)
{
	struct wmw_head *w = atomic_load(&wm_state->crash_buffer);

	/* A path that does not fit is longer than a journal, and is in the
	 * trace before any event refers to it. */
	if (w && (uint32_t)w->journal)
		switch_journal(w, first, generation);
}

bool wm_journal_begin(struct wmw_head *w, const struct wm_path *first,
		      uint32_t generation)
{
	if (!switch_journal(w, first, generation))
		return false;
	atomic_store(&wm_state->crash_buffer, w);
	return true;
}
