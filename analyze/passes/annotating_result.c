/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/annotating_state.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/trace/reader.h"
#include "wm/search.h"

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

	/* phases of one array: in order of their numbers */
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
		p->listed = i < WM_MAX_LISTED;
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

enum wm_status wm_annotating_result(struct wm_annotating *n,
				    const struct wm_trace *t, uint64_t epoch,
				    struct wm_rank *rank, struct wm_err *err)
{
	struct wm_annotations *to = &rank->annotations;
	enum wm_status s = WM_OK;

	to->regions_left_out = n->regions_left_out;
	if (n->phased)
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
