/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/accesses/access_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wm/access_format.h"
#include "analyze/lib/base/order.h"

struct leaf {
	struct wm_access_row row;
	uint32_t cell, variable;
};

static int by_what(const struct wm_access_row *x, const struct wm_access_row *y)
{
	return WM_KEYS(wm_text_order(x->variable.kind, y->variable.kind),
		       wm_text_order(x->variable.name, y->variable.name),
		       wm_text_order(x->variable.file, y->variable.file),
		       WM_ORDER(x->variable.line, y->variable.line),
		       wm_text_order(x->member, y->member),
		       wm_text_order(x->function, y->function),
		       wm_text_order(x->file, y->file),
		       WM_ORDER(x->line, y->line));
}

/* By row, then by variable. */
static int by_leaf(const void *a, const void *b)
{
	const struct leaf *x = a, *y = b;

	return WM_KEYS(by_what(&x->row, &y->row),
		       WM_ORDER(x->variable, y->variable));
}

static int by_accesses(const void *a, const void *b)
{
	const struct wm_access_row *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->accesses, x->accesses), by_what(x, y));
}

static bool name_row(struct wm_access_row *r, const struct wm_analysis *a,
		     struct wm_access_names *n, size_t c, enum wm_access_by by)
{
	const struct wm_access_cell *cell = &a->accesses.cell[c];
	const struct wm_symbol *s = n->spot[cell->spot];

	if (by == WM_ACCESS_VARIABLE || by == WM_ACCESS_MEMBER ||
	    by == WM_ACCESS_PAIR)
		r->variable = n->variable[cell->variable];
	if (by == WM_ACCESS_MEMBER) {
		r->member = wm_access_member(n, a, c);
		return r->member;
	}
	if (by == WM_ACCESS_VARIABLE)
		return true;
	r->function = s->name;
	r->file = s->file;
	r->line = by == WM_ACCESS_LINE ? s->line : 0;
	return true;
}

static void fill_row(struct wm_access_row *r, const struct wm_access_table *t,
		     const struct wm_access_cell *c)
{
	uint8_t kind = t->spot[c->spot].kind;

	r->accesses = c->accesses;
	r->loads = kind == WMA_WRITE ? 0 : c->accesses;
	r->stores = kind == WMA_READ ? 0 : c->accesses;
	r->bytes = c->bytes;
	r->sequential = c->sequential;
	r->strided = c->strided;
	r->same = c->same;
	r->stride = c->stride;
	r->first_s = (double)c->first_ns * 1e-9;
	r->last_s = (double)c->last_ns * 1e-9;
	r->first = c->first;
	r->last = c->last;
	r->first_thread = c->first_thread;
}

static void add_row(struct wm_access_row *to, const struct wm_access_row *r)
{
	if (r->strided && to->strided && r->stride != to->stride)
		to->stride = 0;
	else if (r->strided && !to->strided)
		to->stride = r->stride;
	to->accesses += r->accesses;
	to->loads += r->loads;
	to->stores += r->stores;
	to->bytes += r->bytes;
	to->sequential += r->sequential;
	to->strided += r->strided;
	to->same += r->same;
	if (r->first < to->first) {
		to->first = r->first;
		to->first_s = r->first_s;
		to->first_thread = r->first_thread;
	}
	if (r->last > to->last) {
		to->last = r->last;
		to->last_s = r->last_s;
	}
}

/* Makes rows of the leaves.  Stores index + 1 of each cell's row in @of. */
static void join_leaves(struct wm_access_rows *l,
			const struct wm_access_table *t,
			const struct leaf *leaf, size_t leaves, uint32_t *of)
{
	for (size_t i = 0; i < leaves; i++) {
		struct wm_access_row *to = &l->row[l->count];
		bool fresh = !i || by_what(&leaf[i - 1].row, &leaf[i].row);

		if (fresh) {
			*to = leaf[i].row;
			l->count++;
		} else {
			add_row(--to, &leaf[i].row);
		}
		if (fresh || leaf[i - 1].variable != leaf[i].variable) {
			to->blocks += t->variable[leaf[i].variable].blocks;
			to->touched += t->variable[leaf[i].variable].touched;
		}
		of[leaf[i].cell] = (uint32_t)l->count;
	}
}

