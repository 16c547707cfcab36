/* SPDX-License-Identifier: Apache-2.0 */
/* The users of memory, epoch by epoch: merges changes of live memory with page
 * accesses in order of time (analyze/pages/page_use.h). */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "analyze/pages/pages.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/replay/merge.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/read_epochs.h"
#include "analyze/passes/wish.h"
#include "wm/search.h"

/* A release that is delayed until it cannot be the first half of a realloc. */
struct waiting {
	bool any;
	uint32_t owner, since;
	uint64_t addr, bytes, time;
};

struct pages {
	const struct wm_trace *t;
	uint64_t begin; /* of the process, in ns on the clock of the job */
	struct wm_epochs in;
	bool more; /* .in.epoch is not over yet */
	size_t block; /* block with the lists of .in.epoch */
	/* ticks by which stamps of epochs and events may differ */
	uint64_t slack;
	struct wm_page_use use;
	struct wm_page_totals total;
	struct wm_pages out;
	/* by epoch: later changes are after the epoch */
	uint64_t *over;
	size_t over_cap;
	uint32_t *owner[WM_FAMILIES]; /* of each path; 0: none yet */
	uint64_t allocated;
	struct waiting waiting;
	uint64_t step; /* ns between checkpoints; 0: none */
	uint32_t since; /* first epoch since the last checkpoint */
	bool chart;
};

static enum wm_status next_epoch(struct pages *p, struct wm_err *err)
{
	enum wm_status s = wm_epochs_next(&p->in, err);

	p->more = s == WM_OK;
	return s == WM_END ? WM_OK : s;
}

static void pages_wish(void *state, const struct wm_wish *wish)
{
	struct pages *p = state;

	if (wish->checkpoint > 0 && wish->checkpoint < 1e9)
		p->step = (uint64_t)(wish->checkpoint * 1e9 + .5);
	p->chart = wish->chart;
}

/* Plans the rows of the chart in an extra reading of all epochs. */
static enum wm_status plan_chart(struct pages *p, struct wm_err *err)
{
	struct wm_chart_plan plan = { .epochs = 0 };
	size_t block = SIZE_MAX;
	struct wm_epochs e;
	bool good = true;

	wm_epochs_open(&e, p->t);
	/* the second reading reports damage */
	while (good && !wm_epochs_next(&e, NULL)) {
		bool fresh = block != e.block;

		block = e.block;
		good = wm_chart_plan_epoch(&plan, &e.accessed, e.covered,
					   fresh ? e.covered_count : 0);
	}
	wm_epochs_release(&e);
	if (p->t->blamed)
		*p->t->blamed = WM_ALL_BLOCKS;
	if (good && wm_chart_plan_end(&plan, &p->out.chart))
		return WM_OK;
	wm_chart_plan_release(&plan);
	return wm_no_memory(err, NULL);
}

static enum wm_status pages_init(void *state, const struct wm_trace *t,
				 struct wm_err *err)
{
	struct pages *p = state;
	enum wm_status s;

	p->t = t;
	p->begin = wm_whole(t->begin * 1e9);
	p->since = 1;
	wm_epochs_open(&p->in, t);
	s = wm_page_use_init(&p->use, t->page_shift, err);
	if (s || !t->page_block_count)
		return s;
	wm_page_totals_begin(&p->total, t);
	p->slack = wm_trace_ticks(t, WM_SKEW_NS) +
		   (UINT64_C(1) << t->max_shift);
	/* a trace that is damaged from the start is opened again later */
	p->more = true;
	return p->chart ? plan_chart(p, err) : WM_OK;
}

static uint64_t epoch_end(const struct pages *p)
{
	return p->begin + p->in.epoch.end;
}

static bool note_epoch(struct pages *p)
{
	const struct wm_epoch *e = &p->in.epoch;
	struct wm_page_epoch *to = WM_MORE(p->out.epoch, p->out.epoch_cap,
					   p->out.epochs);
	uint64_t *over = WM_MORE(p->over, p->over_cap, p->out.epochs);

	if (!to || !over)
		return false;
	*over = e->ticks + p->slack;
	p->out.epochs++;
	*to = (struct wm_page_epoch){ epoch_end(p),	  e->cpu,
				      wm_epoch_weight(e), e->accessed,
				      e->written,	  e->resident,
				      e->covered,	  p->allocated };
	wm_page_totals_add(&p->total, e, epoch_end(p));
	return true;
}

