/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/reading.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/whole.h"
#include "analyze/lib/trace/read_accesses.h"
#include "analyze/passes/wish.h"

static void move_text(char **to, char **from)
{
	*to = *from;
	*from = NULL;
}

/* If the last event of a thread is this long before the last event of the
 * process, the thread may have done other things that are not in the trace. */
#define STRAY_SECONDS 0.01

/* Returns whether the program frees blocks that are not in the trace and may
 * lie where other blocks were: blocks of a library with its own malloc, of
 * unrecorded mappings, or of a pause.  More than two survived releases of
 * unknown blocks show this, too.  A child also frees blocks of its parent. */
static bool frees_unrecorded(const struct wm_rank *r, const struct wm_trace *t)
{
	return r->unseen_libraries || r->overwritten || r->tally.unrecorded ||
	       (!t->parent && r->tally.unknown_free > 2);
}

/* Drops the stray release of @r unless it was certainly the last call of a
 * killed process: the process has a crash buffer and nothing is missing but
 * allocations that a handler of SIGABRT made within the call that aborts. */
static void judge_stray(struct wm_rank *r, const struct wm_trace *t)
{
	struct wm_stray *s = &r->tally.stray;
	bool lost = t->dropped &&
		    (!r->drop_reason ||
		     strncmp(r->drop_reason, "a signal handler allocated",
			     26) != 0);

	r->aborts_inside = t->aborts_inside;
	if (t->ended || !t->crash_buffer_used || t->outside || lost ||
	    t->damage.text[0] || !s->addr ||
	    (!t->aborts_inside && frees_unrecorded(r, t)))
		s->addr = 0;
	else
		r->stray_seconds = wm_trace_seconds(t, s->time);
	if (s->addr && wm_trace_seconds(t, r->tally.last_time) >
			       r->stray_seconds + STRAY_SECONDS)
		s->addr = 0;
}

static enum wm_status take_start(struct wm_rank *r, struct wm_trace *t,
				 uint64_t rank, struct wm_err *err)
{
	enum wm_status s = wm_rank_keep_err(&r->damage, &t->damage, err);

	if (!s)
		s = wm_rank_keep_err(&r->crash_buffer_damage,
				     &t->crash_buffer_damage, err);
	r->rank = rank != WM_RANK_UNKNOWN ? rank : t->rank;
	r->ranks = t->ranks;
	r->conflict = t->conflict;
	move_text(&r->program, &t->program);
	move_text(&r->run_id, &t->run_id);
	move_text(&r->host, &t->host);
	move_text(&r->access_only, &t->access_only);
	move_text(&r->traced_ranks, &t->traced_ranks);
	move_text(&r->boot_id, &t->boot_id);
	r->start = t->start;
	move_text(&r->end_reason, &t->end_reason);
	move_text(&r->drop_reason, &t->drop_reason);
	move_text(&r->unseen_libraries, &t->unseen_libraries);
	move_text(&r->overwritten, &t->overwritten);
	r->origin = t->origin;
	memset(&t->origin, 0, sizeof(t->origin));
	r->exe = t->exe;
	memset(&t->exe, 0, sizeof(t->exe));
	r->begin = t->begin;
	r->seconds = wm_trace_seconds(t, t->end_ticks) - t->begin;
	r->jump = wm_trace_jump(t);
	r->ended = t->ended;
	r->exit_status = t->exit_status;
	r->mpi = t->mpi;
	r->pid = t->pid;
	r->parent = t->parent;
	r->born = t->born;
	r->gaps = t->gaps;
	r->crash_buffer_used = t->crash_buffer_used;
	if (t->crash_buffer_used && t->crash_buffer_elsewhere)
		move_text(&r->crash_buffer_path, &t->crash_buffer_path);
	r->crash_buffer_events = t->crash_buffer_events;
	r->crash_buffer_pathless = t->crash_buffer_pathless;
	r->outside = t->outside;
	r->buffer_events = t->buffer_events;
	r->trace_bytes = t->src.size;
	r->dropped = t->dropped;
	r->accesses_lost = wm_accesses_lost(t);
	r->bursts = t->bursts;
	r->samples = t->samples && !t->access_block_count;
	r->paths_cut = t->paths_cut;
	r->start_ns = t->start.real_ns;
	r->tool = t->tool;
	r->usage = t->usage;
	r->watched = t->page_block_count != 0;
	memset(&t->usage, 0, sizeof(t->usage));
	r->peak_rss = r->usage.rss_peak;
	for (size_t i = 0; i < r->usage.rss_count; i++)
		r->usage.rss[i].ns = wm_whole(
			wm_trace_seconds(t, r->usage.rss[i].ns) * 1e9);
	r->usage.rss_last_ns = wm_whole(
		wm_trace_seconds(t, r->usage.rss_last_ns) * 1e9);
	r->footprint = t->footprint;
	r->footprint_peak = t->footprint_peak;
	r->paused_allocations = t->paused_allocations;
	r->threads = t->thread_count;
	r->in[WM_HOST].peak_at_most = wm_most(r->tally.at_most,
					      r->in[WM_HOST].peak_bytes);
	if (t->ended && t->events_total > r->tally.records)
		r->missing_events = t->events_total - r->tally.records;
	judge_stray(r, t);
	if (t->parent) {
		r->inherited_free = r->tally.unknown_free;
		r->tally.unknown_free = 0;
	}
	r->paths = t->paths;
	memset(&t->paths, 0, sizeof(t->paths));
	return s;
}

