/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot and cold members: the loads and stores of the chosen rank for each member
 * of structures, and the members that should move to a structure of their own.
 * Covers the executable's static variables and arrays, and Fortran's
 * allocatable arrays of a derived type that belong to one variable.  The list
 * owns its rows; texts belong to the names, which must outlive it.
 */
#include "analyze/answers/reports.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/whole.h"
#include "analyze/answers/accesses/access_names.h"
#include "analyze/render/table.h"
#include "wm/access_format.h"
#include "wm/search.h"

/* Structures with this many members or more are left out. */
#define MEMBERS 512

struct access_sum {
	uint64_t accesses, loads, stores, bytes;
};

struct member_use {
	struct wm_elements_member member;
	/* an access to several members counts for each of them */
	struct access_sum sum;
	bool cold; /* the member is cold, and the array should be split */
};

struct structure_use {
	const struct wm_access_named *variable;
	uint64_t element_bytes,
		elements; /* of the largest block; 1: no array */
	struct access_sum sum; /* of the whole variable */
	uint64_t unsure; /* accesses whose member is uncertain */
	struct member_use *member; /* in order of their offsets */
	size_t members;
	/* If the structure should be split (else 0): bytes of its hot members,
	 * and cache lines of 64 bytes with hot members of 64 elements. */
	uint64_t hot_bytes, lines;
};

struct structure_uses {
	struct structure_use *list; /* most accesses first */
	size_t count;
};

/* a cold member has less than 1/20 of the hottest member's accesses */
#define COLD_PART 20
#define LEAST_ACCESSES 100 /* fewest accesses of a hottest member */
#define LINE 64
#define WALKED 64 /* elements after which the pattern of lines repeats */

static void add_sum(struct access_sum *to, const struct wm_access_cell *c,
		    uint8_t kind, uint64_t bytes)
{
	to->accesses += c->accesses;
	to->loads += kind == WMA_WRITE ? 0 : c->accesses;
	to->stores += kind == WMA_READ ? 0 : c->accesses;
	to->bytes += bytes;
}

