/* SPDX-License-Identifier: Apache-2.0 */
/* Live bytes by call path at the highest moment of each phase (wm_phase()),
 * found by the epoch method of pass_heap.c for the current phase.  If a phase
 * has a new peak when it ends, the values of all paths are saved. */
#include "analyze/lib/replay/pass.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/passes/rank.h"
#include "analyze/lib/trace/reader.h"

struct path_state {
	uint64_t live, saved, epoch;
};

/* If more values are needed, further phases have no breakdown. */
#define MOST_VALUES ((size_t)4 << 20)

struct phase_state {
	uint64_t peak;
	bool entered;
	/* by path; NULL: the phase was not left, or there was no room */
	uint64_t *held;
};

struct phases {
	struct path_state *path;
	size_t count;
	struct phase_state *phase; /* by number; 0: outside of phases */
	size_t values; /* in all .held */
	size_t names; /* the number after .names is for lost names */
	uint32_t now;
	uint64_t live, epoch;
	uint64_t before; /* the peak before there was a table of phases */
	bool moved; /* the phase has a new peak since it was entered */
	bool phased;
	const struct wm_trace *trace;
};

static enum wm_status phases_init(void *state, const struct wm_trace *t,
				  struct wm_err *err)
{
	struct phases *p = state;

	p->trace = t;
	p->count = t->paths.path_count;
	p->path = calloc(p->count, sizeof(*p->path));
	p->epoch = 1;
	return p->path ? WM_OK : wm_no_memory(err, "phases");
}

/* At the first mark all names are known. */
static enum wm_status begin_phases(struct phases *p, struct wm_err *err)
{
	if (p->phase)
		return WM_OK;
	p->names = p->trace->name_count;
	p->phase = calloc(p->names + 2, sizeof(*p->phase));
	if (!p->phase)
		return wm_no_memory(err, "phases");
	p->phase[0].peak = p->before;
	p->moved = true;
	return WM_OK;
}

static void take_run(struct phases *p, const struct wm_changes *c, size_t from,
		     size_t to)
{
	uint64_t *peak = p->phase ? &p->phase[p->now].peak : &p->before;
	size_t i;

	for (i = from; i < to; i++) {
		struct path_state *s = &p->path[c->who[i] & ~WM_RELEASE];
		bool gone = (c->who[i] & WM_RELEASE) != 0;
		uint64_t delta = gone ? -c->bytes[i] : c->bytes[i];

		if (!wm_family_in_peak[c->family[i]])
			continue;
		if (s->epoch != p->epoch) {
			s->epoch = p->epoch;
			s->saved = s->live;
		}
		s->live += delta;
		p->live += delta;
		if (!gone && p->live > *peak) {
			*peak = p->live;
			p->epoch++;
			p->moved = true;
		}
	}
}

/* Ends the current phase, and saves its values if it has a new peak. */
static enum wm_status put_aside(struct phases *p, struct wm_err *err)
{
	struct phase_state *s = &p->phase[p->now];

	if (!p->moved)
		return WM_OK;
	p->moved = false;
	s->entered = true;
	if (!s->held) {
		if (p->count > MOST_VALUES - p->values)
			return WM_OK;
		p->values += p->count;
		s->held = calloc(p->count + 1, sizeof(*s->held));
	}
	if (!s->held)
		return wm_no_memory(err, "phases");
	for (size_t i = 0; i < p->count; i++) {
		const struct path_state *v = &p->path[i];

		s->held[i] = v->epoch == p->epoch ? v->saved : v->live;
	}
	return WM_OK;
}

static enum wm_status enter_phase(struct phases *p, uint32_t name,
				  struct wm_err *err)
{
	struct phase_state *s;
	enum wm_status r = begin_phases(p, err);

	if (!r)
		r = put_aside(p, err);
	if (r)
		return r;
	p->phased = true;
	p->now = (uint32_t)(name <= p->names ? name : p->names + 1);
	s = &p->phase[p->now];
	/* the first peak is the memory at the start of the phase */
	if (!s->entered || p->live > s->peak) {
		s->peak = p->live;
		p->epoch++;
		p->moved = true;
	}
	return WM_OK;
}

static enum wm_status phases_take(void *state, const struct wm_changes *c,
				  struct wm_err *err)
{
	struct phases *p = state;
	enum wm_status s = WM_OK;
	size_t m, from = 0;

	for (m = 0; m < c->marks && !s; m++) {
		if (c->mark[m].kind != WM_MARK_PHASE)
			continue;
		take_run(p, c, from, c->mark[m].at);
		from = c->mark[m].at;
		s = enter_phase(p, c->mark[m].name, err);
	}
	if (!s)
		take_run(p, c, from, c->count);
	return s;
}

static enum wm_status phases_finish(void *state, const struct wm_trace *t,
				    struct wm_rank *rank, struct wm_err *err)
{
	struct phases *p = state;
	struct wm_annotations *annotations = &rank->annotations;
	enum wm_status s;

	(void)t;
	if (!p->phased)
		return WM_OK;
	s = put_aside(p, err);
	if (s)
		return s;
	for (size_t i = 0; i <= p->names + 1; i++) {
		const char *name = wm_trace_name(p->trace, i);

		if (i && !name) /* as in the pass heap */
			name = "(lost name)";
		for (size_t k = 0; k < annotations->phase_count; k++) {
			struct wm_phase *f = &annotations->phase[k];

			if (f->held ||
			    (name && f->name ? strcmp(name, f->name) != 0 :
					       name != f->name))
				continue;
			if (!p->phase[i].held)
				break;
			f->held = p->phase[i].held;
			f->held_count = p->count;
			f->held_ranks = 1;
			p->phase[i].held = NULL;
			break;
		}
	}
	return WM_OK;
}

static void phases_release(void *state)
{
	struct phases *p = state;

	for (size_t i = 0; p->phase && i <= p->names + 1; i++)
		free(p->phase[i].held);
	free(p->phase);
	free(p->path);
}

const struct wm_pass_ops wm_pass_phases = {
	.name = "phases",
	.state_size = sizeof(struct phases),
	.init = phases_init,
	.take = phases_take,
	.finish = phases_finish,
	.release = phases_release,
};
