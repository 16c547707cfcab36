/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/annotating.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/index.h"
#include "analyze/lib/base/vec.h"
#include "analyze/lib/replay/regions.h"
#include "analyze/lib/trace/reader.h"
#include "analyze/passes/rank.h"
#include "wm/search.h"

/* Further entries are left out. */
#define MAX_SNAPSHOTS 4096
#define MAX_LISTED 256 /* further snapshots have no lists */
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

struct wm_annotating {
	const struct wm_trace *trace;
	/* names have the numbers 1 to .names; .names + 1 is the number of lost
	 * names; .names + 2 is for blocks that several variables point at */
	size_t names;
	struct phase_state *phase; /* by number; 0: outside of all phases */
	struct name_state *name; /* by number */
	struct tag_state *tag;
	size_t tag_count, tag_cap;
	struct wm_index tag_index;
	/* until the end, with numbers of phases and names instead of indices */
	struct wm_annotations out;
	size_t path_cap, named_cap; /* of the last snapshot */
	struct wm_regions regions; /* that have not ended */

	bool phased; /* some phase was entered */
	uint64_t live; /* from the first phase on */
	uint32_t now, peak; /* phases by number */
	uint64_t since; /* when the present phase began */
	uint64_t paused_since, paused, pauses;
};

struct wm_annotating *wm_annotating_new(const struct wm_trace *t)
{
	struct wm_annotating *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->trace = t;
	n->names = t->name_count;
	n->phase = calloc(n->names + 2, sizeof(*n->phase));
	n->name = calloc(n->names + 3, sizeof(*n->name));
	if (n->phase && n->name)
		return n;
	wm_annotating_free(n);
	return NULL;
}

