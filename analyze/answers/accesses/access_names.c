/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/accesses/access_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answers/pages/page_sites.h"
#include "analyze/answers/static/statics.h"
#include "input/path.h"

static const char *keep(struct wm_access_names *n, char *text)
{
	return wm_texts_keep(&n->texts, text);
}

/* Makes a text from a format.  Returns NULL if memory is short. */
#define MAKE(n, ...) keep(n, wm_text_make(__VA_ARGS__))

/* Returns the Fortran allocatable array to which memory @v belongs: a static
 * variable whose descriptor was the first to get the address of each block of
 * @v.  Returns NULL if there is none, or if it is uncertain. */
static const struct wm_elements_variable *
holder_of(const struct wm_access_names *n, const struct wm_analysis *a,
	  const struct wm_access_variable *v)
{
	const struct wm_access_variable *h = &a->accesses.variable[v->holder];
	const struct wm_elements_variable *e;

	if (!n->elements || !v->held || v->held != v->blocks || v->holders ||
	    !a->paths.modules[h->module].main)
		return NULL;
	e = wm_elements_find(n->elements, h->offset, false);
	return e && e->address == h->offset && e->descriptor ? e : NULL;
}

const struct wm_elements_variable *
wm_access_element(const struct wm_access_names *n, const struct wm_analysis *a,
		  uint32_t number)
{
	const struct wm_access_variable *v = &a->accesses.variable[number];
	const struct wm_elements_variable *e;

	e = v->where == WM_WHERE_BLOCK ? holder_of(n, a, v) : NULL;
	return e ? wm_elements_element(n->elements, e) : NULL;
}

static bool name_block(struct wm_access_names *n, struct wm_access_named *to,
		       const struct wm_analysis *a,
		       const struct wm_access_variable *v)
{
	struct wm_page_owner o = { .kind = v->family, .key = v->path };
	const struct wm_elements_variable *e = holder_of(n, a, v);
	struct wm_page_site s = { .name = NULL };

	if (!wm_page_site_of(&s, a, &o))
		return false;
	if (v->name)
		s.name = v->name;
	else if (e)
		s.name = e->name;
	*to = (struct wm_access_named){ s.kind, s.name, s.file, s.line };
	return true;
}

static bool name_static(struct wm_access_names *n, struct wm_access_named *to,
			const struct wm_analysis *a,
			const struct wm_access_variable *v,
			const struct wm_declarations *d)
{
	struct wm_variable x = { v->offset, v->bytes, strdup(v->name) };
	struct wm_page_site s = { .kind = "static" };
	bool good = x.name != NULL;

	if (good && a->paths.modules[v->module].main) {
		good = wm_page_site_variable(&s, &x, d, true);
	} else if (good) {
		s.name = keep(n, wm_static_name(x.name, 0));
		good = s.name != NULL;
	}
	*to = (struct wm_access_named){ s.kind, s.name, s.file, s.line };
	return wm_texts_keep(&n->texts, x.name) && good;
}

static bool name_module(struct wm_access_names *n, struct wm_access_named *to,
			const struct wm_analysis *a,
			const struct wm_access_variable *v)
{
	const char *path = a->paths.modules[v->module].path;

	to->kind = "static";
	to->name = MAKE(n, "(static memory of %s)",
			path ? wm_basename(path) : "?");
	return to->name;
}

/* Returns NULL if memory is short. */
static const char *function_of(const struct wm_analysis *a,
			       const struct wm_access_variable *v)
{
	const struct wm_symbol *s = wm_symbols_at(a->symbols, &a->paths,
						  v->module, v->offset);

	return s ? wm_symbol_stable(s) : NULL;
}

static bool name_local(struct wm_access_names *n, struct wm_access_named *to,
		       const struct wm_analysis *a,
		       const struct wm_access_variable *v)
{
	const char *function = function_of(a, v);

	to->kind = "stack";
	to->name = !function ? NULL :
		   v->name   ? MAKE(n, "%s::%s", function, v->name) :
			       MAKE(n, "(stack of %s)", function);
	return to->name;
}

uint32_t wm_access_shown(const struct wm_access_names *n,
			 const struct wm_analysis *a, uint32_t number,
			 int64_t *shift)
{
	const struct wm_access_variable *v = &a->accesses.variable[number], *o;
	const struct wm_elements_variable *e;

	*shift = 0;
	if (v->where != WM_WHERE_REGION || !n->elements)
		return number;
	o = &a->accesses.variable[v->owner];
	if (o->where != WM_WHERE_STATIC || !a->paths.modules[o->module].main ||
	    v->place > 0 || v->bytes < o->bytes ||
	    (uint64_t)-v->place > v->bytes - o->bytes)
		return number;
	e = wm_elements_find(n->elements, o->offset, false);
	if (!e || e->shape == WM_SHAPE_UNKNOWN)
		return number;
	*shift = v->place;
	return v->owner;
}