/* Takes the delayed release, except for the first @stay bytes. */
static enum wm_status lose_part(struct pages *p, uint64_t stay,
				struct wm_err *err)
{
	const struct waiting *w = &p->waiting;
	enum wm_status s = WM_OK;

	if (!w->any)
		return WM_OK;
	p->waiting.any = false;
	if (stay)
		s = wm_page_use_lose(&p->use, w->owner, w->addr, stay, w->since,
				     false, err);
	if (s || stay == w->bytes)
		return s;
	return wm_page_use_lose(&p->use, w->owner, w->addr + stay,
				w->bytes - stay, w->since, true, err);
}

/* Ends the interval before the checkpoint at @to_ns. */
static bool end_interval(struct pages *p, uint64_t to_ns)
{
	struct wm_page_interval *i = WM_MORE(p->out.interval,
					     p->out.interval_cap,
					     p->out.intervals);

	if (!i)
		return false;
	*i = (struct wm_page_interval){
		(to_ns - 1) / p->step * p->step,
		to_ns,
		p->use.now - p->since,
		wm_page_use_written_since(&p->use, p->since),
	};
	p->out.intervals++;
	p->since = p->use.now;
	return true;
}

/* Called before the epoch that ends at @end_ns is counted. */
static bool look_for_checkpoint(struct pages *p, uint64_t end_ns)
{
	uint64_t last, next;

	if (!p->step || !p->out.epochs)
		return true;
	last = p->out.epoch[p->out.epochs - 1].end_ns;
	next = (last + p->step - 1) / p->step * p->step;
	return end_ns <= next || end_interval(p, next);
}

static enum wm_status end_epoch(struct pages *p, struct wm_err *err)
{
	enum wm_status s = lose_part(p, 0, err);

	if (s)
		return s;
	if (p->block != p->in.block) {
		p->block = p->in.block;
		wm_page_use_cover(&p->use, p->in.covered, p->in.covered_count);
	}
	if (!look_for_checkpoint(p, epoch_end(p)) ||
	    !wm_page_chart_epoch(&p->out.chart, &p->use, &p->in.accessed,
				 &p->in.written, p->out.epochs))
		return wm_no_memory(err, NULL);
	s = wm_page_use_epoch(&p->use, &p->in.accessed, &p->in.written,
			      wm_epoch_weight(&p->in.epoch), err);
	if (s)
		return s;
	return note_epoch(p) ? next_epoch(p, err) : wm_no_memory(err, NULL);
}

/* Ends all epochs before @time. */
static enum wm_status advance(struct pages *p, uint64_t time,
			      struct wm_err *err)
{
	enum wm_status s = WM_OK;

	if (p->more && !p->in.block)
		s = next_epoch(p, err);
	while (!s && p->more && time > p->in.epoch.ticks + p->slack)
		s = end_epoch(p, err);
	return s;
}

static uint32_t owner_of(struct pages *p, unsigned family, uint32_t path)
{
	uint32_t n;

	if (!p->owner[family])
		p->owner[family] = calloc(p->t->paths.path_count,
					  sizeof(*p->owner[family]));
	if (!p->owner[family])
		return 0;
	if (p->owner[family][path])
		return p->owner[family][path];
	n = wm_page_use_owner(&p->use, (uint8_t)family, path);
	if (n == UINT32_MAX)
		return 0;
	/* the list of covered memory no longer has a removed mapping */
	p->use.owner[n].anywhere = family == WM_FAMILY_heap;
	return p->owner[family][path] = n;
}

/* Adds memory.  If it is the block whose release is delayed, resized in place,
 * pages that the old and the new block share count as touched by both. */
static enum wm_status gain(struct pages *p, uint32_t owner, uint64_t addr,
			   uint64_t bytes, uint64_t time, struct wm_err *err)
{
	struct waiting w = p->waiting;
	enum wm_status s;
	uint64_t both = 0;

	if (w.any && w.addr == addr && w.time == time)
		both = bytes < w.bytes ? bytes : w.bytes;
	s = lose_part(p, both, err);
	if (!s && both)
		s = wm_page_use_gain(&p->use, owner, addr, both, w.since, err);
	if (!s && bytes > both)
		s = wm_page_use_gain(&p->use, owner, addr + both, bytes - both,
				     p->use.now, err);
	return s;
}