struct wm_reading {
	struct wm_trace t;
	struct wm_passes passes;
	struct wm_merge *merge; /* NULL: no pass was asked for */
	struct wm_rank *r;
	uint64_t bad;
};

enum wm_status wm_reading_open(struct wm_reading **out, struct wm_rank *r,
			       const char *path, const struct wm_wish *wish,
			       uint64_t *progress, uint64_t limit,
			       struct wm_err *err)
{
	struct wm_reading *rd = calloc(1, sizeof(*rd));
	enum wm_status s;

	*out = NULL;
	if (!rd)
		return wm_no_memory(err, NULL);
	rd->r = r;
	rd->bad = WM_ALL_BLOCKS;
	s = wm_trace_open(&rd->t, path, r->file, limit, r->damage, err);
	if (s) {
		free(rd);
		return s;
	}
	rd->t.blamed = &rd->bad;
	rd->t.begin = wish->begin;
	s = wm_passes_init(&rd->passes, wm_pass_table, wish->needs, wish,
			   &rd->t, err);
	rd->passes.max_blocks = wish->max_blocks;
	/* without passes, answers are about the process, not its events */
	if (!s && wish->needs)
		s = wm_merge_open(&rd->merge, &rd->t, &rd->passes, &r->tally,
				  progress, err);
	else if (!s)
		r->tally.records = rd->t.events_total;
	if (s)
		wm_reading_close(rd);
	else
		*out = rd;
	return s;
}

enum wm_status wm_reading_next(struct wm_reading *rd, struct wm_err *err)
{
	enum wm_status s = rd->merge ? wm_merge_next(rd->merge, err) : WM_END;

	if (s == WM_END && (s = wm_passes_drain(&rd->passes, err)) == WM_OK)
		s = WM_END;
	return s;
}

void *wm_reading_pass(struct wm_reading *rd, enum wm_pass_id id)
{
	return rd->passes.state[id];
}

const struct wm_trace *wm_reading_trace(const struct wm_reading *rd)
{
	return &rd->t;
}

bool wm_reading_retry(const struct wm_reading *rd, uint64_t *limit)
{
	/* reading again stops before the damaged block */
	if (rd->bad == WM_ALL_BLOCKS || rd->bad == 0 || rd->bad >= *limit)
		return false;
	*limit = rd->bad;
	return true;
}

enum wm_status wm_reading_finish(struct wm_reading *rd, uint64_t rank,
				 struct wm_err *err)
{
	enum wm_status s;

	wm_merge_close(rd->merge);
	rd->merge = NULL;
	s = wm_passes_finish(&rd->passes, &rd->t, rd->r, err);
	if (!s)
		s = take_start(rd->r, &rd->t, rank, err);
	return s;
}

void wm_reading_close(struct wm_reading *rd)
{
	if (!rd)
		return;
	wm_merge_close(rd->merge);
	wm_passes_release(&rd->passes);
	wm_trace_release(&rd->t);
	free(rd);
}

enum wm_status wm_rank_read(struct wm_rank *r, const char *path,
			    const char *name, uint64_t rank,
			    const struct wm_wish *wish, uint64_t *progress,
			    struct wm_err *err)
{
	uint64_t limit = WM_ALL_BLOCKS;
	struct wm_reading *rd;
	struct wm_err why;
	bool again;
	enum wm_status s = wm_rank_init(r, name, err);

	if (s)
		return s;
	do {
		again = false;
		s = wm_reading_open(&rd, r, path, wish, progress, limit, err);
		if (s)
			break;
		while (!s)
			s = wm_reading_next(rd, err);
		if (s == WM_END)
			s = wm_reading_finish(rd, rank, err);
		else
			again = wm_reading_retry(rd, &limit);
		why = *err;
		if (again)
			s = wm_rank_keep_err(&r->damage, &why, err);
		wm_reading_close(rd);
	} while (again && !s);
	if (s)
		wm_rank_release(r);
	return s;
}