void wm_annotating_free(struct wm_annotating *n)
{
	if (!n)
		return;
	free(n->phase);
	free(n->name);
	free(n->tag);
	wm_index_release(&n->tag_index);
	wm_annotations_release(&n->out);
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

/* Stores a copy of the name in *@text; number 0 is no name. */
static enum wm_status copy_name(const struct wm_annotating *n, uint32_t number,
				char **text, struct wm_err *err)
{
	const char *s = wm_trace_name(n->trace, number);

	*text = number ? strdup(s ? s : "(lost name)") : NULL;
	return number && !*text ? wm_no_memory(err, "names") : WM_OK;
}

static uint32_t phase_now(const struct wm_annotating *n)
{
	return n->phased ? n->now : WM_NO_PHASE;
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
	struct wm_annotations *to = &n->out;
	struct wm_stretch *s;

	if (time < n->since)
		time = n->since;
	p->ticks += time - n->since;
	p->end = n->live;
	if (to->stretch_count == MAX_STRETCHES)
		return WM_OK;
	s = WM_MORE(to->stretch, to->stretch_cap, to->stretch_count);
	if (!s)
		return wm_no_memory(err, "names");
	*s = (struct wm_stretch){ wm_trace_seconds(n->trace, n->since),
				  wm_trace_seconds(n->trace, time), n->now };
	to->stretch_count++;
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
	n->since = p->first = n->trace->start.ticks;
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
	WM_INDEX_EACH(s, x, hash) {
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
	struct wm_annotations *to = &n->out;
	struct wm_text_mark *s;

	if (to->text_count == MAX_TEXTS)
		return WM_OK;
	s = WM_MORE(to->text, to->text_cap, to->text_count);
	if (!s)
		return wm_no_memory(err, "names");
	s->seconds = wm_trace_seconds(n->trace, m->time);
	s->phase = phase_now(n);
	s->bytes = live;
	to->text_count++;
	return copy_name(n, number_of(n, m->name), &s->text, err);
}

static enum wm_status change_region(struct wm_annotating *n,
				    const struct wm_mark *m, struct wm_err *err)
{
	struct wm_annotations *to = &n->out;
	double seconds = wm_trace_seconds(n->trace, m->time);
	struct wm_region gone;
	struct wm_named_region *s;

	if (wm_regions_take(&n->regions, m, &gone, err))
		return WM_NO_MEMORY;
	if (gone.span.bytes && gone.number < to->region_count) {
		to->region[gone.number].ended = m->time != 0;
		to->region[gone.number].to = seconds;
	}
	if (m->kind != WM_MARK_REGION)
		return WM_OK;
	if (to->region_count == MAX_REGIONS) {
		to->regions_left_out++;
		return WM_OK;
	}
	s = WM_MORE(to->region, to->region_cap, to->region_count);
	if (!s)
		return wm_no_memory(err, "names");
	s->address = m->span.start;
	s->bytes = m->span.bytes;
	s->element = m->span.element;
	s->from = seconds;
	to->region_count++;
	return copy_name(n, number_of(n, m->name), &s->name, err);
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
	struct wm_annotations *to = &n->out;
	struct wm_snapshot *s;

	*kept = to->snapshot_count < MAX_SNAPSHOTS;
	if (!*kept)
		return WM_OK;
	s = WM_MORE(to->snapshot, to->snapshot_cap, to->snapshot_count);
	if (!s)
		return wm_no_memory(err, "names");
	s->listed = to->snapshot_count++ < MAX_LISTED;
	s->seconds = wm_trace_seconds(n->trace, m->time);
	s->bytes = live;
	s->phase = phase_now(n);
	n->path_cap = n->named_cap = 0;
	for (size_t i = 1; s->listed && i <= n->names + 1; i++) {
		struct wm_holding h = { (uint32_t)i, n->name[i].live,
					n->name[i].blocks };

		if (h.blocks && add_holding(&s->named, &s->named_count,
					    &n->named_cap, h, err))
			return WM_NO_MEMORY;
	}
	return copy_name(n, number_of(n, m->name), &s->name, err);
}

enum wm_status wm_annotating_path(struct wm_annotating *n, uint32_t path,
				  uint64_t bytes, uint64_t blocks,
				  struct wm_err *err)
{
	struct wm_snapshot *s = &n->out.snapshot[n->out.snapshot_count - 1];

	s->blocks += blocks;
	if (!s->listed)
		return WM_OK;
	return add_holding(&s->path, &s->path_count, &n->path_cap,
			   (struct wm_holding){ path, bytes, blocks }, err);
}

/* ---- the result ---- */

static int by_entry(const void *a, const void *b)
{
	const struct phase_state *x = *(struct phase_state *const *)a;
	const struct phase_state *y = *(struct phase_state *const *)b;

	/* phases of one array: in order of their numbers */
	return WM_KEYS(WM_ORDER(x->first, y->first), WM_ORDER(x, y));
}

static enum wm_status put_phases(struct wm_annotating *n, struct wm_err *err)
{
	const struct wm_trace *t = n->trace;
	struct phase_state **order = calloc(n->names + 2, sizeof(*order));
	struct wm_annotations *to = &n->out;
	size_t i, count = 0;
	enum wm_status s = WM_OK;

	to->phase = calloc(n->names + 2, sizeof(*to->phase));
	if (!order || !to->phase) {
		free(order);
		return wm_no_memory(err, "names");
	}
	for (i = 0; i <= n->names + 1; i++)
		if (n->phase[i].entered)
			order[count++] = &n->phase[i];
	WM_SORT(order, count, by_entry);
	for (i = 0; i < count && !s; i++) {
		struct phase_state *p = order[i];

		p->index = (uint32_t)i;
		to->phase[to->phase_count++] = (struct wm_phase){
			.entered = p->entered,
			.ranks = 1,
			.first = wm_trace_seconds(t, p->first),
			.seconds = wm_trace_duration(t, p->ticks),
			.peak_bytes = p->peak,
			.peak_seconds =
				p->peak ? wm_trace_seconds(t, p->peak_time) : 0,
			.end_bytes = p->end,
			.allocations = p->allocations,
			.releases = p->releases,
		};
		s = copy_name(n, (uint32_t)(p - n->phase), &to->phase[i].name,
			      err);
	}
	free(order);
	return s;
}

static enum wm_status put_names(struct wm_annotating *n, uint64_t epoch,
				struct wm_err *err)
{
	struct wm_annotations *to = &n->out;

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
		if (copy_name(n, (uint32_t)i, &p->name, err))
			return WM_NO_MEMORY;
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

/* Replaces numbers of phases and names by their indices in the result. */
static void put_indices(struct wm_annotating *n)
{
	struct wm_annotations *to = &n->out;

	for (size_t i = 0; i < to->stretch_count; i++)
		to->stretch[i].phase = n->phase[to->stretch[i].phase].index;
	for (size_t i = 0; i < to->text_count; i++)
		if (to->text[i].phase != WM_NO_PHASE)
			to->text[i].phase = n->phase[to->text[i].phase].index;
	for (size_t i = 0; i < to->snapshot_count; i++) {
		struct wm_snapshot *s = &to->snapshot[i];

		if (s->phase != WM_NO_PHASE)
			s->phase = n->phase[s->phase].index;
		for (size_t k = 0; k < s->named_count; k++)
			s->named[k].what = n->name[s->named[k].what].index;
	}
}

enum wm_status wm_annotating_finish(struct wm_annotating *n, uint64_t epoch,
				    struct wm_rank *rank, struct wm_err *err)
{
	uint64_t end = n->trace->end_ticks;
	struct wm_annotations *to = &n->out;

	if (n->phased && (close_phase(n, end, err) || put_phases(n, err)))
		return WM_NO_MEMORY;
	if (put_names(n, epoch, err))
		return WM_NO_MEMORY;
	put_indices(n);
	for (size_t i = 0; i < to->region_count; i++)
		if (!to->region[i].ended)
			to->region[i].to = wm_trace_seconds(n->trace, end);
	if (n->phased && copy_name(n, n->peak, &rank->peak_phase, err))
		return WM_NO_MEMORY;
	if (n->paused_since && end > n->paused_since)
		n->paused += end - n->paused_since;
	rank->pauses = n->pauses;
	rank->paused_seconds = wm_trace_duration(n->trace, n->paused);
	if (wm_annotations_sort(to, err))
		return WM_NO_MEMORY;
	rank->annotations = *to;
	memset(to, 0, sizeof(*to));
	return WM_OK;
}