/* Takes a block that realloc moved from the block whose release is delayed. */
static enum wm_status move(struct pages *p, uint32_t owner, uint64_t addr,
			   uint64_t bytes, struct wm_err *err)
{
	struct waiting *w = &p->waiting;
	struct wm_page_owned old = { w->owner, w->addr, w->bytes };
	struct wm_page_owned block = { owner, addr, bytes };

	w->any = false;
	return wm_page_use_move(&p->use, &old, w->since, &block, err);
}

static enum wm_status take_change(struct pages *p, const struct wm_changes *c,
				  size_t i, bool moved, struct wm_err *err)
{
	uint32_t path = c->who[i] & ~WM_RELEASE, owner;
	size_t since;
	enum wm_status s = advance(p, c->time[i], err);
	bool goes = (c->who[i] & WM_RELEASE) != 0;

	if (s)
		return s;
	if (wm_family_in_peak[c->family[i]])
		p->allocated += goes ? -c->bytes[i] : c->bytes[i];
	owner = owner_of(p, c->family[i], path);
	if (!owner)
		return wm_no_memory(err, NULL);
	if (!goes && moved && p->waiting.any && p->waiting.addr != c->addr[i])
		return move(p, owner, c->addr[i], c->bytes[i], err);
	if (!goes)
		return gain(p, owner, c->addr[i], c->bytes[i], c->time[i], err);
	s = lose_part(p, 0, err);
	since = WM_FIRST(k, p->out.epochs, p->over[k] >= c->alloc_time[i]);
	p->waiting = (struct waiting){
		true,	    owner,	 (uint32_t)since + 1,
		c->addr[i], c->bytes[i], c->time[i]
	};
	return s;
}

static enum wm_status pages_take(void *state, const struct wm_changes *c,
				 struct wm_err *err)
{
	struct pages *p = state;
	enum wm_status s = WM_OK;
	size_t i, k = 0;

	for (i = 0; i < c->count && !s && p->more; i++) {
		bool moved = k < c->moves && c->move[k] == i;

		k += moved;
		s = take_change(p, c, i, moved, err);
	}
	return s;
}

static enum wm_status pages_drain(void *state, struct wm_err *err)
{
	return advance(state, UINT64_MAX, err);
}

static enum wm_status pages_finish(void *state, const struct wm_trace *t,
				   struct wm_rank *rank, struct wm_err *err)
{
	struct pages *p = state;
	struct wm_pages *out = &p->out;
	enum wm_status s;

	if (p->step && out->epochs && p->use.now > p->since &&
	    !end_interval(p, out->epoch[out->epochs - 1].end_ns))
		return wm_no_memory(err, NULL);
	s = wm_page_use_finish(&p->use, err);
	if (s)
		return s;
	p->total.missing = t->epochs_end - p->total.epochs;
	p->total.touched = p->use.touched_pages;
	p->total.written = p->use.written_pages;
	p->total.page_epochs = p->use.page_epochs;
	p->total.shared_page_epochs = p->use.shared_page_epochs;
	out->owner = p->use.owner;
	out->owners = p->use.owners;
	p->use.owner = NULL;
	p->use.owners = 0;
	out->not_covered = p->in.not_covered;
	out->not_covered_count = p->in.not_covered_count;
	p->in.not_covered = NULL;
	if (t->pages_end && !(out->end = strdup(t->pages_end)))
		return wm_no_memory(err, NULL);
	rank->page_totals = p->total;
	rank->pages = *out;
	memset(out, 0, sizeof(*out));
	return WM_OK;
}

static void pages_release(void *state)
{
	struct pages *p = state;

	wm_epochs_release(&p->in);
	wm_page_use_release(&p->use);
	wm_pages_release(&p->out);
	free(p->over);
	for (int i = 0; i < WM_FAMILIES; i++)
		free(p->owner[i]);
}

const struct wm_pass_ops wm_pass_pages = {
	.name = "pages",
	.state_size = sizeof(struct pages),
	.alloc_times = true,
	.addresses = true,
	.idle = wm_trace_without_pages,
	.wish = pages_wish,
	.init = pages_init,
	.take = pages_take,
	.drain = pages_drain,
	.finish = pages_finish,
	.release = pages_release,
};
