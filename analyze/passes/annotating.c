/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/annotating.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/trace/reader.h"
#include "analyze/passes/annotating_state.h"

/* Further entries are left out; snapshots have no lists beyond
 * WM_MAX_LISTED. */
#define MAX_SNAPSHOTS 4096
#define MAX_STRETCHES 65536
#define MAX_TEXTS 4096
#define MAX_REGIONS 4096

struct wm_annotating *wm_annotating_new(const struct wm_trace *t)
{
	struct wm_annotating *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->names = t->name_count;
	n->phase = calloc(n->names + 2, sizeof(*n->phase));
	n->name = calloc(n->names + 3, sizeof(*n->name));
	n->start_ticks = t->start.ticks;
	if (n->phase && n->name)
		return n;
	wm_annotating_free(n);
	return NULL;
}

void wm_annotating_free(struct wm_annotating *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n->snapshot_count; i++) {
		free(n->snapshot[i].path);
		free(n->snapshot[i].named);
	}
	free(n->phase);
	free(n->name);
	free(n->tag);
	wm_index_release(&n->tag_index);
	free(n->stretch);
	free(n->snapshot);
	free(n->text);
	free(n->region);
	wm_regions_release(&n->regions);
	free(n);
}

/* A name that is in no NAMES block was lost. */
static uint32_t number_of(const struct wm_annotating *n, uint32_t name)
{
	if (name == WM_NAME_SEVERAL)
		return (uint32_t)n->names + 2;
	name &= ~WM_NAME_HELD;
	return (uint32_t)(name <= n->names ? name : n->names + 1);
}

/* ---- phases ---- */

void wm_annotating_run(struct wm_annotating *n, const struct wm_changes *c,
		       size_t from, size_t to)
{
	struct phase_state *p = &n->phase[n->now];
	uint64_t live = n->live;

	if (!n->phased)
		return;
	for (size_t i = from; i < to; i++) {
		bool gone = (c->who[i] & WM_RELEASE) != 0;

		p->allocations += !gone;
		p->releases += gone;
		if (!wm_family_in_peak[c->family[i]])
			continue;
		live += gone ? -c->bytes[i] : c->bytes[i];
		if (gone)
			continue;
		if (live > p->peak) {
			p->peak = live;
			p->peak_time = c->time[i];
		}
	}
	n->live = live;
}

void wm_annotating_peak(struct wm_annotating *n)
{
	n->peak = n->now;
}

static enum wm_status close_phase(struct wm_annotating *n, uint64_t time,
				  struct wm_err *err)
{
	struct phase_state *p = &n->phase[n->now];
	struct stretch_state *s;

	if (time < n->since)
		time = n->since;
	p->ticks += time - n->since;
	p->end = n->live;
	if (n->stretch_count == MAX_STRETCHES)
		return WM_OK;
	s = WM_MORE(n->stretch, n->stretch_cap, n->stretch_count);
	if (!s)
		return wm_no_memory(err, "names");
	*s = (struct stretch_state){ n->since, time, n->now };
	n->stretch_count++;
	return WM_OK;
}

static enum wm_status enter_phase(struct wm_annotating *n, uint32_t name,
				  uint64_t time, struct wm_err *err)
{
	struct phase_state *p = &n->phase[name];
	enum wm_status s = close_phase(n, time, err);

	if (s)
		return s;
	n->now = name;
	n->since = time > n->since ? time : n->since;
	if (!p->entered++)
		p->first = n->since;
	if (n->live > p->peak || p->entered == 1) {
		p->peak = n->live;
		p->peak_time = n->since;
	}
	return WM_OK;
}

/* All changes before the first phase are outside of phases. */
static void begin_phases(struct wm_annotating *n,
			 const struct wm_annotating_now *s)
{
	struct phase_state *p = &n->phase[0];

	n->phased = true;
	n->live = s->live;
	n->since = p->first = n->start_ticks;
	p->entered = 1;
	p->peak = s->peak;
	p->peak_time = s->peak_time;
	p->allocations = (s->changes + s->blocks) / 2;
	p->releases = s->changes - p->allocations;
}

