/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/pages/page_sites.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/order.h"
#include "analyze/lib/base/vec.h"
#include "analyze/answers/static/statics.h"
#include "analyze/symbols/site.h"

/* By enum wm_page_other. */
static const struct {
	const char *kind, *name;
} others[WM_PAGE_OTHERS] = {
	{ "map", "(others)" },
	{ "heap", "(the allocator's own)" },
	{ "map", "(libc and others)" },
	{ "static", "(static memory)" },
	{ "tls", "(thread-local storage)" },
	{ "stack", "(stacks of threads)" },
};

static double moment(const struct wm_pages *p, uint32_t n)
{
	return n && n <= p->epochs ? (double)p->epoch[n - 1].end_ns * 1e-9 : -1;
}

bool wm_page_site_of(struct wm_page_site *s, const struct wm_analysis *a,
		     const struct wm_page_owner *o)
{
	struct wm_frame f = wm_site_find(a->symbols, &a->paths, o->key);

	if (!f.symbol)
		return false;
	s->kind = wm_family_kind[o->kind];
	s->name = f.symbol->variable ? f.symbol->variable : f.symbol->name;
	s->file = f.symbol->file;
	s->line = f.symbol->line;
	return true;
}

static void take_owner(struct wm_page_site *s, const struct wm_pages *p,
		       const struct wm_page_owner *o)
{
	s->bytes = o->most;
	s->touched = o->touched;
	s->written = o->written;
	s->untouched = o->untouched;
	s->last_epoch = o->last_epoch;
	s->median_epoch = o->median_epoch;
	s->page_epochs = o->page_epochs;
	s->byte_time = o->byte_time;
	s->written_page_epochs = o->written_page_epochs;
	s->shared_page_epochs = o->shared_page_epochs;
	s->end = o->end;
	s->end_untouched = o->end_untouched;
	s->cold = o->cold;
	s->read_only = o->read_only;
	s->first = moment(p, o->first);
	s->last = moment(p, o->last);
	s->last_write = moment(p, o->last_write);
	s->cold_since = moment(p, o->cold_since);
	s->read_only_since = moment(p, o->read_only_since);
}

static int by_site(const void *a, const void *b)
{
	const struct wm_page_site *x = a, *y = b;

	return WM_KEYS(strcmp(x->kind, y->kind), strcmp(x->name, y->name),
		       wm_text_order(x->file, y->file),
		       WM_ORDER(x->line, y->line));
}

bool wm_page_site_is(const struct wm_page_site *s,
		     const struct wm_page_site *other)
{
	return by_site(s, other) == 0;
}

static int by_bytes(const void *a, const void *b)
{
	const struct wm_page_site *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->bytes, x->bytes),
		       WM_ORDER(y->page_epochs, x->page_epochs), by_site(a, b));
}

static void raise_to(double *a, double b)
{
	if (*a < b)
		*a = b;
}

static void join_sites(struct wm_page_site *s, const struct wm_page_site *b)
{
	s->bytes += b->bytes;
	s->touched += b->touched;
	s->written += b->written;
	s->untouched += b->untouched;
	s->last_epoch += b->last_epoch;
	s->median_epoch += b->median_epoch;
	s->page_epochs += b->page_epochs;
	s->byte_time += b->byte_time;
	s->written_page_epochs += b->written_page_epochs;
	s->shared_page_epochs += b->shared_page_epochs;
	s->end += b->end;
	s->end_untouched += b->end_untouched;
	s->cold += b->cold;
	s->read_only += b->read_only;
	if (s->first < 0 || (b->first >= 0 && b->first < s->first))
		s->first = b->first;
	raise_to(&s->last, b->last);
	raise_to(&s->last_write, b->last_write);
	raise_to(&s->cold_since, b->cold_since);
	raise_to(&s->read_only_since, b->read_only_since);
}

static void join_all(struct wm_page_sites *l)
{
	size_t n = 0;

	WM_SORT(l->site, l->count, by_site);
	for (size_t i = 0; i < l->count; i++) {
		if (n && by_site(&l->site[n - 1], &l->site[i]) == 0)
			join_sites(&l->site[n - 1], &l->site[i]);
		else
			l->site[n++] = l->site[i];
	}
	l->count = n;
	WM_SORT(l->site, n, by_bytes);
}

/* Adds a site without its name.  Returns NULL if memory is short. */
static struct wm_page_site *new_site(struct wm_page_sites *l,
				     const struct wm_pages *p,
				     const struct wm_page_owner *o)
{
	struct wm_page_site *s = WM_MORE(l->site, l->cap, l->count);

	if (!s)
		return NULL;
	l->count++;
	take_owner(s, p, o);
	return s;
}

static void name_nobody(struct wm_page_sites *l, struct wm_page_site *s,
			size_t other)
{
	s->kind = others[other].kind;
	s->name = others[other].name;
	s->nobody = true;
	l->nobody_page_epochs += s->page_epochs;
}

static enum wm_status add_owner(struct wm_page_sites *l,
				const struct wm_analysis *a, size_t i,
				struct wm_err *err)
{
	const struct wm_page_owner *o = &a->pages.owner[i];
	struct wm_page_site *s;