static bool name_variable(struct wm_access_names *n, struct wm_access_named *to,
			  const struct wm_analysis *a,
			  const struct wm_access_variable *v,
			  const struct wm_declarations *d);

/* Names a region by its own name, unless reports show its owner instead. */
static bool name_region(struct wm_access_names *n, struct wm_access_named *to,
			const struct wm_analysis *a,
			const struct wm_access_variable *v,
			const struct wm_declarations *d)
{
	int64_t shift;
	uint32_t number = (uint32_t)(v - a->accesses.variable);
	bool own = wm_access_shown(n, a, number, &shift) == number;
	struct wm_access_named *owner = &n->variable[v->owner];

	if (!owner->kind &&
	    !name_variable(n, owner, a, &a->accesses.variable[v->owner], d))
		return false;
	*to = *owner;
	if (own)
		to->name = v->name;
	return true;
}

static bool name_variable(struct wm_access_names *n, struct wm_access_named *to,
			  const struct wm_analysis *a,
			  const struct wm_access_variable *v,
			  const struct wm_declarations *d)
{
	switch ((enum wm_access_where)v->where) {
	case WM_WHERE_BLOCK:
		return name_block(n, to, a, v);
	case WM_WHERE_STATIC:
		return name_static(n, to, a, v, d);
	case WM_WHERE_MODULE:
		return name_module(n, to, a, v);
	case WM_WHERE_LOCAL:
		return name_local(n, to, a, v);
	case WM_WHERE_REGION:
		return name_region(n, to, a, v, d);
	case WM_WHERE_STACK:
		to->kind = "stack";
		to->name = "(stack of the main thread)";
		return true;
	case WM_WHERE_OTHER:
		break;
	}
	to->kind = "other";
	to->name = "(unknown)";
	return true;
}

static bool name_all(struct wm_access_names *n, const struct wm_analysis *a,
		     const struct wm_declarations *d)
{
	const struct wm_access_table *t = &a->accesses;

	for (size_t i = 0; i < t->cells; i++) {
		const struct wm_access_cell *c = &t->cell[i];
		struct wm_access_named *to = &n->variable[c->variable];
		const struct wm_symbol **s = &n->spot[c->spot];
		const struct wm_table_spot *spot = &t->spot[c->spot];

		if (!c->accesses)
			continue;
		if (!to->kind &&
		    !name_variable(n, to, a, &t->variable[c->variable], d))
			return false;
		if (!*s)
			*s = wm_symbols_at(a->symbols, &a->paths, spot->module,
					   spot->offset);
		if (!*s)
			return false;
	}
	return true;
}

enum wm_status wm_access_names_make(struct wm_access_names *n,
				    const struct wm_analysis *a,
				    struct wm_err *err)
{
	const struct wm_access_table *t = &a->accesses;
	struct wm_declarations d;
	enum wm_status s;
	bool good;

	memset(n, 0, sizeof(*n));
	n->variable = calloc(t->variables + 1, sizeof(*n->variable));
	n->spot = calloc(t->spots + 1, sizeof(*n->spot));
	s = wm_elements_open(&n->elements, &a->ranks[a->chosen].exe, &n->why);
	good = wm_declarations_make(&d, wm_analysis_census(a, a->chosen)) &&
	       n->variable && n->spot && name_all(n, a, &d);
	wm_declarations_release(&d);
	if (good && s != WM_NO_MEMORY)
		return WM_OK;
	wm_access_names_release(n);
	return wm_no_memory(err, NULL);
}

void wm_access_names_release(struct wm_access_names *n)
{
	free(n->variable);
	free(n->spot);
	if (n->elements)
		wm_elements_free(n->elements);
	wm_texts_release(&n->texts);
	memset(n, 0, sizeof(*n));
}

/* Returns the bytes of each access if all have the same size, else 0. */
static uint64_t one_size(const struct wm_access_cell *c)
{
	return c->accesses && c->bytes % c->accesses == 0 ?
		       c->bytes / c->accesses :
		       0;
}

