/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pages/page_chart.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/pages/page_lists.h"
#include "wm/search.h"

#define SORT 65536 /* new ranges before a list is sorted */
/* A range without accesses is folded if it is longer than FOLD_LEAST pages and
 * than this share of the accessed pages. */
#define FOLD_SHARE 16
#define FOLD_LEAST 16
#define NEAR 16 /* rows; a smaller gap may be within a row */

void wm_page_chart_wire(struct wm_wire *w, struct wm_page_chart *c)
{
	wm_wire_array(w, &c->row, &c->rows, NULL, sizeof(*c->row));
	wm_wire_block(w, &c->access, c->rows * c->columns * sizeof(*c->access));
	wm_wire_block(w, &c->owner, c->rows * c->columns * sizeof(*c->owner));
}

void wm_chart_plan_release(struct wm_chart_plan *p)
{
	wm_page_set_release(&p->accessed);
	wm_page_set_release(&p->covered);
	memset(p, 0, sizeof(*p));
}

/* ---- the plan ---- */

bool wm_chart_plan_epoch(struct wm_chart_plan *p,
			 const struct wm_page_set *accessed,
			 const struct wm_covered *covered, size_t count)
{
	for (size_t i = 0; i < accessed->count; i++)
		if (!wm_page_list_add(&p->accessed, accessed->range[i].first,
				      accessed->range[i].end))
			return false;
	for (size_t i = 0; i < count; i++)
		if (!wm_page_list_add(&p->covered, covered[i].range.first,
				      covered[i].range.end))
			return false;
	if (count)
		wm_page_list_sort(&p->covered);
	if (p->accessed.count > 2 * p->sorted + SORT) {
		wm_page_list_sort(&p->accessed);
		p->sorted = p->accessed.count;
	}
	p->epochs++;
	return true;
}

static uint64_t pages_of(const struct wm_page_set *set)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < set->count; i++)
		sum += set->range[i].end - set->range[i].first;
	return sum;
}

struct rows {
	struct wm_page_chart *c;
	size_t cap;
	uint64_t fold; /* longer ranges are folded */
	uint64_t each; /* pages of a row; 0: only counts pages */
	uint64_t pages; /* not folded */
	uint64_t last; /* pages in the last row, if that may take more */
};

static bool add_row(struct rows *r, uint64_t first, uint64_t end, bool folded)
{
	struct wm_chart_row *row = WM_MORE(r->c->row, r->cap, r->c->rows);

	if (!row)
		return false;
	*row = (struct wm_chart_row){ first, end, end - first, folded };
	r->c->rows++;
	r->last = folded ? r->each : end - first;
	return true;
}

/* Adds pages near accessed pages.  A short range joins the row before it if
 * that row is near. */
static bool add_near(struct rows *r, uint64_t first, uint64_t end)
{
	struct wm_chart_row *row = r->c->row;

	r->pages += end - first;
	if (!r->each)
		return true;
	if (r->c->rows && r->last + (end - first) <= r->each &&
	    first - row[r->c->rows - 1].end <= NEAR * r->each) {
		row[r->c->rows - 1].end = end;
		row[r->c->rows - 1].pages += end - first;
		r->last += end - first;
		return true;
	}
	for (; end - first > r->each; first += r->each)
		if (!add_row(r, first, first + r->each, false))
			return false;
	return add_row(r, first, end, false);
}

/* @covered includes @accessed. */
static bool add_rows(struct rows *r, const struct wm_page_set *covered,
		     const struct wm_page_set *accessed)
{
	struct wm_page_edges b = { accessed, 0 };

	for (size_t i = 0; i < covered->count; i++) {
		uint64_t near = covered->range[i].first, at = near;

		while (at < covered->range[i].end) {
			uint64_t end = covered->range[i].end, from = at;
			bool in = wm_page_edges_has(&b, at, &end);

			at = end;
			if (in || end - from <= r->fold)
				continue;
			if ((near < from && !add_near(r, near, from)) ||
			    (r->each && !add_row(r, from, end, true)))
				return false;
			near = end;
		}
		if (near < at && !add_near(r, near, at))
			return false;
	}
	return true;
}

static void bound_rows(struct wm_page_chart *c)
{
	while (c->rows > 4 * WM_CHART_ROWS) {
		size_t n = 0;

		for (size_t i = 0; i < c->rows; i += 2) {
			struct wm_chart_row r = c->row[i];

			if (i + 1 < c->rows) {
				r.end = c->row[i + 1].end;
				r.pages += c->row[i + 1].pages;
				r.folded &= c->row[i + 1].folded;
			}
			c->row[n++] = r;
		}
		c->rows = n;
	}
}

static bool make_cells(struct wm_page_chart *c)
{
	size_t cells;

	c->columns = (size_t)((c->epochs + c->each - 1) / c->each);
	cells = c->rows * c->columns;
	c->access = calloc(cells + 1, sizeof(*c->access));
	c->owner = malloc((cells + 1) * sizeof(*c->owner));
	if (!c->access || !c->owner)
		return false;
	for (size_t i = 0; i < cells; i++)
		c->owner[i] = WM_CHART_NOBODY;
	return true;
}