	if (!o->watched && !o->page_epochs) {
		l->not_watched += o->most;
		return WM_OK;
	}
	if (i == WM_PAGE_OTHER_STATIC && l->has_variables)
		return WM_OK;
	s = new_site(l, &a->pages, o);
	if (!s)
		return wm_no_memory(err, NULL);
	if (i >= WM_PAGE_OTHERS)
		return wm_page_site_of(s, a, o) ? WM_OK :
						  wm_no_memory(err, "symbols");
	name_nobody(l, s, i);
	return WM_OK;
}

static int by_name(const void *a, const void *b)
{
	const struct wm_census_row *x = *(const struct wm_census_row *const *)a;
	const struct wm_census_row *y = *(const struct wm_census_row *const *)b;

	return WM_KEYS(strcmp(x->name, y->name), WM_ORDER(x->bytes, y->bytes));
}

bool wm_declarations_make(struct wm_declarations *d, const struct wm_census *c)
{
	d->count = 0;
	d->row = calloc(c ? c->row_count + 1 : 1, sizeof(*d->row));
	for (size_t i = 0; d->row && c && i < c->row_count; i++)
		if (c->rows[i].name)
			d->row[d->count++] = &c->rows[i];
	WM_SORT(d->row, d->count, by_name);
	return d->row;
}

void wm_declarations_release(struct wm_declarations *d)
{
	free(d->row);
	memset(d, 0, sizeof(*d));
}

/* Returns false if the census does not have @v. */
static bool place_variable(struct wm_page_site *s, const struct wm_variable *v,
			   const struct wm_declarations *d)
{
	struct wm_census_row like = { .name = v->name, .bytes = v->bytes };
	const struct wm_census_row *key = &like, **row = d->row, **at;
	size_t count = d->count;

	at = count ? bsearch(&key, row, count, sizeof(*row), by_name) : NULL;
	if (!at)
		return !count;
	if ((at > row && by_name(at - 1, at) == 0) ||
	    (at + 1 < row + count && by_name(at, at + 1) == 0))
		return true;
	s->file = (*at)->file;
	s->line = (*at)->line;
	return true;
}

bool wm_page_site_variable(struct wm_page_site *s, struct wm_variable *v,
			   const struct wm_declarations *d, bool hooked)
{
	char *name;

	s->kind = "static";
	if (!place_variable(s, v, d) && !hooked) {
		s->name = "(the tool's own)";
		s->nobody = true;
		return true;
	}
	name = wm_static_name(v->name, 0);
	if (!name)
		return false;
	free(v->name);
	s->name = v->name = name;
	return true;
}

static enum wm_status add_variable(struct wm_page_sites *l,
				   const struct wm_analysis *a,
				   const struct wm_page_owner *o,
				   const struct wm_declarations *d,
				   struct wm_err *err)
{
	struct wm_variable *v = &l->statics.names.variable[o->key];
	struct wm_page_site *s;

	if (!o->watched && !o->page_epochs)
		return WM_OK;
	s = new_site(l, &a->pages, o);
	if (!s)
		return wm_no_memory(err, NULL);
	return wm_page_site_variable(s, v, d, a->ranks[a->chosen].samples) ?
		       WM_OK :
		       wm_no_memory(err, NULL);
}

/* Adds static memory by variable, if the executable's variables are known. */
static enum wm_status add_variables(struct wm_page_sites *l,
				    const struct wm_analysis *a,
				    struct wm_err *err)
{
	const struct wm_page_use *u = &l->statics.use;
	struct wm_declarations d;
	bool good = wm_declarations_make(&d, wm_analysis_census(a, a->chosen));
	struct wm_page_site *nobody;
	enum wm_status s = WM_OK;

	nobody = new_site(l, &a->pages, &u->owner[WM_PAGE_OTHER_STATIC]);
	if (!good || !nobody)
		s = wm_no_memory(err, NULL);
	else if (nobody->page_epochs)
		name_nobody(l, nobody, WM_PAGE_OTHER_STATIC);
	else
		l->count--;
	for (size_t i = WM_PAGE_OTHERS; i < u->owners && !s; i++)
		s = add_variable(l, a, &u->owner[i], &d, err);
	wm_declarations_release(&d);
	return s;
}

enum wm_status wm_page_sites_make(struct wm_page_sites *l,
				  const struct wm_analysis *a,
				  struct wm_err *err)
{
	enum wm_status s = WM_OK;

	memset(l, 0, sizeof(*l));
	s = wm_page_statics_make(&l->statics, a, err);
	l->has_variables = s == WM_OK;
	if (s != WM_NO_MEMORY)
		s = WM_OK;
	for (size_t i = 0; i < a->pages.owners && !s; i++)
		s = add_owner(l, a, i, err);
	if (!s && l->has_variables)
		s = add_variables(l, a, err);
	if (s) {
		wm_page_sites_release(l);
		return s;
	}
	join_all(l);
	l->shared_page_epochs =
		a->ranks[a->chosen].page_totals.shared_page_epochs +
		l->statics.use.shared_page_epochs;
	for (size_t i = 0; i < l->count; i++) {
		if (l->site[i].nobody)
			continue;
		l->untouched += l->site[i].untouched;
		l->cold += l->site[i].cold;
		l->read_only += l->site[i].read_only;
	}
	return WM_OK;
}

void wm_page_sites_release(struct wm_page_sites *l)
{
	free(l->site);
	wm_page_statics_release(&l->statics);
	memset(l, 0, sizeof(*l));
}
