/* SPDX-License-Identifier: Apache-2.0 */
/* Adds and removes blocks, mappings, names and regions of a resolver. */
#include "analyze/access/resolve_variables.h"
#include "analyze/lib/base/whole.h"

static void count_block(struct wm_access_variable *v, uint64_t bytes)
{
	v->blocks++;
	wm_raise(&v->bytes, bytes);
}

/* Gives the block at @addr name @name; 0 removes its name. */
static bool call_block(struct wm_resolver *r, uint64_t addr, uint32_t name)
{
	struct wm_objects *all = &r->objects;
	const struct wm_access_variable *v;
	struct wm_object *o;
	struct wm_found f;
	uint32_t n;

	if (wm_objects_find(all, addr, &f))
		return false;
	o = &all->object[f.number];
	v = &r->table.variable[o->owner];
	if (f.number == WM_OBJECT_NONE || o->lo != addr ||
	    v->where != WM_WHERE_BLOCK)
		return true;
	n = wm_resolver_called(r, v->family, v->path, name);
	if (!n)
		return false;
	/* a block counts for all names under which it was accessed */
	r->table.variable[o->owner].blocks -= !o->touched;
	count_block(&r->table.variable[n], o->bytes);
	o->owner = n;
	o->touched = false;
	/* remembered look-ups become invalid */
	o->serial++;
	all->object[WM_OBJECT_NONE].serial++;
	return true;
}

static bool take_mark(struct wm_resolver *r, const struct wm_mark *m)
{
	struct wm_region gone;

	if (m->kind == WM_MARK_REGION || m->kind == WM_MARK_REGION_END) {
		r->region_marks++;
		return !wm_regions_take(&r->regions, m, &gone, NULL);
	}
	/* a pointer to a block is found by its accesses */
	if (m->name & WM_NAME_HELD)
		return true;
	if (m->kind == WM_MARK_MOVED)
		r->moved = m->name;
	else if (m->kind == WM_MARK_GIVEN)
		return call_block(r, m->span.start, m->name);
	else if (m->kind == WM_MARK_TAKEN)
		return call_block(r, m->span.start, 0);
	return true;
}

static bool take_change(struct wm_resolver *r, const struct wm_changes *c,
			size_t i)
{
	uint32_t path = c->who[i] & ~WM_RELEASE;
	bool mapping = !wm_family_blocks[c->family[i]];
	uint32_t n;

	if (c->who[i] & WM_RELEASE) {
		wm_objects_lose(&r->objects, c->addr[i], c->bytes[i], mapping);
		r->newborn = 0;
		return true;
	}
	n = wm_resolver_called(r, c->family[i], path, r->moved);
	r->moved = 0;
	if (!n)
		return false;
	count_block(&r->table.variable[n], c->bytes[i]);
	r->newborn = c->family[i] == WM_FAMILY_heap ? n : 0;
	return !wm_objects_gain(&r->objects, c->addr[i], c->bytes[i], n,
				mapping);
}

enum wm_status wm_resolver_take(struct wm_resolver *r,
				const struct wm_changes *c, struct wm_err *err)
{
	size_t k = 0;

	for (size_t i = 0; i <= c->count; i++) {
		for (; k < c->marks && c->mark[k].at <= i; k++)
			if (!take_mark(r, &c->mark[k]))
				return wm_no_memory(err, NULL);
		if (i < c->count && !take_change(r, c, i))
			return wm_no_memory(err, NULL);
	}
	return WM_OK;
}
