/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/annotating.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/index.h"
#include "analyze/lib/base/vec.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/replay/regions.h"
#include "analyze/lib/trace/reader.h"
#include "wm/search.h"

/* An entry after so many is left out; of snapshots lists first. */
#define MAX_SNAPSHOTS 4096
#define MAX_LISTED 256
#define MAX_STRETCHES 65536
#define MAX_TEXTS 4096
#define MAX_REGIONS 4096

struct phase_state {
	uint64_t entered, first, ticks;
	uint64_t peak, peak_time, end;
	uint64_t allocations, releases;
	uint32_t index; /* in the result */
};

struct name_state {
	uint64_t given, live, blocks, high;
	bool variable;
	uint32_t index; /* in the result */
};

struct tag_state {
	uint32_t path, name;
	uint64_t live, blocks, saved, saved_blocks;
	uint64_t epoch; /* of saved */
};

struct stretch_state {
	uint64_t from, to;
	uint32_t name;
};

struct snapshot_state {
	uint64_t time, bytes, blocks;
	uint32_t name, phase; /* by number */
	bool phased;
	struct wm_holding *path, *named; /* named: by number */
	size_t path_count, path_cap, named_count, named_cap;
};

/* A mark with a text. */
struct text_state {
	uint64_t time, bytes;
	uint32_t name, phase; /* by number */
	bool phased;
};

struct region_state {
	struct wm_span span;
	uint32_t name;
	uint64_t from, to; /* to: 0, until the end */
};

struct wm_annotating {
	/* numbers up to this one are known; the next: lost; the next: several
	 * variables, which is no name */
	size_t names;
	struct phase_state *phase; /* by number; 0: outside */
	struct name_state *name; /* by number */
	struct tag_state *tag;
	size_t tag_count, tag_cap;
	struct wm_index tag_index;
	struct stretch_state *stretch;
	size_t stretch_count, stretch_cap;
	struct snapshot_state *snapshot;
	size_t snapshot_count, snapshot_cap;
	struct text_state *text;
	size_t text_count, text_cap;
	struct region_state *region; /* in order of their marks */
	size_t region_count, region_cap;
	uint64_t regions_left_out;
	struct wm_regions regions; /* that have not ended */

	bool phased; /* some phase was entered */
	uint64_t live; /* from the first phase on */
	uint32_t now, peak; /* phases by number */
	uint64_t since; /* when the present phase began */
	uint64_t paused_since, paused, pauses;
	uint64_t start_ticks;
};

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

/* A number that no NAMES told was lost with a block. */
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

/* The present phase ends. */
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

/* All before the first phase is outside of phases. */
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

/* A block gets its name, or loses it. */
static enum wm_status change_name(struct wm_annotating *n,
				  const struct wm_mark *m, uint64_t epoch,
				  bool old_peak, struct wm_err *err)
{
	uint32_t number = number_of(n, m->name);
	bool more = m->kind == WM_MARK_GIVEN || m->kind == WM_MARK_MOVED;
	/* added to what is unsigned: one block, or one less than none */
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
	if (n->snapshot_count > MAX_LISTED)
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
	if (n->snapshot_count > MAX_LISTED)
		return WM_OK;
	return add_holding(&s->path, &s->path_count, &s->path_cap,
			   (struct wm_holding){ path, bytes, blocks }, err);
}

/* ---- the end ---- */

/* The text of a number; NULL: no memory. */
static char *text_of(const struct wm_annotating *n, const struct wm_trace *t,
		     uint32_t number)
{
	const char *s = number <= n->names ? t->names[number - 1] : NULL;

	return strdup(s ? s : "(lost name)");
}

static int by_entry(const void *a, const void *b)
{
	const struct phase_state *x = *(struct phase_state *const *)a;
	const struct phase_state *y = *(struct phase_state *const *)b;

	/* by number: they are in one array */
	return WM_KEYS(WM_ORDER(x->first, y->first), WM_ORDER(x, y));
}

