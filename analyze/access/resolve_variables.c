/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/resolve_variables.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"

uint32_t wm_resolver_variable(struct wm_resolver *r,
			      const struct wm_access_variable *v)
{
	struct wm_access_table *t = &r->table;
	struct wm_access_variable *to;

	if (t->variables == UINT32_MAX)
		return UINT32_MAX;
	to = WM_MORE(t->variable, t->variable_cap, t->variables);
	if (!to)
		return UINT32_MAX;
	*to = *v;
	return (uint32_t)t->variables++;
}

static uint32_t variable_of(struct wm_resolver *r, uint8_t family,
			    uint32_t path)
{
	struct wm_access_variable x = {
		.where = WM_WHERE_BLOCK,
		.family = family,
		.path = path,
	};
	uint32_t **list = &r->block[family], n;

	if (!*list)
		*list = calloc(r->paths->path_count, sizeof(**list));
	if (!*list)
		return 0;
	if ((*list)[path])
		return (*list)[path];
	n = wm_resolver_variable(r, &x);
	return n == UINT32_MAX ? 0 : ((*list)[path] = n);
}

/* Adds @x with a copy of @name, which may be NULL, to the slot @s of @index. */
static uint32_t add_named(struct wm_resolver *r, struct wm_access_variable *x,
			  const char *name, struct wm_index *index,
			  struct wm_index_slot *s, uint32_t hash)
{
	uint32_t n = UINT32_MAX;

	x->name = name ? strdup(name) : NULL;
	if (x->name || !name)
		n = wm_resolver_variable(r, x);
	if (n == UINT32_MAX)
		free(x->name);
	else
		wm_index_put(index, s, hash, n);
	return n;
}

uint32_t wm_resolver_called(struct wm_resolver *r, uint8_t family,
			    uint32_t path, uint32_t name)
{
	struct wm_access_variable x = {
		.where = WM_WHERE_BLOCK,
		.family = family,
		.path = path,
		.called = name,
	};
	uint32_t hash = wm_index_hash((uint64_t)name << 40 ^
				      (uint64_t)family << 32 ^ path);
	const char *text = wm_trace_name(r->t, name);
	struct wm_index_slot *s;
	uint32_t n;

	if (!text)
		return variable_of(r, family, path);
	if (wm_index_room(&r->called_index))
		return 0;
	WM_INDEX_EACH(s, &r->called_index, hash) {
		const struct wm_access_variable *v =
			&r->table.variable[s->number - 1];

		if (v->called == name && v->path == path && v->family == family)
			return s->number - 1;
	}
	n = add_named(r, &x, text, &r->called_index, s, hash);
	return n == UINT32_MAX ? 0 : n;
}

uint32_t wm_resolver_local(struct wm_resolver *r,
			   const struct wm_live_frame *frame,
			   const struct wm_local *local)
{
	struct wm_access_variable x = { .where = WM_WHERE_LOCAL };
	struct wm_index_slot *s;
	uint32_t hash;

	wm_local_names_place(r->paths, frame->pc, &x.module, &x.offset);
	if (local) {
		x.place = local->place;
		x.bytes = local->bytes;
	}
	hash = wm_index_hash(x.offset ^ (uint64_t)x.module << 40 ^
			     (uint64_t)x.place << 20);
	if (wm_index_room(&r->local_index))
		return UINT32_MAX;
	WM_INDEX_EACH(s, &r->local_index, hash) {
		const struct wm_access_variable *v =
			&r->table.variable[s->number - 1];

		/* place 0: no local variable; two variables may share memory */
		if (v->module == x.module && v->offset == x.offset &&
		    v->place == x.place && v->bytes == x.bytes &&
		    (!local || !strcmp(local->name, v->name)))
			return s->number - 1;
	}
	return add_named(r, &x, local ? local->name : NULL, &r->local_index, s,
			 hash);
}

/* The place and size distinguish regions of a static variable, so that its
 * members can be reported, too. */
uint32_t wm_resolver_region(struct wm_resolver *r, const struct wm_region *g,
			    uint32_t owner, uint64_t base)
{
	struct wm_access_variable x = {
		.where = WM_WHERE_REGION,
		.bytes = g->span.bytes,
		.called = g->name,
		.owner = owner,
		.element = g->span.element,
	};
	bool fixed = r->table.variable[owner].where == WM_WHERE_STATIC;
	const char *name = wm_trace_name(r->t, g->name);
	struct wm_index_slot *s;
	uint32_t hash;

	if (fixed)
		x.place = (int64_t)(g->span.start - base);
	hash = wm_index_hash((uint64_t)g->name << 32 ^ owner ^
			     (uint64_t)x.place << 16);
	if (wm_index_room(&r->region_index))
		return UINT32_MAX;
	WM_INDEX_EACH(s, &r->region_index, hash) {
		struct wm_access_variable *v =
			&r->table.variable[s->number - 1];

		if (v->called != x.called || v->owner != owner ||
		    v->element != x.element || v->place != x.place ||
		    (fixed && v->bytes != x.bytes))
			continue;
		if (v->bytes < x.bytes)
			v->bytes = x.bytes;
		return s->number - 1;
	}
	return add_named(r, &x, name ? name : "(lost name)", &r->region_index,
			 s, hash);
}

static enum wm_status add_names(struct wm_resolver *r, struct wm_variables *v,
				const struct wm_mapping *m, struct wm_err *err)
{
	enum wm_status s;

	s = wm_variables_read(v, &r->paths->modules[m->module], err);
	if (s)
		return s == WM_NO_MEMORY ? s : WM_OK;
	for (size_t i = 0; i < v->count; i++) {
		struct wm_access_variable x = {
			.where = WM_WHERE_STATIC,
			.module = m->module,
			.offset = v->variable[i].address,
			.bytes = v->variable[i].bytes,
			.name = v->variable[i].name,
		};
		uint64_t lo = m->bias + x.offset;
		uint32_t n = wm_resolver_variable(r, &x);

		if (n == UINT32_MAX)
			return wm_no_memory(err, NULL);
		v->variable[i].name = NULL;
		if (wm_statics_add(&r->objects.variables, lo, lo + x.bytes, n))
			return wm_no_memory(err, NULL);
	}
	return WM_OK;
}

enum wm_status wm_resolver_module(struct wm_resolver *r,
				  const struct wm_mapping *m,
				  struct wm_err *err)
{
	struct wm_access_variable x = {
		.where = WM_WHERE_MODULE,
		.module = m->module,
		.offset = m->first - m->bias,
		.bytes = m->end - m->first,
	};
	struct wm_variables v = { 0 };
	uint32_t n = wm_resolver_variable(r, &x);
	enum wm_status s;

	if (n == UINT32_MAX ||
	    wm_statics_add(&r->objects.modules, m->first, m->end, n))
		return wm_no_memory(err, NULL);
	s = add_names(r, &v, m, err);
	wm_variables_release(&v);
	return s;
}
