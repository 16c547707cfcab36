/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/accesses/simulated_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/order.h"

struct part {
	struct wm_access_named what;
	size_t cell;
};

static int named_order(const struct wm_access_named *x,
		       const struct wm_access_named *y)
{
	return WM_KEYS(wm_text_order(x->kind, y->kind),
		       wm_text_order(x->name, y->name),
		       wm_text_order(x->file, y->file),
		       WM_ORDER(x->line, y->line));
}

static int by_name(const void *a, const void *b)
{
	return named_order(&((const struct part *)a)->what,
			   &((const struct part *)b)->what);
}

static struct wm_access_named what_of(const struct wm_analysis *a,
				      const struct wm_access_names *n, size_t i,
				      enum wm_simulated_by by)
{
	const struct wm_access_cell *c = &a->accesses.cell[i];
	const struct wm_symbol *s = n->spot[c->spot];
	struct wm_access_named w = { .name = "(unknown)" };

	if (by == WM_SIMULATED_VARIABLE)
		return n->variable[c->variable].name ?
			       n->variable[c->variable] :
			       w;
	if (!s)
		return w;
	w.name = s->name;
	w.file = s->file;
	if (by == WM_SIMULATED_LINE)
		w.line = s->line;
	return w;
}

static void add_counts(uint64_t *to, const uint64_t *from, size_t n)
{
	while (n--)
		to[n] += from[n];
}

static void add_cell(struct wm_simulated_row *r, const struct wm_simulated *s,
		     size_t i)
{
	unsigned last = s->caches.levels - 1;

	if (i < s->cache_cells) {
		const struct wm_cache_counts *c = &s->cache[i];

		add_counts(r->cache.lines, c->lines, 2);
		for (unsigned k = 0; k < 2; k++)
			add_counts(r->cache.misses[k], c->misses[k],
				   WM_CACHE_LEVELS);
		r->lines += c->lines[0] + c->lines[1];
		r->misses += c->misses[0][last] + c->misses[1][last];
	}
	if (i < s->reuse_cells) {
		r->reuse.first += s->reuse[i].first;
		add_counts(r->reuse.bin, s->reuse[i].bin, WM_REUSE_BINS);
	}
}

uint64_t wm_reuse_lines(const struct wm_reuse_counts *c)
{
	uint64_t n = c->first;

	for (unsigned i = 0; i < WM_REUSE_BINS; i++)
		n += c->bin[i];
	return n;
}

uint64_t wm_reuse_misses(const struct wm_reuse_counts *c, unsigned k)
{
	uint64_t n = c->first;

	while (++k < WM_REUSE_BINS)
		n += c->bin[k];
	return n;
}

/* Most misses of the last level, or most touches of lines, first. */
static int by_misses(const void *a, const void *b)
{
	const struct wm_simulated_row *x = a, *y = b;
	uint64_t m = wm_reuse_lines(&x->reuse), n = wm_reuse_lines(&y->reuse);

	return WM_KEYS(WM_ORDER(y->misses, x->misses),
		       WM_ORDER(y->lines, x->lines), WM_ORDER(n, m),
		       named_order(&x->what, &y->what));
}

static size_t list_parts(struct part *part, const struct wm_analysis *a,
			 const struct wm_access_names *n,
			 enum wm_simulated_by by)
{
	size_t count = 0;

	for (size_t i = 0; i < a->accesses.cells; i++)
		if (a->accesses.cell[i].accesses)
			part[count++] = (struct part){ what_of(a, n, i, by),
						       i };
	WM_SORT(part, count, by_name);
	return count;
}

enum wm_status wm_simulated_rows_make(struct wm_simulated_rows *l,
				      const struct wm_analysis *a,
				      const struct wm_access_names *n,
				      enum wm_simulated_by by,
				      struct wm_err *err)
{
	struct part *part = calloc(a->accesses.cells + 1, sizeof(*part));
	size_t count;

	memset(l, 0, sizeof(*l));
	if (!part)
		return wm_no_memory(err, NULL);
	count = list_parts(part, a, n, by);
	for (size_t i = 0; i < count; i++)
		l->count += !i || by_name(&part[i - 1], &part[i]) != 0;
	l->row = calloc(l->count + 1, sizeof(*l->row));
	if (!l->row) {
		free(part);
		return wm_no_memory(err, NULL);
	}
	l->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (!i || by_name(&part[i - 1], &part[i]) != 0)
			l->row[l->count++].what = part[i].what;
		add_cell(&l->row[l->count - 1], &a->simulated, part[i].cell);
		add_cell(&l->all, &a->simulated, part[i].cell);
	}
	free(part);
	WM_SORT(l->row, l->count, by_misses);
	return WM_OK;
}

void wm_simulated_rows_release(struct wm_simulated_rows *l)
{
	free(l->row);
	memset(l, 0, sizeof(*l));
}

static int by_variables(const void *a, const void *b)
{
	const struct wm_shared_row *x = a, *y = b;
	int r = named_order(x->variable[0], y->variable[0]);

	return r ? r : named_order(x->variable[1], y->variable[1]);
}

static int by_most(const void *a, const void *b)
{
	const struct wm_shared_row *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->most->most_moves, x->most->most_moves),
		       WM_ORDER(y->moves, x->moves), by_variables(a, b));
}

static void put_row(struct wm_shared_row *r, const struct wm_analysis *a,
		    const struct wm_access_names *n,
		    const struct wm_sharing_row *from)
{
	static const struct wm_access_named unknown = { .name = "(unknown)" };

	for (int k = 0; k < 2; k++) {
		size_t v = a->accesses.cell[from->cell[k]].variable;

		r->variable[k] = n->variable[v].name ? &n->variable[v] :
						       &unknown;
	}
	if (named_order(r->variable[0], r->variable[1]) > 0) {
		const struct wm_access_named *first = r->variable[0];

		r->variable[0] = r->variable[1];
		r->variable[1] = first;
	}
	r->lines = from->lines;
	r->moves = from->moves;
	r->most = from;
}

enum wm_status wm_shared_rows_make(struct wm_shared_rows *l,
				   const struct wm_analysis *a,
				   const struct wm_access_names *n,
				   bool overlaps, struct wm_err *err)
{
	const struct wm_simulated *s = &a->simulated;
	size_t count = 0, kept = 0;

	l->count = 0;
	l->row = calloc(s->sharing_rows + 1, sizeof(*l->row));
	if (!l->row)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < s->sharing_rows; i++)
		if (s->sharing[i].overlaps == overlaps)
			put_row(&l->row[count++], a, n, &s->sharing[i]);
	WM_SORT(l->row, count, by_variables);
	for (size_t i = 0; i < count; i++) {
		struct wm_shared_row *to = kept ? &l->row[kept - 1] : NULL;

		if (!to || by_variables(to, &l->row[i]) != 0) {
			l->row[kept++] = l->row[i];
			continue;
		}
		to->lines += l->row[i].lines;
		to->moves += l->row[i].moves;
		if (l->row[i].most->most_moves > to->most->most_moves)
			to->most = l->row[i].most;
	}
	l->count = kept;
	WM_SORT(l->row, kept, by_most);
	return WM_OK;
}

void wm_shared_rows_release(struct wm_shared_rows *l)
{
	free(l->row);
	memset(l, 0, sizeof(*l));
}
