/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/heap/functions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/order.h"
#include "analyze/symbols/site.h"

struct member {
	struct wm_held held;
	uint32_t module;
};

/* Sites that compare equal are in the same function: see intern.h. */
static int function_order(const struct member *x, const struct member *y)
{
	const struct wm_symbol *a = x->held.site.symbol;
	const struct wm_symbol *b = y->held.site.symbol;

	return WM_KEYS(WM_ORDER(x->module, y->module), strcmp(a->name, b->name),
		       WM_ORDER(a->function, b->function));
}

static int compare_location(const struct member *x, const struct member *y)
{
	const struct wm_symbol *a = x->held.site.symbol;
	const struct wm_symbol *b = y->held.site.symbol;

	return WM_KEYS(wm_text_order(a->file, b->file),
		       WM_ORDER(a->line, b->line));
}

static int by_function(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return WM_KEYS(function_order(x, y), compare_location(x, y),
		       WM_ORDER(y->held.bytes, x->held.bytes),
		       WM_ORDER(x->held.path, y->held.path));
}

static int by_bytes(const void *a, const void *b)
{
	const struct wm_held *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->bytes, x->bytes),
		       WM_ORDER(y->blocks, x->blocks),
		       WM_ORDER(x->path, y->path));
}

static int by_size(const void *a, const void *b)
{
	const struct wm_function *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->bytes, x->bytes),
		       WM_ORDER(y->blocks, x->blocks), strcmp(x->name, y->name),
		       wm_text_order(x->file, y->file),
		       WM_ORDER(x->line, y->line));
}

static enum wm_status add_member(struct member *m, const struct wm_analysis *a,
				 const struct wm_holding *h, struct wm_err *err)
{
	m->held = (struct wm_held){
		h->bytes,
		h->blocks,
		h->what,
		.site = wm_site_find(a->symbols, &a->paths, h->what),
	};
	m->module = a->paths.nodes[m->held.site.node].module;
	return m->held.site.symbol ? WM_OK : wm_no_memory(err, "symbols");
}

static enum wm_status collect_members(struct member *m, size_t *count,
				      const struct wm_analysis *a,
				      const struct wm_use *use,
				      enum wm_moment moment, struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i, n = 0;

	for (i = 0; i < a->paths.path_count && !s; i++) {
		const struct wm_use *u = &use[i];
		bool end = moment == WM_AT_END;
		struct wm_holding h = { (uint32_t)i,
					end ? u->end_bytes : u->peak_bytes,
					end ? u->end_blocks : u->peak_blocks };

		if (h.blocks)
			s = add_member(&m[n++], a, &h, err);
	}
	*count = n;
	return s;
}

/* Fills in @f from members [@first, @end), which are in order of place. */
static void sum_up(struct wm_function *f, const struct member *m, size_t first,
		   size_t end)
{
	uint64_t most = 0, here;
	size_t i, j;

	memset(f, 0, sizeof(*f));
	f->module = m[first].module;
	f->name = m[first].held.site.symbol->name;
	for (i = first; i < end; i = j) {
		here = 0;
		for (j = i; j < end && compare_location(&m[i], &m[j]) == 0;
		     j++) {
			here += m[j].held.bytes;
			f->bytes += m[j].held.bytes;
			f->blocks += m[j].held.blocks;
		}
		if (here > most || i == first) {
			most = here;
			f->symbol = m[i].held.site.symbol;
		}
	}
	f->file = f->symbol->file;
	f->line = f->symbol->line;
	f->held_count = end - first;
}

static enum wm_status group_members(struct wm_functions *f, struct member *m,
				    size_t n, struct wm_err *err)
{
	size_t i, j;

	f->function = calloc(n + 1, sizeof(*f->function));
	f->held = calloc(n + 1, sizeof(*f->held));
	if (!f->function || !f->held)
		return wm_no_memory(err, NULL);
	WM_SORT(m, n, by_function);
	for (i = 0; i < n; i = j) {
		struct wm_function *fn = &f->function[f->count++];

		for (j = i; j < n && function_order(&m[i], &m[j]) == 0; j++)
			f->held[j] = m[j].held;
		sum_up(fn, m, i, j);
		fn->held = &f->held[i];
		qsort(&f->held[i], j - i, sizeof(*f->held), by_bytes);
		f->bytes += fn->bytes;
		f->blocks += fn->blocks;
	}
	f->held_count = n;
	WM_SORT(f->function, f->count, by_size);
	return WM_OK;
}

static enum wm_status
make_functions(struct wm_functions *f, const struct wm_analysis *a,
	       const struct wm_use *use, enum wm_moment moment,
	       const struct wm_snapshot *shot, struct wm_err *err)
{
	size_t max = shot ? shot->path_count : a->paths.path_count, n = 0, i;
	struct member *m = calloc(max + 1, sizeof(*m));
	enum wm_status r = WM_OK;

	memset(f, 0, sizeof(*f));
	f->moment = moment;
	if (!m)
		return wm_no_memory(err, NULL);
	if (!shot)
		r = collect_members(m, &n, a, use, moment, err);
	for (i = 0; shot && i < max && !r; i++)
		r = add_member(&m[n++], a, &shot->path[i], err);
	if (!r)
		r = group_members(f, m, n, err);
	free(m);
	if (r)
		wm_functions_release(f);
	return r;
}

enum wm_status wm_functions_make(struct wm_functions *f,
				 const struct wm_analysis *a,
				 enum wm_moment moment, struct wm_err *err)
{
	/* the names of blocks are known only at the peak */
	if (moment == WM_AT_PEAK && a->at_time)
		moment = WM_AT_SNAPSHOT;
	return make_functions(f, a, a->use, moment, NULL, err);
}

enum wm_status wm_functions_of(struct wm_functions *f,
			       const struct wm_analysis *a,
			       const struct wm_use *use, struct wm_err *err)
{
	return make_functions(f, a, use, WM_AT_SNAPSHOT, NULL, err);
}

enum wm_status wm_functions_snapshot(struct wm_functions *f,
				     const struct wm_analysis *a,
				     const struct wm_snapshot *s,
				     struct wm_err *err)
{
	return make_functions(f, a, NULL, WM_AT_SNAPSHOT, s, err);
}

enum wm_status wm_functions_group(struct wm_functions *f,
				  const struct wm_analysis *a,
				  const struct wm_held *held, size_t count,
				  enum wm_moment moment, struct wm_err *err)
{
	struct member *m = calloc(count + 1, sizeof(*m));
	enum wm_status r;

	memset(f, 0, sizeof(*f));
	f->moment = moment;
	if (!m)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < count; i++) {
		m[i].held = held[i];
		m[i].module = a->paths.nodes[held[i].site.node].module;
	}
	r = group_members(f, m, count, err);
	free(m);
	if (r)
		wm_functions_release(f);
	return r;
}

void wm_functions_release(struct wm_functions *f)
{
	free(f->function);
	free(f->held);
	memset(f, 0, sizeof(*f));
}
