/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live bytes over time, by the phase that allocated them (series.h).
 *
 * An allocation phase is a stretch of time in one phase.  A block belongs to
 * the allocation phase that contains the time of its allocation, also when it
 * is released.  Allocation phases without live blocks are forgotten, so there
 * are never more of them than live blocks.  A phase begins after all allocation
 * times before it, so the phase of a block does not change.  On a coarse clock,
 * a block allocated at the tick at which a phase begins counts for the phase
 * before.
 */
#include "analyze/lib/replay/pass.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/passes/series.h"
#include "analyze/lib/trace/reader.h"
#include "wm/search.h"

struct alloc_phase {
	uint64_t from; /* ticks */
	uint64_t blocks; /* allocated in it and alive */
	uint32_t phase; /* key */
};

struct alloc_phases {
	struct wm_series_builder builder;
	struct alloc_phase
		*alloc_phase; /* by from; the first one is from the beginning */
	size_t count, cap;
	size_t enough; /* at this .count, empty ones are forgotten */
	uint64_t last_alloc_time;
};

#define FEW_ALLOC_PHASES 1024

static enum wm_status alloc_phases_init(void *state, const struct wm_trace *t,
					struct wm_err *err)
{
	struct alloc_phases *e = state;

	if (!WM_MORE(e->alloc_phase, e->cap, 0))
		return wm_no_memory(err, "phases");
	e->count = 1;
	e->enough = FEW_ALLOC_PHASES;
	/* key 0 is outside of phases; the last key is for lost names */
	return wm_series_builder_init(&e->builder, t, t->name_count + 2, err);
}

static struct alloc_phase *find_alloc_phase(const struct alloc_phases *e,
					    uint64_t time)
{
	struct alloc_phase *last = &e->alloc_phase[e->count - 1];
	size_t n;

	if (time >= last->from)
		return last;
	n = WM_FIRST(i, e->count, e->alloc_phase[i].from > time);
	return &e->alloc_phase[n ? n - 1 : 0];
}

static void forget_empty(struct alloc_phases *e)
{
	size_t i, n = 1;

	for (i = 1; i < e->count; i++)
		if (e->alloc_phase[i].blocks)
			e->alloc_phase[n++] = e->alloc_phase[i];
	e->count = n;
	e->enough = 2 * n > FEW_ALLOC_PHASES ? 2 * n : FEW_ALLOC_PHASES;
}

static enum wm_status enter_alloc_phase(struct alloc_phases *e, uint32_t name,
					uint64_t time, struct wm_err *err)
{
	uint64_t from = time > e->last_alloc_time ? time :
						    e->last_alloc_time + 1;
	struct alloc_phase *alloc_phase;

	if (name > e->builder.keys - 2)
		name = (uint32_t)e->builder.keys - 1;
	if (e->count >= e->enough)
		forget_empty(e);
	alloc_phase = &e->alloc_phase[e->count - 1];
	/* the allocation phase before has no allocations */
	if (from <= alloc_phase->from && e->count > 1) {
		alloc_phase->phase = name;
		return WM_OK;
	}
	alloc_phase = WM_MORE(e->alloc_phase, e->cap, e->count);
	if (!alloc_phase)
		return wm_no_memory(err, "phases");
	*alloc_phase = (struct alloc_phase){ .from = from, .phase = name };
	e->count++;
	return WM_OK;
}

static enum wm_status take_run(struct alloc_phases *e,
			       const struct wm_changes *c, size_t from,
			       size_t to, struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i;

	for (i = from; i < to && !s; i++) {
		bool gone = (c->who[i] & WM_RELEASE) != 0;
		uint64_t alloc_time = c->time[i];
		struct alloc_phase *alloc_phase;

		if (!wm_family_in_peak[c->family[i]])
			continue;
		/* the rest of a mapping comes back with its old time */
		if (gone || !wm_family_blocks[c->family[i]])
			alloc_time = c->alloc_time[i];
		if (alloc_time > e->last_alloc_time)
			e->last_alloc_time = alloc_time;
		alloc_phase = find_alloc_phase(e, alloc_time);
		alloc_phase->blocks += gone ? -1ull : 1;
		s = wm_series_builder_add(&e->builder, alloc_phase->phase,
					  c->bytes[i], gone, c->time[i], err);
	}
	return s;
}

static enum wm_status alloc_phases_take(void *state, const struct wm_changes *c,
					struct wm_err *err)
{
	struct alloc_phases *e = state;
	enum wm_status s = WM_OK;
	size_t m, from = 0;

	for (m = 0; m < c->marks && !s; m++) {
		if (c->mark[m].kind != WM_MARK_PHASE)
			continue;
		s = take_run(e, c, from, c->mark[m].at, err);
		from = c->mark[m].at;
		if (!s)
			s = enter_alloc_phase(e, c->mark[m].name,
					      c->mark[m].time, err);
	}
	return s ? s : take_run(e, c, from, c->count, err);
}

static enum wm_status put_names(const struct alloc_phases *e,
				const struct wm_trace *t, struct wm_series *out,
				struct wm_err *err)
{
	size_t i, n = e->builder.keys;

	out->name = calloc(n, sizeof(*out->name));
	if (!out->name)
		return wm_no_memory(err, "phases");
	out->names = n;
	for (i = 1; i < n; i++) {
		const char *s = wm_trace_name(t, i);

		out->name[i] = strdup(s ? s : "(lost name)");
		if (!out->name[i])
			return wm_no_memory(err, "phases");
	}
	return WM_OK;
}

static enum wm_status alloc_phases_finish(void *state, const struct wm_trace *t,
					  struct wm_rank *rank,
					  struct wm_err *err)
{
	struct alloc_phases *e = state;
	enum wm_status s = put_names(e, t, &rank->phase_series, err);

	return s ? s :
		   wm_series_builder_finish(&e->builder, t, &rank->phase_series,
					    err);
}

static void alloc_phases_release(void *state)
{
	struct alloc_phases *e = state;

	free(e->alloc_phase);
	wm_series_builder_release(&e->builder);
}

const struct wm_pass_ops wm_pass_alloc_phases = {
	.name = "eras",
	.state_size = sizeof(struct alloc_phases),
	.alloc_times = true,
	.init = alloc_phases_init,
	.take = alloc_phases_take,
	.finish = alloc_phases_finish,
	.release = alloc_phases_release,
};