/* ---- names ---- */

static enum wm_status tag_of(struct wm_annotating *n, uint32_t path,
			     uint32_t name, struct tag_state **tag,
			     struct wm_err *err)
{
	uint32_t hash = wm_index_hash((uint64_t)path << 32 | name);
	struct wm_index *x = &n->tag_index;
	struct wm_index_slot *s;
	struct tag_state *t;

	if (wm_index_room(x))
		return wm_no_memory(err, "names");
	for (s = wm_index_first(x, hash); s->number; s = wm_index_next(x, s)) {
		*tag = &n->tag[s->number - 1];
		if ((*tag)->path == path && (*tag)->name == name)
			return WM_OK;
	}
	t = WM_MORE(n->tag, n->tag_cap, n->tag_count);
	if (!t)
		return wm_no_memory(err, "names");
	t->path = path;
	t->name = name;
	wm_index_put(x, s, hash, n->tag_count++);
	*tag = t;
	return WM_OK;
}

static enum wm_status change_name(struct wm_annotating *n,
				  const struct wm_mark *m, uint64_t epoch,
				  bool old_peak, struct wm_err *err)
{
	uint32_t number = number_of(n, m->name);
	bool more = m->kind == WM_MARK_GIVEN || m->kind == WM_MARK_MOVED;
	/* unsigned: adds or subtracts one block */
	uint64_t bytes = more ? m->bytes : -m->bytes;
	uint64_t blocks = more ? 1 : -(uint64_t)1;
	struct name_state *s = &n->name[number];
	struct tag_state *t = NULL;

	if (tag_of(n, m->path, number, &t, err))
		return WM_NO_MEMORY;
	if (t->epoch != epoch) {
		t->epoch = epoch;
		t->saved = t->live;
		t->saved_blocks = t->blocks;
	}
	if (old_peak) {
		t->saved += bytes;
		t->saved_blocks += blocks;
	}
	t->live += bytes;
	t->blocks += blocks;
	s->live += bytes;
	s->blocks += blocks;
	if (more && s->live > s->high)
		s->high = s->live;
	s->given += m->kind == WM_MARK_GIVEN;
	s->variable |= (m->name & WM_NAME_HELD) != 0;
	return WM_OK;
}

/* ---- marks and regions ---- */

static enum wm_status add_text(struct wm_annotating *n, const struct wm_mark *m,
			       uint64_t live, struct wm_err *err)
{
	struct text_state *s;

	if (n->text_count == MAX_TEXTS)
		return WM_OK;
	s = WM_MORE(n->text, n->text_cap, n->text_count);
	if (!s)
		return wm_no_memory(err, "names");
	n->text_count++;
	*s = (struct text_state){ m->time, live, number_of(n, m->name), n->now,
				  n->phased };
	return WM_OK;
}

static enum wm_status change_region(struct wm_annotating *n,
				    const struct wm_mark *m, struct wm_err *err)
{
	struct wm_region gone;
	struct region_state *s;

	if (wm_regions_take(&n->regions, m, &gone, err))
		return WM_NO_MEMORY;
	if (gone.span.bytes && gone.number < n->region_count)
		n->region[gone.number].to = m->time;
	if (m->kind != WM_MARK_REGION)
		return WM_OK;
	if (n->region_count == MAX_REGIONS) {
		n->regions_left_out++;
		return WM_OK;
	}
	s = WM_MORE(n->region, n->region_cap, n->region_count);
	if (!s)
		return wm_no_memory(err, "names");
	n->region_count++;
	*s = (struct region_state){ m->span, number_of(n, m->name), m->time,
				    0 };
	return WM_OK;
}