static bool count_threads(struct wm_access_rows *l,
			  const struct wm_access_table *t, const uint32_t *of)
{
	uint64_t *list = malloc((t->pairs + 1) * sizeof(*list));
	size_t n = 0;

	for (size_t i = 0; list && i < t->pairs; i++)
		if (of[t->pair[i].cell])
			list[n++] = (uint64_t)of[t->pair[i].cell] << 32 |
				    t->pair[i].thread;
	WM_SORT(list, n, wm_by_uint64);
	for (size_t i = 0; i < n; i++)
		if (!i || list[i] != list[i - 1])
			l->row[(list[i] >> 32) - 1].threads++;
	free(list);
	return list;
}

static enum wm_status make_rows(struct wm_access_rows *l,
				const struct wm_analysis *a,
				struct wm_access_names *n, enum wm_access_by by,
				struct leaf *leaf, uint32_t *of,
				struct wm_err *err)
{
	const struct wm_access_table *t = &a->accesses;
	size_t leaves = 0;

	for (size_t i = 0; i < t->cells; i++) {
		struct leaf *f = &leaf[leaves];

		if (!t->cell[i].accesses)
			continue;
		fill_row(&f->row, t, &t->cell[i]);
		f->cell = (uint32_t)i;
		f->variable = t->cell[i].variable;
		if (!name_row(&f->row, a, n, i, by))
			return wm_no_memory(err, NULL);
		leaves++;
	}
	WM_SORT(leaf, leaves, by_leaf);
	l->row = calloc(leaves + 1, sizeof(*l->row));
	if (!l->row)
		return wm_no_memory(err, NULL);
	join_leaves(l, t, leaf, leaves, of);
	/* cppcheck-suppress leakReturnValNotUsed ; it gives true or false */
	if (!count_threads(l, t, of))
		return wm_no_memory(err, NULL);
	WM_SORT(l->row, l->count, by_accesses);
	return WM_OK;
}

enum wm_status wm_access_rows_make(struct wm_access_rows *l,
				   const struct wm_analysis *a,
				   struct wm_access_names *n,
				   enum wm_access_by by, struct wm_err *err)
{
	size_t cells = a->accesses.cells;
	struct leaf *leaf = calloc(cells + 1, sizeof(*leaf));
	uint32_t *of = calloc(cells + 1, sizeof(*of));
	enum wm_status s;

	memset(l, 0, sizeof(*l));
	s = leaf && of ? make_rows(l, a, n, by, leaf, of, err) :
			 wm_no_memory(err, NULL);
	free(leaf);
	free(of);
	if (s)
		wm_access_rows_release(l);
	return s;
}

void wm_access_rows_release(struct wm_access_rows *l)
{
	free(l->row);
	memset(l, 0, sizeof(*l));
}

#define FEW 4

const char *wm_access_pattern(const struct wm_access_row *r, char buf[32])
{
	/* nine of ten accesses */
	uint64_t most = r->accesses - r->accesses / 10;
	uint64_t regular = r->sequential + r->strided + r->same;

	if (r->accesses < FEW)
		return NULL;
	/* the first access of each site and thread has no pattern */
	most = most > 2 ? most - 1 : most;
	if (r->same >= most)
		return "one place";
	if (r->sequential >= most)
		return "sequential";
	if (r->strided >= most && r->stride) {
		snprintf(buf, 32, "stride %" PRId64, r->stride);
		return buf;
	}
	if (r->strided >= most)
		return "strided";
	if (regular >= most)
		return "regular";
	return regular < r->accesses / 2 ? "random" : "mixed";
}