/* Counts @c for the members that it accesses, or returns false if uncertain. */
static bool count_cell(struct structure_use *s, const struct wm_access_cell *c,
		       uint8_t kind)
{
	uint64_t size = c->bytes / c->accesses;
	uint64_t from = c->lowest % s->element_bytes, end = from + size;
	uint64_t width = c->highest - c->lowest;
	bool one_place = !c->step || c->step % s->element_bytes == 0;
	bool found = false;

	if (c->bytes % c->accesses || end > s->element_bytes)
		return false;
	for (size_t i = 0; i < s->members; i++) {
		struct member_use *m = &s->member[i];
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

static void count_all(struct structure_use *of, const struct wm_analysis *a,
		      const struct wm_access_names *n)
{
	const struct wm_access_table *t = &a->accesses;

	for (size_t i = 0; i < t->cells; i++) {
		struct wm_access_cell c = t->cell[i];
		uint8_t kind = t->spot[c.spot].kind;
		struct structure_use *s;
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
static bool tied(const struct structure_use *s, const struct member_use *m)
{
	for (size_t i = 0; i < s->members; i++)
		if (!s->member[i].cold &&
		    overlap(&s->member[i].member, &m->member))
			return true;
	return false;
}

/* Returns the cache lines with hot members of WALKED elements at @address. */
static uint64_t lines_of(const struct structure_use *s, uint64_t address)
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

static uint64_t bytes_of_hot(const struct structure_use *s)
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
static void keep_tied(struct structure_use *s)
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

static void find_cold(struct structure_use *s, uint64_t address)
{
	uint64_t most = 0;
	bool any = false;

	for (size_t i = 0; i < s->members; i++)
		wm_raise(&most, s->member[i].sum.accesses);
	if (s->elements < 2 || most < LEAST_ACCESSES)
		return;
	for (size_t i = 0; i < s->members; i++) {
		struct member_use *m = &s->member[i];

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
static enum wm_status find_members(struct structure_use *s,
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
	members = wm_elements_members(n->elements, e, list, MEMBERS);
	/* only damaged files have such sizes */
	for (size_t i = 0; i < members; i++)
		if (list[i].bytes > e->element_bytes ||
		    list[i].offset > e->element_bytes - list[i].bytes)
			return WM_OK;
	if (!members || members == MEMBERS || e->element_bytes > UINT32_MAX)
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
	const struct structure_use *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->sum.accesses, x->sum.accesses),
		       x->members && y->members ?
			       strcmp(x->variable->name, y->variable->name) :
			       WM_ORDER(y->members, x->members));
}

static void release_uses(struct structure_uses *u)
{
	for (size_t i = 0; u->list && i < u->count; i++)
		free(u->list[i].member);
	free(u->list);
}

static enum wm_status make_uses(struct structure_uses *u,
				const struct wm_analysis *a,
				const struct wm_access_names *n,
				struct wm_err *err)
{
	const struct wm_access_table *t = &a->accesses;
	struct wm_elements_member *list = calloc(MEMBERS, sizeof(*list));
	enum wm_status s = WM_OK;

	u->count = t->variables;
	u->list = calloc(t->variables + 1, sizeof(*u->list));
	if (!list || !u->list)
		s = wm_no_memory(err, NULL);
	for (size_t i = 0; i < t->variables && !s && n->elements; i++)
		s = find_members(&u->list[i], a, n, i, list, err);
	free(list);
	if (s) {
		release_uses(u);
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

static const struct wm_table_column columns[] = {
	{ "variable", NULL, WM_UNIT_TEXT },
	{ "variable_file", NULL, WM_UNIT_TEXT },
	{ "variable_line", NULL, WM_UNIT_NUMBER },
	{ "elements", "elements", WM_UNIT_COUNT },
	{ "element_bytes", "bytes each", WM_UNIT_NUMBER },
	{ "unsure", "unsure", WM_UNIT_COUNT },
	{ "hot_bytes", NULL, WM_UNIT_NUMBER },
	{ "lines", NULL, WM_UNIT_COUNT },
	{ "lines_apart", NULL, WM_UNIT_COUNT },
	{ "member", NULL, WM_UNIT_TEXT },
	{ "offset", "offset", WM_UNIT_NUMBER },
	{ "member_bytes", "bytes", WM_UNIT_NUMBER },
	{ "cold", NULL, WM_UNIT_FLAG },
	{ "loads", "loads", WM_UNIT_COUNT },
	{ "stores", "stores", WM_UNIT_COUNT },
	{ "accesses", NULL, WM_UNIT_COUNT },
	{ "bytes", "accessed", WM_UNIT_BYTES },
	{ "share", "share", WM_UNIT_PERCENT },
	{ ".what", "structure, member", WM_UNIT_TEXT },
};

static void put_sum(struct wm_table *t, const struct access_sum *s)
{
	wm_table_at(t, "loads");
	WM_TABLE_ADD(t, s->loads, s->stores, s->accesses, s->bytes);
}

static void put_structure(struct wm_table *t, const struct structure_use *s)
{
	const struct wm_access_named *v = s->variable;

	wm_table_row(t, 0);
	WM_TABLE_ADD(t, v->name, v->file, wm_nonzero(v->line), s->elements,
		     s->element_bytes, s->unsure, wm_nonzero(s->hot_bytes),
		     wm_known(s->hot_bytes != 0, s->lines));
	/* the packed hot members of 64 elements take as many lines of 64 bytes
	 * as those of one element take bytes */
	WM_TABLE_ADD(t, wm_known(s->hot_bytes != 0, s->hot_bytes));
	put_sum(t, &s->sum);
	wm_table_at(t, ".what");
	wm_table_text(t, v->name);
	for (size_t i = 0; i < s->members; i++) {
		const struct member_use *m = &s->member[i];

		wm_table_row(t, 1);
		wm_table_at(t, "member");
		WM_TABLE_ADD(t, m->member.name, m->member.offset,
			     m->member.bytes, m->cold);
		put_sum(t, &m->sum);
		WM_TABLE_ADD(t, wm_share(m->sum.accesses, s->sum.accesses),
			     m->member.name);
	}
}

/* Writes as many names of cold, or of hot, members as fit. */
static void list_names(const struct structure_use *s, bool cold, char *to,
		       size_t room)
{
	size_t at = 0;

	to[0] = 0;
	for (size_t i = 0; i < s->members; i++) {
		int k;

		if (s->member[i].cold != cold)
			continue;
		k = snprintf(to + at, room - at, "%s%s", at ? ", " : "",
			     s->member[i].member.name);
		if (k < 0 || (size_t)k >= room - at) {
			snprintf(to + at, room - at, "%s", at ? " ..." : "...");
			return;
		}
		at += (size_t)k;
		if (room - at < sizeof(" ...") + 1)
			return;
	}
}

static void put_split(const struct structure_use *s, struct wm_doc *d)
{
	char hot[160], cold[160];

	list_names(s, false, hot, sizeof(hot));
	list_names(s, true, cold, sizeof(cold));
	wm_doc_print(d,
		     "  %s: %" PRIu64 " of %" PRIu64
		     " bytes are hot: %s\n    apart: %s; 64 elements are then "
		     "%" PRIu64 " lines of 64 bytes instead of %" PRIu64 "\n",
		     s->variable->name, s->hot_bytes, s->element_bytes, hot,
		     cold, s->hot_bytes, s->lines);
}

static void put_text(const struct structure_uses *u, struct wm_table *t,
		     size_t top, struct wm_doc *d)
{
	size_t told = 0;

	if (!u->count) {
		wm_table_release(t);
		return;
	}
	wm_doc_heading(d, "Members of structures");
	wm_doc_table(d, t, NULL, top, WM_FOR_TEXT);
	for (size_t i = 0; i < u->count && (!top || told < top); i++) {
		if (!u->list[i].hot_bytes)
			continue;
		if (!told++)
			wm_doc_heading(d, "Structures with few hot members");
		put_split(&u->list[i], d);
	}
}

enum wm_status wm_structures_tell(const struct wm_analysis *a,
				  const struct wm_access_names *n, size_t top,
				  unsigned audience, struct wm_doc *d,
				  struct wm_err *err)
{
	struct structure_uses u;
	enum wm_status s = make_uses(&u, a, n, err);
	struct wm_table t;

	if (s)
		return s;
	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t,
		       "loads stores bytes elements element_bytes unsure .what",
		       0, NULL);
	wm_table_level(&t, "loads stores bytes share offset member_bytes .what",
		       2, "members");
	t.data_view = "variable variable_file variable_line elements "
		      "element_bytes unsure hot_bytes lines lines_apart member "
		      "offset member_bytes cold loads stores accesses bytes "
		      "share";
	t.airy = true;
	for (size_t i = 0; i < u.count; i++)
		put_structure(&t, &u.list[i]);
	if (audience == WM_FOR_TEXT)
		put_text(&u, &t, top, d);
	else
		wm_doc_table(d, &t, "structures", 0, audience);
	release_uses(&u);
	return WM_OK;
}
