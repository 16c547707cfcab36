/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/annotations.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/order.h"
#include "analyze/lib/base/vec.h"

static void wire_phase(struct wm_wire *w, void *phase)
{
	struct wm_phase *p = phase;

	wm_wire_text(w, &p->name);
	wm_wire_array(w, &p->held, &p->held_count, NULL, sizeof(*p->held));
}

static void wire_name(struct wm_wire *w, void *name)
{
	wm_wire_text(w, &((struct wm_name *)name)->name);
}

static void wire_snapshot(struct wm_wire *w, void *snapshot)
{
	struct wm_snapshot *s = snapshot;

	wm_wire_text(w, &s->name);
	wm_wire_array(w, &s->path, &s->path_count, NULL, sizeof(*s->path));
	wm_wire_array(w, &s->named, &s->named_count, NULL, sizeof(*s->named));
}

static void wire_text(struct wm_wire *w, void *text)
{
	wm_wire_text(w, &((struct wm_text_mark *)text)->text);
}

static void wire_region(struct wm_wire *w, void *region)
{
	wm_wire_text(w, &((struct wm_named_region *)region)->name);
}

void wm_annotations_wire(struct wm_wire *w, struct wm_annotations *n)
{
	wm_wire_items(w, &n->phase, &n->phase_count, &n->phase_cap,
		      sizeof(*n->phase), wire_phase);
	wm_wire_items(w, &n->name, &n->name_count, &n->name_cap,
		      sizeof(*n->name), wire_name);
	wm_wire_array(w, &n->tag, &n->tag_count, &n->tag_cap, sizeof(*n->tag));
	wm_wire_array(w, &n->stretch, &n->stretch_count, &n->stretch_cap,
		      sizeof(*n->stretch));
	wm_wire_items(w, &n->snapshot, &n->snapshot_count, &n->snapshot_cap,
		      sizeof(*n->snapshot), wire_snapshot);
	wm_wire_items(w, &n->text, &n->text_count, &n->text_cap,
		      sizeof(*n->text), wire_text);
	wm_wire_items(w, &n->region, &n->region_count, &n->region_cap,
		      sizeof(*n->region), wire_region);
}

void wm_annotations_release(struct wm_annotations *n)
{
	WM_WIRE_FREE(n, wm_annotations_wire);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct wm_name *)a)->name,
		      ((const struct wm_name *)b)->name);
}

static int by_bytes(const void *a, const void *b)
{
	const struct wm_name *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->peak_bytes, x->peak_bytes),
		       WM_ORDER(y->high, x->high), strcmp(x->name, y->name));
}

static int by_path(const void *a, const void *b)
{
	const struct wm_tag *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->path, y->path),
		       WM_ORDER(y->peak_bytes, x->peak_bytes),
		       WM_ORDER(x->name, y->name));
}

static int by_path_and_name(const void *a, const void *b)
{
	const struct wm_tag *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->path, y->path), WM_ORDER(x->name, y->name));
}

static void join_tags(struct wm_annotations *n)
{
	size_t i, k = 0;

	if (!n->tag_count)
		return;
	WM_SORT(n->tag, n->tag_count, by_path_and_name);
	for (i = 1; i < n->tag_count; i++) {
		const struct wm_tag *t = &n->tag[i];

		if (by_path_and_name(&n->tag[k], t) != 0) {
			n->tag[++k] = *t;
			continue;
		}
		n->tag[k].peak_bytes += t->peak_bytes;
		n->tag[k].peak_blocks += t->peak_blocks;
		n->tag[k].end_bytes += t->end_bytes;
		n->tag[k].end_blocks += t->end_blocks;
	}
	n->tag_count = k + 1;
}

/* Sorts the names by @order and renumbers all references to them. */
static enum wm_status sort_names(struct wm_annotations *n,
				 int (*order)(const void *, const void *),
				 struct wm_err *err)
{
	struct entry {
		struct wm_name name; /* first, as @order compares names */
		uint32_t old;
	};
	struct entry *e;
	uint32_t *number;

	if (!n->name_count)
		return WM_OK;
	e = calloc(n->name_count, sizeof(*e));
	number = calloc(n->name_count, sizeof(*number));
	if (!e || !number) {
		free(e);
		free(number);
		return wm_no_memory(err, "names");
	}
	for (size_t i = 0; i < n->name_count; i++) {
		e[i].name = n->name[i];
		e[i].old = (uint32_t)i;
	}
	WM_SORT(e, n->name_count, order);
	for (size_t i = 0; i < n->name_count; i++) {
		n->name[i] = e[i].name;
		number[e[i].old] = (uint32_t)i;
	}
	for (size_t i = 0; i < n->tag_count; i++)
		n->tag[i].name = number[n->tag[i].name];
	for (size_t i = 0; i < n->snapshot_count; i++)
		for (size_t k = 0; k < n->snapshot[i].named_count; k++)
			n->snapshot[i].named[k].what =
				number[n->snapshot[i].named[k].what];
	free(e);
	free(number);
	return WM_OK;
}

