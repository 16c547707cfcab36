/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of stray releases: if a rank was killed right after the release of
 * an address without a live block, the rank is read once more, to find the
 * block that was there. */
#include "analyze/job/retained.h"

#include "analyze/job/analysis.h"
#include "analyze/passes/reading.h"

/* The most ranks of a job that are read again. */
#define LOOKS 8

struct look {
	const struct wm_trace *t;
	const struct wm_stray *stray;
	struct wm_strayed found;
};

static enum wm_status look_begin(void *context, const struct wm_trace *t,
				 struct wm_err *err)
{
	struct look *l = context;

	(void)err;
	l->t = t;
	l->found = (struct wm_strayed){ .what = WM_STRAYED_ELSEWHERE };
	return WM_OK;
}

static enum wm_status look_take(void *context, const struct wm_changes *c,
				struct wm_err *err)
{
	struct look *l = context;
	struct wm_strayed *f = &l->found;
	size_t i;

	(void)err;
	for (i = 0; i < c->count; i++) {
		uint64_t offset = l->stray->addr - c->addr[i];
		bool freed = c->who[i] & WM_RELEASE;

		if (c->family[i] != WM_FAMILY_heap ||
		    offset >= c->bytes[i] + !c->bytes[i])
			continue;
		*f = (struct wm_strayed){
			.what = freed ? WM_STRAYED_FREED : WM_STRAYED_LIVE,
			.offset = offset,
			.bytes = c->bytes[i],
			.path = c->who[i] & ~WM_RELEASE,
			.freed = freed ? wm_trace_seconds(l->t, c->time[i]) : 0,
			.by_other = freed &&
				    wm_changes_thread(c, i) != l->stray->thread,
		};
	}
	return WM_OK;
}

static enum wm_status look_at(struct wm_analysis *a, struct wm_rank *r,
			      struct wm_err *err)
{
	const struct wm_run_file *file = &a->run.files[r->source];
	struct look l = { .stray = &r->tally.stray };
	struct wm_listener listener = { &l, look_begin, look_take, NULL };
	struct wm_wish wish = {
		.needs = WM_NEEDS(listener),
		.begin = file->begin,
		.listener = &listener,
	};
	struct wm_rank again;
	struct wm_err why;
	enum wm_status s = wm_rank_read(&again, file->path, file->name, r->rank,
					&wish, NULL, &why);

	if (s)
		return s == WM_NO_MEMORY ? wm_no_memory(err, NULL) : WM_OK;
	if (l.found.what != WM_STRAYED_ELSEWHERE)
		s = wm_paths_copy(&a->paths, &again.paths, l.found.path,
				  &l.found.path, err);
	wm_rank_release(&again);
	/* blocks from before a fork, or from a pause, are not recorded */
	if (l.found.what != WM_STRAYED_ELSEWHERE ||
	    (!r->inherited_free && !r->tally.unrecorded))
		r->strayed = l.found;
	/* another thread reallocates this block */
	if (l.found.what == WM_STRAYED_LIVE && !l.found.offset)
		r->strayed.what = WM_STRAYED_NONE;
	return s;
}

enum wm_status wm_strays_find(struct wm_analysis *a, struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i, looks = 0;

	for (i = 0; i < a->rank_count && looks < LOOKS && !s; i++) {
		if (!a->ranks[i].tally.stray.addr)
			continue;
		looks++;
		s = look_at(a, &a->ranks[i], err);
	}
	return s;
}