/* Names an element of a region if only the elements' size is known. */
static const char *region_member(struct wm_access_names *n,
				 const struct wm_access_variable *v,
				 const struct wm_access_cell *c)
{
	uint64_t bytes = one_size(c), first = c->lowest / v->element;
	uint64_t within = c->lowest % v->element;
	uint64_t last = (c->lowest + bytes - 1) / v->element;
	bool many = c->lowest != c->highest;

	if (!bytes)
		return NULL;
	if (many && (c->step % v->element || !within))
		return MAKE(n, "%s[]", v->name);
	if (many)
		return MAKE(n, "%s[]+%" PRIu64, v->name, within);
	if (last > first)
		return MAKE(n, "%s[%" PRIu64 "..%" PRIu64 "]", v->name, first,
			    last);
	if (within)
		return MAKE(n, "%s[%" PRIu64 "]+%" PRIu64, v->name, first,
			    within);
	return MAKE(n, "%s[%" PRIu64 "]", v->name, first);
}

/* Names a member as (:)%x, as the bounds of the array are unknown. */
static const char *element_member(struct wm_access_names *n,
				  const struct wm_elements_variable *e,
				  const char *name,
				  const struct wm_access_cell *c)
{
	uint64_t width = c->highest - c->lowest, bytes = one_size(c);
	struct wm_spread spread = { c->lowest % e->bytes, 0, 0, bytes };
	struct wm_element_text text = { .flags = 0 };

	if (!bytes || spread.first + bytes > e->bytes)
		return NULL;
	spread.last = spread.first;
	if (c->step % e->bytes) {
		if (width > e->bytes - bytes - spread.first)
			return NULL;
		spread.last += width;
		spread.stride = c->step;
	}
	wm_elements_text(n->elements, e, &spread, &text);
	return MAKE(n, "%s(:)%s", name, text.text);
}

static const char *static_member(struct wm_access_names *n,
				 const struct wm_access_variable *v,
				 const struct wm_access_cell *c)
{
	struct wm_spread spread = { c->lowest, c->highest, c->step,
				    one_size(c) };
	const struct wm_elements_variable *e = wm_elements_find(n->elements,
								v->offset,
								false);
	struct wm_element_text text = { .flags = 0 };

	if (!e || e->address != v->offset || !spread.bytes)
		return NULL;
	wm_elements_text(n->elements, e, &spread, &text);
	return keep(n, strdup(text.text));
}

static const char *local_member(struct wm_access_names *n,
				const struct wm_analysis *a,
				const struct wm_access_variable *v,
				const struct wm_access_cell *c)
{
	struct wm_spread spread = { c->lowest, c->highest, c->step,
				    one_size(c) };
	const struct wm_elements_variable *e = wm_elements_local(n->elements,
								 v->offset,
								 v->place);
	const char *function = function_of(a, v);
	struct wm_element_text text = { .flags = 0 };

	if (!e || !function || strcmp(e->name, v->name) != 0 || !spread.bytes)
		return NULL;
	wm_elements_text(n->elements, e, &spread, &text);
	return MAKE(n, "%s::%s", function, text.text);
}

const char *wm_access_member(struct wm_access_names *n,
			     const struct wm_analysis *a, size_t cell)
{
	struct wm_access_cell moved = a->accesses.cell[cell], *c = &moved;
	int64_t shift;
	uint32_t number = wm_access_shown(n, a, c->variable, &shift);
	const struct wm_access_variable *v = &a->accesses.variable[number];
	const char *name = n->variable[number].name, *text = NULL;
	const struct wm_elements_variable *element;

	c->lowest += (uint64_t)shift;
	c->highest += (uint64_t)shift;
	element = wm_access_element(n, a, number);
	if (element)
		text = element_member(n, element, name, c);
	if (v->where == WM_WHERE_REGION && v->element)
		text = region_member(n, v, c);
	if (v->where == WM_WHERE_STATIC && n->elements &&
	    a->paths.modules[v->module].main)
		text = static_member(n, v, c);
	if (v->where == WM_WHERE_LOCAL && v->name && n->elements &&
	    a->paths.modules[v->module].main)
		text = local_member(n, a, v, c);
	if (text)
		return text;
	if (v->where != WM_WHERE_STATIC && v->where != WM_WHERE_BLOCK &&
	    v->where != WM_WHERE_REGION &&
	    !(v->where == WM_WHERE_LOCAL && v->name))
		return name;
	if (c->lowest == c->highest)
		return MAKE(n, "%s +%" PRIu64, name, c->lowest);
	return MAKE(n, "%s +%" PRIu64 "..%" PRIu64 " by %" PRIu64, name,
		    c->lowest, c->highest, c->step);
}