static void put_phase(struct wm_phase *to, const struct phase_state *p,
		      const struct wm_trace *t)
{
	to->entered = p->entered;
	to->ranks = 1;
	to->first = wm_trace_seconds(t, p->first);
	to->seconds = wm_trace_duration(t, p->ticks);
	to->peak_bytes = p->peak;
	to->peak_seconds = p->peak ? wm_trace_seconds(t, p->peak_time) : 0;
	to->end_bytes = p->end;
	to->allocations = p->allocations;
	to->releases = p->releases;
}

static enum wm_status put_phases(struct wm_annotating *n,
				 const struct wm_trace *t,
				 struct wm_annotations *to, struct wm_err *err)
{
	struct phase_state **order = calloc(n->names + 2, sizeof(*order));
	size_t i, count = 0;
	enum wm_status s = WM_OK;

	to->phase = calloc(n->names + 2, sizeof(*to->phase));
	to->stretch = calloc(n->stretch_count + 1, sizeof(*to->stretch));
	if (!order || !to->phase || !to->stretch) {
		free(order);
		return wm_no_memory(err, "names");
	}
	for (i = 0; i <= n->names + 1; i++)
		if (n->phase[i].entered)
			order[count++] = &n->phase[i];
	WM_SORT(order, count, by_entry);
	for (i = 0; i < count && !s; i++) {
		struct wm_phase *p = &to->phase[to->phase_count++];
		uint32_t number = (uint32_t)(order[i] - n->phase);

		order[i]->index = (uint32_t)i;
		put_phase(p, order[i], t);
		if (number && !(p->name = text_of(n, t, number)))
			s = wm_no_memory(err, "names");
	}
	free(order);
	for (i = 0; i < n->stretch_count && !s; i++) {
		struct wm_stretch *p = &to->stretch[to->stretch_count++];

		p->from = wm_trace_seconds(t, n->stretch[i].from);
		p->to = wm_trace_seconds(t, n->stretch[i].to);
		p->phase = n->phase[n->stretch[i].name].index;
	}
	return s;
}

static enum wm_status put_names(struct wm_annotating *n,
				const struct wm_trace *t, uint64_t epoch,
				struct wm_annotations *to, struct wm_err *err)
{
	to->name = calloc(n->names + 2, sizeof(*to->name));
	to->tag = calloc(n->tag_count + 1, sizeof(*to->tag));
	if (!to->name || !to->tag)
		return wm_no_memory(err, "names");
	for (size_t i = 1; i <= n->names + 1; i++) {
		const struct name_state *s = &n->name[i];
		struct wm_name *p = &to->name[to->name_count];

		if (!s->given)
			continue;
		n->name[i].index = (uint32_t)to->name_count++;
		p->blocks = s->given;
		p->variable = s->variable;
		p->high = s->high;
		p->end_bytes = s->live;
		p->end_blocks = s->blocks;
		p->name = text_of(n, t, (uint32_t)i);
		if (!p->name)
			return wm_no_memory(err, "names");
	}
	for (size_t i = 0; i < n->tag_count; i++) {
		const struct tag_state *s = &n->tag[i];
		struct wm_tag *p = &to->tag[to->tag_count];
		bool changed = s->epoch == epoch;

		if (s->name == n->names + 2)
			continue;
		to->tag_count++;
		p->path = s->path;
		p->name = n->name[s->name].index;
		p->peak_bytes = changed ? s->saved : s->live;
		p->peak_blocks = changed ? s->saved_blocks : s->blocks;
		p->end_bytes = s->live;
		p->end_blocks = s->blocks;
		to->name[p->name].peak_bytes += p->peak_bytes;
		to->name[p->name].peak_blocks += p->peak_blocks;
	}
	return WM_OK;
}