static bool same_name(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Finds or adds the phase called @name; @hint is its likely number. */
static struct wm_phase *phase_of(struct wm_annotations *n, const char *name,
				 size_t hint)
{
	struct wm_phase *p;

	if (hint < n->phase_count && same_name(n->phase[hint].name, name))
		return &n->phase[hint];
	for (size_t i = 0; i < n->phase_count; i++)
		if (same_name(n->phase[i].name, name))
			return &n->phase[i];
	p = WM_MORE(n->phase, n->phase_cap, n->phase_count);
	if (!p)
		return NULL;
	if (name && !(p->name = strdup(name)))
		return NULL;
	n->phase_count++;
	return p;
}

static enum wm_status merge_held(struct wm_phase *to,
				 const struct wm_phase *from,
				 const uint32_t *path, struct wm_err *err)
{
	size_t count = to->held_count, i;
	uint64_t *held;

	for (i = 0; i < from->held_count; i++)
		if (path[i] >= count)
			count = (size_t)path[i] + 1;
	if (count > to->held_count) {
		held = realloc(to->held, count * sizeof(*held));
		if (!held)
			return wm_no_memory(err, "names");
		memset(held + to->held_count, 0,
		       (count - to->held_count) * sizeof(*held));
		to->held = held;
		to->held_count = count;
	}
	for (i = 0; i < from->held_count; i++)
		to->held[path[i]] += from->held[i];
	to->held_ranks += from->held_ranks;
	return WM_OK;
}

static enum wm_status merge_phases(struct wm_annotations *to,
				   const struct wm_annotations *from,
				   const uint32_t *path, struct wm_err *err)
{
	for (size_t i = 0; i < from->phase_count; i++) {
		const struct wm_phase *f = &from->phase[i];
		struct wm_phase *p = phase_of(to, f->name, i);

		if (!p)
			return wm_no_memory(err, "names");
		if (!p->ranks || f->first < p->first)
			p->first = f->first;
		if (f->seconds > p->seconds)
			p->seconds = f->seconds;
		if (!p->ranks || f->peak_bytes > p->peak_bytes) {
			p->peak_bytes = f->peak_bytes;
			p->peak_seconds = f->peak_seconds;
		}
		p->ranks += f->ranks;
		p->entered += f->entered;
		p->end_bytes += f->end_bytes;
		p->allocations += f->allocations;
		p->releases += f->releases;
		if (merge_held(p, f, path, err))
			return WM_NO_MEMORY;
	}
	return WM_OK;
}

/* Finds or adds the name of @like.  @sorted names are in order of text. */
static enum wm_status name_of(struct wm_annotations *n, size_t sorted,
			      const struct wm_name *like, size_t *index,
			      struct wm_err *err)
{
	struct wm_name *p = NULL;

	if (sorted)
		p = bsearch(like, n->name, sorted, sizeof(*p), by_text);
	if (p) {
		*index = (size_t)(p - n->name);
		return WM_OK;
	}
	p = WM_MORE(n->name, n->name_cap, n->name_count);
	if (!p)
		return wm_no_memory(err, "names");
	p->name = strdup(like->name);
	if (!p->name)
		return wm_no_memory(err, "names");
	*index = n->name_count++;
	return WM_OK;
}

static enum wm_status merge_names(struct wm_annotations *to,
				  const struct wm_annotations *from,
				  uint32_t *number, struct wm_err *err)
{
	size_t sorted = to->name_count, i, k = 0;
	enum wm_status s;

	for (i = 0; i < from->name_count; i++) {
		const struct wm_name *f = &from->name[i];

		s = name_of(to, sorted, f, &k, err);
		if (s)
			return s;
		number[i] = (uint32_t)k;
		to->name[k].variable |= f->variable;
		to->name[k].blocks += f->blocks;
		if (f->high > to->name[k].high)
			to->name[k].high = f->high;
		to->name[k].peak_bytes += f->peak_bytes;
		to->name[k].peak_blocks += f->peak_blocks;
		to->name[k].end_bytes += f->end_bytes;
		to->name[k].end_blocks += f->end_blocks;
	}
	return WM_OK;
}

enum wm_status wm_annotations_merge(struct wm_annotations *to,
				    const struct wm_annotations *from,
				    const uint32_t *path, struct wm_err *err)
{
	uint32_t *number;
	enum wm_status s;
	struct wm_tag *t;

	if (!from->phase_count && !from->name_count)
		return WM_OK;
	number = calloc(from->name_count + 1, sizeof(*number));
	if (!number)
		return wm_no_memory(err, "names");
	s = merge_phases(to, from, path, err);
	if (!s)
		s = merge_names(to, from, number, err);
	for (size_t i = 0; i < from->tag_count && !s; i++) {
		t = WM_MORE(to->tag, to->tag_cap, to->tag_count);
		if (!t) {
			s = wm_no_memory(err, "names");
			break;
		}
		to->tag_count++;
		*t = from->tag[i];
		t->path = path[t->path];
		t->name = number[t->name];
	}
	free(number);
	join_tags(to);
	return s ? s : sort_names(to, by_text, err);
}

static int by_first(const void *a, const void *b)
{
	const struct wm_phase *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->first, y->first),
		       wm_text_order(x->name, y->name));
}

enum wm_status wm_annotations_sort(struct wm_annotations *n, struct wm_err *err)
{
	enum wm_status s = sort_names(n, by_bytes, err);

	/* snapshots and texts of one rank refer to phases by number */
	if (!s && n->phase_count && !n->stretch_count && !n->snapshot_count &&
	    !n->text_count)
		WM_SORT(n->phase, n->phase_count, by_first);
	if (!s && n->tag_count)
		WM_SORT(n->tag, n->tag_count, by_path);
	return s;
}

const struct wm_tag *wm_annotations_tags(const struct wm_annotations *n,
					 uint32_t path, size_t *count)
{
	size_t first = WM_FIRST(i, n->tag_count, n->tag[i].path >= path);
	size_t end = WM_FIRST(i, n->tag_count, n->tag[i].path > path);

	*count = end - first;
	return n->tag_count ? n->tag + first : NULL;
}
