/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/reader.h"

static void move(char **to, char **from)
{
	*to = *from;
	*from = NULL;
}

/* What the trace says about itself moves to @r. */
static void take_facts(struct wm_rank *r, struct wm_trace *t, uint64_t rank)
{
	r->rank = rank != WM_RANK_UNKNOWN ? rank : t->rank;
	r->ranks = t->ranks;
	move(&r->program, &t->program);
	move(&r->run_id, &t->run_id);
	move(&r->host, &t->host);
	move(&r->end_reason, &t->end_reason);
	move(&r->drop_reason, &t->drop_reason);
	r->exe = t->exe;
	memset(&t->exe, 0, sizeof(t->exe));
	r->seconds = wm_trace_seconds(t, t->end_ticks);
	r->ended = t->ended;
	r->gaps = t->gaps;
	r->damage = t->damage;
	r->window_used = t->window_used;
	r->window_events = t->window_events;
	r->window_pathless = t->window_pathless;
	r->window_damage = t->window_damage;
	r->outside = t->outside;
	r->buffer_events = t->buffer_events;
	r->trace_bytes = t->src.size;
	r->dropped = t->dropped;
	r->tool_memory = t->tool_memory;
	r->usage = t->usage;
	memset(&t->usage, 0, sizeof(t->usage));
	r->peak_rss = r->usage.rss_peak;
	for (size_t i = 0; i < r->usage.rss_count; i++)
		r->usage.rss[i].ns = (uint64_t)(
			wm_trace_seconds(t, r->usage.rss[i].ns) * 1e9);
	r->footprint = t->footprint;
	r->footprint_peak = t->footprint_peak;
	r->paused_allocations = t->paused_allocations;
	r->threads = t->thread_count;
	if (t->ended && t->events_total > r->tally.records)
		r->missing_events = t->events_total - r->tally.records;
	if (t->parent) {
		r->inherited_free = r->tally.unknown_free;
		r->tally.unknown_free = 0;
	}
	r->paths = t->paths;
	memset(&t->paths, 0, sizeof(t->paths));
}

/* Once through the trace, up to block @limit. */
static enum wm_status read_once(struct wm_rank *r, const char *path,
				const char *name, uint64_t rank,
				unsigned needs, uint64_t *progress,
				uint64_t *limit, struct wm_err *err)
{
	struct wm_passes passes = { 0 };
	struct wm_trace t;
	enum wm_status s;
	uint64_t bad = WM_ALL_BLOCKS;

	s = wm_trace_open(&t, path, name, *limit,
			  r->damage.text[0] ? &r->damage : NULL, err);
	if (s)
		return s;
	s = wm_passes_init(&passes, needs, &t, err);
	/* who needs no pass asks about the process, not about its events */
	if (!s && needs)
		s = wm_merge_replay(&t, &passes, &r->tally, &bad, progress,
				    err);
	else if (!s)
		r->tally.records = t.events_total;
	if (!s)
		s = wm_passes_finish(&passes, &t, r, err);
	if (!s)
		take_facts(r, &t, rank);
	else if (bad != WM_ALL_BLOCKS && bad > 0)
		*limit = bad;
	wm_passes_release(&passes);
	wm_trace_release(&t);
	return s;
}

enum wm_status wm_rank_read(struct wm_rank *r, const char *path,
			    const char *name, uint64_t rank, unsigned needs,
			    uint64_t *progress, struct wm_err *err)
{
	uint64_t limit = WM_ALL_BLOCKS, last;
	enum wm_status s;

	memset(r, 0, sizeof(*r));
	r->file = strdup(name);
	if (!r->file)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	do {
		last = limit;
		s = read_once(r, path, name, rank, needs, progress, &limit,
			      err);
		/* a damaged block ends the readable part: without it, then */
		if (s && limit < last)
			r->damage = *err;
	} while (s && limit < last);
	if (s)
		wm_rank_release(r);
	return s;
}

void wm_rank_shrink(struct wm_rank *r)
{
	wm_paths_release(&r->paths);
	wm_notes_release(&r->told);
	free(r->use);
	r->use = NULL;
}

void wm_rank_release(struct wm_rank *r)
{
	wm_rank_shrink(r);
	free(r->file);
	free(r->program);
	free(r->run_id);
	free(r->host);
	free(r->end_reason);
	free(r->drop_reason);
	free(r->peak_phase);
	free(r->exe.path);
	free(r->exe.build_id);
	free(r->timeline.bin);
	wm_usage_release(&r->usage);
	memset(r, 0, sizeof(*r));
}