static enum wm_status put_snapshots(struct wm_annotating *n,
				    const struct wm_trace *t,
				    struct wm_annotations *to,
				    struct wm_err *err)
{
	to->snapshot = calloc(n->snapshot_count + 1, sizeof(*to->snapshot));
	if (!to->snapshot)
		return wm_no_memory(err, "names");
	for (size_t i = 0; i < n->snapshot_count; i++) {
		struct snapshot_state *s = &n->snapshot[i];
		struct wm_snapshot *p = &to->snapshot[to->snapshot_count++];

		p->seconds = wm_trace_seconds(t, s->time);
		p->phase = s->phased ? n->phase[s->phase].index : WM_NO_PHASE;
		p->bytes = s->bytes;
		p->blocks = s->blocks;
		p->listed = i < MAX_LISTED;
		p->path = s->path;
		p->path_count = s->path_count;
		p->named = s->named;
		p->named_count = s->named_count;
		s->path = s->named = NULL;
		for (size_t k = 0; k < p->named_count; k++)
			p->named[k].what = n->name[p->named[k].what].index;
		if (s->name && !(p->name = text_of(n, t, s->name)))
			return wm_no_memory(err, "names");
	}
	return WM_OK;
}

static enum wm_status put_texts(struct wm_annotating *n,
				const struct wm_trace *t,
				struct wm_annotations *to, struct wm_err *err)
{
	to->text = calloc(n->text_count + 1, sizeof(*to->text));
	if (!to->text)
		return wm_no_memory(err, "names");
	for (size_t i = 0; i < n->text_count; i++) {
		const struct text_state *s = &n->text[i];
		struct wm_text_mark *p = &to->text[to->text_count++];

		p->seconds = wm_trace_seconds(t, s->time);
		p->phase = s->phased ? n->phase[s->phase].index : WM_NO_PHASE;
		p->bytes = s->bytes;
		if (s->name && !(p->text = text_of(n, t, s->name)))
			return wm_no_memory(err, "names");
	}
	return WM_OK;
}

static enum wm_status put_regions(struct wm_annotating *n,
				  const struct wm_trace *t,
				  struct wm_annotations *to, struct wm_err *err)
{
	to->region = calloc(n->region_count + 1, sizeof(*to->region));
	if (!to->region)
		return wm_no_memory(err, "names");
	for (size_t i = 0; i < n->region_count; i++) {
		const struct region_state *s = &n->region[i];
		struct wm_named_region *p = &to->region[to->region_count++];

		p->address = s->span.start;
		p->bytes = s->span.bytes;
		p->element = s->span.element;
		p->from = wm_trace_seconds(t, s->from);
		p->ended = s->to != 0;
		p->to = wm_trace_seconds(t, s->to ? s->to : t->end_ticks);
		p->name = text_of(n, t, s->name);
		if (!p->name)
			return wm_no_memory(err, "names");
	}
	return WM_OK;
}

enum wm_status wm_annotating_finish(struct wm_annotating *n,
				    const struct wm_trace *t, uint64_t epoch,
				    struct wm_rank *rank, struct wm_err *err)
{
	struct wm_annotations *to = &rank->annotations;
	uint64_t end = t->end_ticks;
	enum wm_status s = WM_OK;

	to->regions_left_out = n->regions_left_out;
	if (n->phased)
		s = close_phase(n, end, err);
	if (n->paused_since && end > n->paused_since)
		n->paused += end - n->paused_since;
	rank->pauses = n->pauses;
	rank->paused_seconds = wm_trace_duration(t, n->paused);
	if (!s && n->phased)
		s = put_phases(n, t, to, err);
	if (!s)
		s = put_names(n, t, epoch, to, err);
	if (!s)
		s = put_snapshots(n, t, to, err);
	if (!s)
		s = put_texts(n, t, to, err);
	if (!s)
		s = put_regions(n, t, to, err);
	if (!s && n->phased && n->peak)
		rank->peak_phase = text_of(n, t, n->peak);
	return s ? s : wm_annotations_sort(to, err);
}
