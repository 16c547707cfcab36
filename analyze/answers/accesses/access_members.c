/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/accesses/access_members.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/whole.h"
#include "wm/access_format.h"
#include "wm/search.h"

/* a cold member has less than 1/20 of the hottest member's accesses */
#define COLD_PART 20
#define LEAST_ACCESSES 100 /* fewest accesses of a hottest member */
#define LINE 64
#define WALKED 64 /* elements after which the pattern of lines repeats */

static void add_sum(struct wm_access_sum *to, const struct wm_access_cell *c,
		    uint8_t kind, uint64_t bytes)
{
	to->accesses += c->accesses;
	to->loads += kind == WMA_WRITE ? 0 : c->accesses;
	to->stores += kind == WMA_READ ? 0 : c->accesses;
	to->bytes += bytes;
}

/* Counts @c for the members that it accesses, or returns false if uncertain. */
static bool count_cell(struct wm_structure_use *s,
		       const struct wm_access_cell *c, uint8_t kind)
{
	uint64_t size = c->bytes / c->accesses;
	uint64_t from = c->lowest % s->element_bytes, end = from + size;
	uint64_t width = c->highest - c->lowest;
	bool one_place = !c->step || c->step % s->element_bytes == 0;
	bool found = false;

	if (c->bytes % c->accesses || end > s->element_bytes)
		return false;
	for (size_t i = 0; i < s->members; i++) {
		struct wm_member_use *m = &s->member[i];
		uint64_t low = m->member.offset, high = low + m->member.bytes;

		if (!one_place &&
		    (from < low || end > high || width > high - end))
			continue;
		wm_raise(&low, from);
		if (one_place && high > end)
			high = end;
		if (low >= high)
			continue;
		add_sum(&m->sum, c, kind,
			one_place ? c->accesses * (high - low) : c->bytes);
		found = true;
	}
	return found;
}

static void count_all(struct wm_structure_use *of, const struct wm_analysis *a,
		      const struct wm_access_names *n)
{
	const struct wm_access_table *t = &a->accesses;

	for (size_t i = 0; i < t->cells; i++) {
		struct wm_access_cell c = t->cell[i];
		uint8_t kind = t->spot[c.spot].kind;
		struct wm_structure_use *s;
		int64_t shift;

		s = &of[wm_access_shown(n, a, c.variable, &shift)];
		if (!c.accesses || !s->members)
			continue;
		c.lowest += (uint64_t)shift;
		c.highest += (uint64_t)shift;
		add_sum(&s->sum, &c, kind, c.bytes);
		if (!count_cell(s, &c, kind))
			s->unsure += c.accesses;
	}
}

static bool overlap(const struct wm_elements_member *x,
		    const struct wm_elements_member *y)
{
	return x->offset < y->offset + y->bytes &&
	       y->offset < x->offset + x->bytes;
}

/* Returns whether @m shares bytes with a hot member (in a union or bit field),
 * so that it cannot be moved. */
static bool tied(const struct wm_structure_use *s,
		 const struct wm_member_use *m)
{
	for (size_t i = 0; i < s->members; i++)
		if (!s->member[i].cold &&
		    overlap(&s->member[i].member, &m->member))
			return true;
	return false;
}

/* Returns the cache lines with hot members of WALKED elements at @address. */
static uint64_t lines_of(const struct wm_structure_use *s, uint64_t address)
{
	uint64_t lines = 0, next = 0;

	for (uint64_t k = 0; k < WALKED; k++)
		for (size_t i = 0; i < s->members; i++) {
			const struct wm_elements_member *m =
				&s->member[i].member;
			uint64_t at = address % LINE + k * s->element_bytes +
				      m->offset;
			uint64_t from = at / LINE;
			uint64_t end = (at + m->bytes - 1) / LINE + 1;

			if (s->member[i].cold || !m->bytes || end <= next)
				continue;
			lines += end - (from > next ? from : next);
			next = end;
		}
	return lines;
}

static uint64_t bytes_of_hot(const struct wm_structure_use *s)
{
	uint64_t bytes = 0, next = 0;

	for (size_t i = 0; i < s->members; i++) {
		const struct wm_elements_member *m = &s->member[i].member;
		uint64_t end = m->offset + m->bytes;

		if (s->member[i].cold || end <= next)
			continue;
		bytes += end - (m->offset > next ? m->offset : next);
		next = end;
	}
	return bytes;
}

/* Makes members hot that share bytes with hot ones, until there are none. */
static void keep_tied(struct wm_structure_use *s)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < s->members; i++)
			if (s->member[i].cold && tied(s, &s->member[i])) {
				s->member[i].cold = false;
				more = true;
			}
	}
}

