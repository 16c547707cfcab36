/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/read_page_sets.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "wm/search.h"
#include "wm/varint.h"

/* Page numbers are addresses without their lowest bits. */
#define MOST_NUMBER (UINT64_C(1) << 48)

void wm_page_set_release(struct wm_page_set *set)
{
	free(set->range);
	memset(set, 0, sizeof(*set));
}

bool wm_page_set_add(struct wm_page_set *set, uint64_t first, uint64_t end)
{
	struct wm_page_range *r;

	if (first >= end)
		return true;
	set->pages += end - first;
	if (set->count && set->range[set->count - 1].end == first) {
		set->range[set->count - 1].end = end;
		return true;
	}
	r = wm_grow(set->range, &set->cap, set->count + 1, sizeof(*r));
	if (!r)
		return false;
	set->range = r;
	r[set->count++] = (struct wm_page_range){ first, end };
	return true;
}

size_t wm_page_set_find(const struct wm_page_set *set, uint64_t page)
{
	return WM_FIRST(i, set->count, set->range[i].end > page);
}

static enum wm_status malformed(struct wm_err *err)
{
	return wm_err_set(err, WM_BAD_INPUT, "a set of pages is malformed");
}

static enum wm_status add(struct wm_page_set *set, uint64_t first, uint64_t end,
			  size_t most, struct wm_err *err)
{
	if (!wm_page_set_add(set, first, end))
		return wm_no_memory(err, NULL);
	if (set->count > most)
		return wm_err_set(err, WM_BAD_INPUT,
				  "a set of pages has more than %zu ranges",
				  most);
	return WM_OK;
}

/* Adds the pages of @n bytes of bits, from page @first on. */
static enum wm_status take_bits(struct wm_page_set *set, uint64_t first,
				const uint8_t *p, uint64_t n, size_t most,
				struct wm_err *err)
{
	enum wm_status r = WM_OK;

	for (uint64_t i = 0; i < n && !r; i++, first += 8) {
		unsigned bits = p[i], from, to;

		for (from = 0; bits >> from && !r; from = to) {
			from += (unsigned)__builtin_ctz(bits >> from);
			to = from + (unsigned)__builtin_ctz(~(bits >> from));
			r = add(set, first + from, first + to, most, err);
		}
	}
	return r;
}

static enum wm_status take_tokens(struct wm_page_set *set, const uint8_t *p,
				  const uint8_t *end, size_t most,
				  struct wm_err *err)
{
	uint64_t at = 0, gap, t, n;
	enum wm_status r = WM_OK;

	wm_page_set_empty(set);
	while (p < end && !r) {
		p = wm_varint_get(p, end, &gap);
		if (p)
			p = wm_varint_get(p, end, &t);
		if (!p || gap > MOST_NUMBER - at)
			return malformed(err);
		at += gap;
		n = (t >> 1) + 1;
		if (n > (t & 1 ? (uint64_t)(end - p) : MOST_NUMBER) ||
		    (t & 1 ? 8 * n : n) > MOST_NUMBER - at)
			return malformed(err);
		if (t & 1) {
			r = take_bits(set, at, p, n, most, err);
			p += n;
			n *= 8;
		} else {
			r = add(set, at, at + n, most, err);
		}
		at += n;
	}
	return r;
}

uint64_t wm_page_edge(const struct wm_page_edges *b)
{
	if (b->i / 2 >= b->set->count)
		return UINT64_MAX;
	return b->i & 1 ? b->set->range[b->i / 2].end :
			  b->set->range[b->i / 2].first;
}

bool wm_page_difference(struct wm_page_edges *a, struct wm_page_edges *b,
			struct wm_page_range *r)
{
	bool inside = false;

	for (;;) {
		uint64_t x = wm_page_edge(a), y = wm_page_edge(b);
		uint64_t at = x < y ? x : y;

		if (at == UINT64_MAX)
			return false;
		a->i += x == at;
		b->i += y == at;
		if (x == y)
			continue;
		*(inside ? &r->end : &r->first) = at;
		if (inside)
			return true;
		inside = true;
	}
}

/* Finds the pages that are in only one of @a and @b. */
static enum wm_status take_difference(const struct wm_page_set *a,
				      const struct wm_page_set *b,
				      struct wm_page_set *set, size_t most,
				      struct wm_err *err)
{
	struct wm_page_edges x = { a, 0 }, y = { b, 0 };
	struct wm_page_range next = { 0, 0 };
	enum wm_status r = WM_OK;

	wm_page_set_empty(set);
	while (!r && wm_page_difference(&x, &y, &next))
		r = add(set, next.first, next.end, most, err);
	return r;
}

enum wm_status wm_page_set_next(struct wm_page_column *c,
				const struct wm_page_set *before,
				struct wm_page_set *set, struct wm_err *err)
{
	const uint8_t *p;
	enum wm_status r;
	uint64_t size;

	if (!wm_take(&c->in, &size) ||
	    size >> 1 > (uint64_t)(c->in.end - c->in.p) ||
	    (size & 1 && !before))
		return malformed(err);
	p = c->in.p;
	c->in.p += size >> 1;
	if (!(size & 1))
		return take_tokens(set, p, c->in.p, c->most, err);
	r = take_tokens(&c->change, p, c->in.p, c->most, err);
	return r ? r : take_difference(before, &c->change, set, c->most, err);
}

enum wm_status wm_page_set_at(const struct wm_page_set *accessed,
			      const struct wm_page_set *places,
			      struct wm_page_set *written, struct wm_err *err)
{
	const struct wm_page_range *a = accessed->range;
	const struct wm_page_range *a_end = a ? a + accessed->count : a;
	uint64_t base = 0; /* place of the first page of *a */

	wm_page_set_empty(written);
	for (size_t i = 0; i < places->count; i++) {
		struct wm_page_range at = places->range[i];

		while (at.first < at.end) {
			uint64_t here, last;

			while (a < a_end &&
			       base + (a->end - a->first) <= at.first)
				base += a->end - a->first, a++;
			if (a == a_end)
				return malformed(err);
			here = a->first + (at.first - base);
			last = here +
			       wm_least(a->end - here, at.end - at.first);
			if (!wm_page_set_add(written, here, last))
				return wm_no_memory(err, NULL);
			at.first += last - here;
		}
	}
	return WM_OK;
}