enum wm_status wm_annotating_mark(struct wm_annotating *n,
				  const struct wm_mark *m,
				  const struct wm_annotating_now *now,
				  bool old_peak, struct wm_err *err)
{
	switch (m->kind) {
	case WM_MARK_PHASE:
		if (!n->phased)
			begin_phases(n, now);
		return enter_phase(n, number_of(n, m->name), m->time, err);
	case WM_MARK_PAUSE:
		if (n->paused_since)
			return WM_OK;
		n->pauses++;
		n->paused_since = m->time;
		return WM_OK;
	case WM_MARK_RESUME:
		if (n->paused_since && m->time > n->paused_since)
			n->paused += m->time - n->paused_since;
		n->paused_since = 0;
		return WM_OK;
	case WM_MARK_GIVEN:
	case WM_MARK_TAKEN:
		return change_name(n, m, now->epoch, old_peak, err);
	case WM_MARK_MOVED:
	case WM_MARK_ENDED:
		return change_name(n, m, now->epoch, false, err);
	case WM_MARK_TEXT:
		return add_text(n, m, now->live, err);
	case WM_MARK_REGION:
	case WM_MARK_REGION_END:
		return change_region(n, m, err);
	case WM_MARK_SNAPSHOT:
	case WM_MARK_FAILED:
	case WM_MARK_INITIALIZED:
	case WM_MARK_FINALIZE:
	case WM_MARK_PRIVATE:
	case WM_MARK_HANDLE_MADE:
	case WM_MARK_HANDLE_FREED:
		break;
	}
	return WM_OK;
}

/* ---- snapshots ---- */

static enum wm_status add_holding(struct wm_holding **list, size_t *count,
				  size_t *cap, struct wm_holding h,
				  struct wm_err *err)
{
	if (!WM_ROOM(*list, *cap, *count + 1))
		return wm_no_memory(err, "names");
	(*list)[(*count)++] = h;
	return WM_OK;
}

enum wm_status wm_annotating_snapshot(struct wm_annotating *n,
				      const struct wm_mark *m, uint64_t live,
				      bool *kept, struct wm_err *err)
{
	struct snapshot_state *s;

	*kept = n->snapshot_count < MAX_SNAPSHOTS;
	if (!*kept)
		return WM_OK;
	s = WM_MORE(n->snapshot, n->snapshot_cap, n->snapshot_count);
	if (!s)
		return wm_no_memory(err, "names");
	n->snapshot_count++;
	*s = (struct snapshot_state){
		.time = m->time,
		.bytes = live,
		.phased = n->phased,
		.name = number_of(n, m->name),
		.phase = n->now,
	};
	if (n->snapshot_count > WM_MAX_LISTED)
		return WM_OK;
	for (size_t i = 1; i <= n->names + 1; i++) {
		struct wm_holding h = { (uint32_t)i, n->name[i].live,
					n->name[i].blocks };

		if (h.blocks && add_holding(&s->named, &s->named_count,
					    &s->named_cap, h, err))
			return WM_NO_MEMORY;
	}
	return WM_OK;
}

enum wm_status wm_annotating_path(struct wm_annotating *n, uint32_t path,
				  uint64_t bytes, uint64_t blocks,
				  struct wm_err *err)
{
	struct snapshot_state *s = &n->snapshot[n->snapshot_count - 1];

	s->blocks += blocks;
	if (n->snapshot_count > WM_MAX_LISTED)
		return WM_OK;
	return add_holding(&s->path, &s->path_count, &s->path_cap,
			   (struct wm_holding){ path, bytes, blocks }, err);
}

enum wm_status wm_annotating_finish(struct wm_annotating *n,
				    const struct wm_trace *t, uint64_t epoch,
				    struct wm_rank *rank, struct wm_err *err)
{
	uint64_t end = t->end_ticks;
	enum wm_status s = WM_OK;

	if (n->phased)
		s = close_phase(n, end, err);
	if (n->paused_since && end > n->paused_since)
		n->paused += end - n->paused_since;
	rank->pauses = n->pauses;
	rank->paused_seconds = wm_trace_duration(t, n->paused);
	return s ? s : wm_annotating_result(n, t, epoch, rank, err);
}