static void find_cold(struct wm_structure_use *s, uint64_t address)
{
	uint64_t most = 0;
	bool any = false;

	for (size_t i = 0; i < s->members; i++)
		wm_raise(&most, s->member[i].sum.accesses);
	if (s->elements < 2 || most < LEAST_ACCESSES)
		return;
	for (size_t i = 0; i < s->members; i++) {
		struct wm_member_use *m = &s->member[i];

		m->cold = m->sum.accesses + s->unsure < most / COLD_PART;
	}
	keep_tied(s);
	for (size_t i = 0; i < s->members; i++)
		any = any || s->member[i].cold;
	if (!any)
		return;
	s->hot_bytes = bytes_of_hot(s);
	s->lines = lines_of(s, address);
	/* after a split, WALKED elements would take hot_bytes lines */
	if (s->hot_bytes < s->lines)
		return;
	s->hot_bytes = s->lines = 0;
	for (size_t i = 0; i < s->members; i++)
		s->member[i].cold = false;
}

/* Fills in the members of variable @v, or none if @v is no structure. */
static enum wm_status find_members(struct wm_structure_use *s,
				   const struct wm_analysis *a,
				   const struct wm_access_names *n, size_t v,
				   struct wm_elements_member *list,
				   struct wm_err *err)
{
	const struct wm_access_variable *x = &a->accesses.variable[v];
	const struct wm_elements_variable *e = NULL;
	size_t members;

	if (!n->variable[v].kind)
		return WM_OK;
	if (x->where == WM_WHERE_BLOCK)
		e = wm_access_element(n, a, (uint32_t)v);
	else if (x->where == WM_WHERE_STATIC &&
		 a->paths.modules[x->module].main)
		e = wm_elements_find(n->elements, x->offset, false);
	if (!e || (x->where == WM_WHERE_STATIC && e->address != x->offset) ||
	    e->descriptor || !e->element_bytes)
		return WM_OK;
	members = wm_elements_members(n->elements, e, list, WM_ACCESS_MEMBERS);
	/* only damaged files have such sizes */
	for (size_t i = 0; i < members; i++)
		if (list[i].bytes > e->element_bytes ||
		    list[i].offset > e->element_bytes - list[i].bytes)
			return WM_OK;
	if (!members || members == WM_ACCESS_MEMBERS ||
	    e->element_bytes > UINT32_MAX)
		return WM_OK;
	s->member = calloc(members, sizeof(*s->member));
	if (!s->member)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < members; i++)
		s->member[i].member = list[i];
	s->members = members;
	s->variable = &n->variable[v];
	s->element_bytes = e->element_bytes;
	s->elements = x->where == WM_WHERE_BLOCK ? x->bytes / e->element_bytes :
						   e->elements;
	return WM_OK;
}

static int by_accesses(const void *a, const void *b)
{
	const struct wm_structure_use *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->sum.accesses, x->sum.accesses),
		       x->members && y->members ?
			       strcmp(x->variable->name, y->variable->name) :
			       WM_ORDER(y->members, x->members));
}

enum wm_status wm_structure_uses_make(struct wm_structure_uses *u,
				      const struct wm_analysis *a,
				      const struct wm_access_names *n,
				      struct wm_err *err)
{
	const struct wm_access_table *t = &a->accesses;
	struct wm_elements_member *list = calloc(WM_ACCESS_MEMBERS,
						 sizeof(*list));
	enum wm_status s = WM_OK;

	u->count = t->variables;
	u->list = calloc(t->variables + 1, sizeof(*u->list));
	if (!list || !u->list)
		s = wm_no_memory(err, NULL);
	for (size_t i = 0; i < t->variables && !s && n->elements; i++)
		s = find_members(&u->list[i], a, n, i, list, err);
	free(list);
	if (s) {
		wm_structure_uses_release(u);
		return s;
	}
	count_all(u->list, a, n);
	for (size_t i = 0; i < u->count; i++)
		if (u->list[i].members)
			find_cold(&u->list[i], t->variable[i].offset);
	WM_SORT(u->list, u->count, by_accesses);
	while (u->count && !u->list[u->count - 1].members)
		u->count--;
	return WM_OK;
}

void wm_structure_uses_release(struct wm_structure_uses *u)
{
	for (size_t i = 0; u->list && i < u->count; i++)
		free(u->list[i].member);
	free(u->list);
	memset(u, 0, sizeof(*u));
}