bool wm_chart_plan_end(struct wm_chart_plan *p, struct wm_page_chart *c)
{
	struct rows r = { .c = c };
	bool good = true;

	memset(c, 0, sizeof(*c));
	wm_page_list_sort(&p->accessed);
	for (size_t i = 0; i < p->accessed.count && good; i++)
		good = wm_page_list_add(&p->covered, p->accessed.range[i].first,
					p->accessed.range[i].end);
	wm_page_list_sort(&p->covered);
	r.fold = pages_of(&p->accessed) / FOLD_SHARE;
	if (r.fold < FOLD_LEAST)
		r.fold = FOLD_LEAST;
	good = good && add_rows(&r, &p->covered, &p->accessed);
	r.each = r.pages ? (r.pages + WM_CHART_ROWS - 1) / WM_CHART_ROWS : 1;
	r.last = r.each;
	good = good && add_rows(&r, &p->covered, &p->accessed);
	bound_rows(c);
	c->epochs = p->epochs;
	c->each = (p->epochs + WM_CHART_COLUMNS - 1) / WM_CHART_COLUMNS;
	if (!c->each)
		c->each = 1;
	good = good && make_cells(c);
	if (!good)
		WM_WIRE_FREE(c, wm_page_chart_wire);
	wm_chart_plan_release(p);
	return good;
}

/* ---- cells ---- */

static void mark(struct wm_page_chart *c, size_t column,
		 const struct wm_page_set *set, enum wm_chart_access how)
{
	size_t row = set->count ?
			     WM_FIRST(i, c->rows,
				      c->row[i].end > set->range[0].first) :
			     0;

	for (size_t i = 0; i < set->count; i++) {
		struct wm_page_range r = set->range[i];

		while (row < c->rows && c->row[row].end <= r.first)
			row++;
		for (size_t k = row; k < c->rows && c->row[k].first < r.end;
		     k++) {
			uint8_t *cell = &c->access[k * c->columns + column];

			if (*cell < how)
				*cell = (uint8_t)how;
		}
	}
}

/* Bytes of owners on the pages of one row. */
struct count {
	uint64_t *bytes; /* of each owner */
	uint32_t *seen; /* owners with bytes */
	size_t seen_count;
};

static void count_stretch(struct count *n, const struct wm_page_use *u,
			  const struct wm_page_stretch *s, uint64_t pages)
{
	const struct wm_page_part *p = s->part ? s->part : &s->one;

	for (uint32_t i = 0; i < s->parts; i++) {
		/* bytes that are still alive count twice */
		uint64_t most = p[i].now +
				(p[i].epoch == u->now ? p[i].most : p[i].now);

		if (!most)
			continue;
		if (!n->bytes[p[i].owner])
			n->seen[n->seen_count++] = p[i].owner;
		n->bytes[p[i].owner] += most * pages;
	}
}

static uint32_t take_most(struct count *n)
{
	uint32_t owner = WM_CHART_NOBODY;
	uint64_t most = 0;

	for (size_t i = 0; i < n->seen_count; i++) {
		uint64_t bytes = n->bytes[n->seen[i]];

		if (bytes > most || (bytes == most && n->seen[i] < owner)) {
			most = bytes;
			owner = n->seen[i];
		}
		n->bytes[n->seen[i]] = 0;
	}
	n->seen_count = 0;
	return owner;
}

bool wm_page_chart_owners(const struct wm_page_chart *c,
			  const struct wm_page_use *u, uint32_t *owner)
{
	struct count n = { calloc(u->owners + 1, sizeof(*n.bytes)),
			   malloc((u->owners + 1) * sizeof(*n.seen)), 0 };
	struct wm_page_place p = { 0, 0 };
	const struct wm_page_stretch *s;
	bool good = n.bytes && n.seen;
	uint64_t pages;

	for (size_t i = 0; i < c->rows && good; i++) {
		struct wm_page_range left = { c->row[i].first, c->row[i].end };

		while ((s = wm_page_map_take(&u->map, &p, &left, &pages)))
			count_stretch(&n, u, s, pages);
		owner[i] = take_most(&n);
	}
	free(n.bytes);
	free(n.seen);
	return good;
}

bool wm_page_chart_epoch(struct wm_page_chart *c, const struct wm_page_use *u,
			 const struct wm_page_set *accessed,
			 const struct wm_page_set *written, uint64_t number)
{
	uint32_t *owner;
	size_t column;
	bool good;

	/* also true without a chart */
	if (number >= c->epochs)
		return true;
	column = (size_t)(number / c->each);
	mark(c, column, accessed, WM_CHART_ACCESSED);
	mark(c, column, written, WM_CHART_WRITTEN);
	if ((number + 1) % c->each && number + 1 < c->epochs)
		return true;
	owner = malloc((c->rows + 1) * sizeof(*owner));
	good = owner && wm_page_chart_owners(c, u, owner);
	for (size_t i = 0; i < c->rows && good; i++)
		c->owner[i * c->columns + column] = owner[i];
	free(owner);
	return good;
}
