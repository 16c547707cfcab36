/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/census_rows.h"

#include <stdlib.h>
#include <string.h>

#include "wm/census_format.h"

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_pieces(const void *pa, const void *pb)
{
	const struct wm_place_piece *a = pa, *b = pb;
	int c = order(a->section, b->section);

	if (!c)
		c = order(a->address, b->address);
	return c ? c : order(a->end, b->end);
}

/* The allocated section called @name, of several the one with @address. */
static const struct wm_image_section *
section_named(const struct wm_image *image, const char *name, uint64_t address)
{
	const struct wm_image_section *s = image->sections.items;
	const struct wm_image_section *found = NULL;
	size_t i;

	for (i = 0; i < image->sections.count; i++) {
		if (strcmp(s[i].name, name))
			continue;
		if (address >= s[i].address &&
		    address - s[i].address < s[i].bytes)
			return &s[i];
		found = &s[i];
	}
	return found;
}

int wm_place_map_init(struct wm_place_map *places,
		      const struct wm_linkmap *map,
		      const struct wm_image *image)
{
	const struct wm_image_section *s = NULL;
	const char *name = NULL;
	size_t i, foreign = 0;
	struct wm_place_piece *out;

	memset(places, 0, sizeof(*places));
	places->pieces.item = sizeof(struct wm_place_piece);
	for (i = 0; i < map->piece_count; i++) {
		const struct wm_map_piece *p = &map->pieces[i];

		/* neighbours share the name, often the pointer */
		if (p->section != name || !s || p->address < s->address)
			s = section_named(image, p->section, p->address);
		name = p->section;
		if (!s)
			continue;
		if (p->address < s->address ||
		    p->address - s->address >= s->bytes) {
			foreign++;
			continue;
		}
		out = wm_vec_add(&places->pieces);
		if (!out)
			return -1;
		out->section = s->index;
		out->address = p->address;
		out->end = s->address + s->bytes;
		if (p->bytes < out->end - p->address)
			out->end = p->address + p->bytes;
		out->object = p->object;
		out->common = p->common;
	}
	if (foreign > places->pieces.count / 8)
		places->pieces.count = 0;
	if (places->pieces.count)
		qsort(places->pieces.items, places->pieces.count,
		      sizeof(*out), compare_pieces);
	return 0;
}

void wm_place_map_release(struct wm_place_map *places)
{
	wm_vec_release(&places->pieces);
}

/* Number of the first piece that ends after @address, or lies behind it. */
static size_t first_piece(const struct wm_place_map *places, uint32_t section,
			  uint64_t address)
{
	const struct wm_place_piece *p = places->pieces.items;
	size_t lo = 0, hi = places->pieces.count, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (p[mid].section < section ||
		    (p[mid].section == section && p[mid].end <= address))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct wm_place_piece *wm_place_map_find(
	const struct wm_place_map *places, uint32_t section, uint64_t address)
{
	const struct wm_place_piece *p = places->pieces.items;
	size_t i = first_piece(places, section, address);

	if (i >= places->pieces.count || p[i].section != section ||
	    p[i].address > address)
		return NULL;
	return p + i;
}

/* Bytes without a symbol, of one object (or of nobody). */
struct gap {
	uint32_t object;
	uint32_t flags;
	uint64_t bytes;
};

static int compare_gaps(const void *pa, const void *pb)
{
	const struct gap *a = pa, *b = pb;

	/* nobody's last */
	if (!a->object != !b->object)
		return !a->object - !b->object;
	if (a->object != b->object)
		return order(a->object, b->object);
	return order(a->flags, b->flags);
}

/* What the rows of one program are made from. */
struct rows {
	struct wm_model *model;
	const struct wm_place_map *places;
	const struct wm_linkmap *map;
	struct wm_vec gaps; /* of struct gap: those of one section */
};

static int add_gap(struct rows *r, uint32_t object, int common, uint64_t bytes)
{
	struct gap *g;

	if (!bytes)
		return 0;
	g = wm_vec_add(&r->gaps);
	if (!g)
		return -1;
	g->object = object;
	g->flags = common ? WMC_ROW_COMMON : 0;
	g->bytes = bytes;
	return 0;
}

/* [@from, @to) of a section has no symbol; the map may know the object. */
static int fill_gap(struct rows *r, uint32_t section, uint64_t from,
		    uint64_t to)
{
	const struct wm_place_piece *p = r->places->pieces.items;
	size_t i = first_piece(r->places, section, from);
	uint64_t end;

	while (from < to) {
		if (i >= r->places->pieces.count ||
		    p[i].section != section || p[i].address >= to)
			return add_gap(r, 0, 0, to - from);
		if (p[i].address > from) {
			if (add_gap(r, 0, 0, p[i].address - from) < 0)
				return -1;
			from = p[i].address;
		}
		end = p[i].end < to ? p[i].end : to;
		if (end > from) {
			if (add_gap(r, wm_strings_add(&r->model->strings,
						      p[i].object),
				    p[i].common, end - from) < 0)
				return -1;
			from = end;
		}
		i++;
	}
	return 0;
}

/* Turn the gaps of a section into rows, one per object. */
static int flush_gaps(struct rows *r)
{
	struct gap *g = r->gaps.items;
	struct wm_model_row *row = NULL;
	size_t i;

	if (r->gaps.count)
		qsort(g, r->gaps.count, sizeof(*g), compare_gaps);
	for (i = 0; i < r->gaps.count; i++) {
		if (!row || compare_gaps(&g[i], &g[i - 1])) {
			row = wm_vec_add(&r->model->rows);
			if (!row)
				return -1;
			row->object = g[i].object;
			row->flags = g[i].flags;
		}
		row->bytes += g[i].bytes;
	}
	r->gaps.count = 0;
	return 0;
}

/* gold names the objects of COMMON symbols apart from their addresses. */
static const char *common_object(const struct rows *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->map->common_count; i++)
		if (!strcmp(r->map->commons[i].name, name))
			return r->map->commons[i].object;
	return NULL;
}

static int add_row(struct rows *r, const struct wm_symbol *sym, uint64_t from,
		   uint64_t to)
{
	struct wm_strings *strings = &r->model->strings;
	const struct wm_place_piece *p;
	const char *object = sym->file;
	struct wm_model_row *row = wm_vec_add(&r->model->rows);

	if (!row)
		return -1;
	p = wm_place_map_find(r->places, sym->section, from);
	if (p) {
		object = p->object;
		if (p->common)
			row->flags |= WMC_ROW_COMMON;
		if (p->common && !object)
			object = common_object(r, sym->name);
	}
	row->name = wm_strings_add(strings, sym->name);
	row->object = wm_strings_add(strings, object);
	row->address = from;
	row->bytes = to - from;
	return 0;
}

/*
 * The rows of section @s; @sym to @end are its symbols in the order of
 * wm_symbol_compare().  A byte belongs to the first symbol that covers it.
 */
static int fill_section(struct rows *r, const struct wm_image_section *s,
			const struct wm_symbol *sym,
			const struct wm_symbol *end)
{
	uint64_t at = s->address, limit = s->address + s->bytes, from, to;

	for (; sym < end && at < limit; sym++) {
		if (sym->address < s->address || sym->address >= limit)
			continue;
		from = sym->address > at ? sym->address : at;
		to = sym->bytes < limit - sym->address ?
			     sym->address + sym->bytes :
			     limit;
		if (to <= from)
			continue;
		if (fill_gap(r, s->index, at, from) < 0 ||
		    add_row(r, sym, from, to) < 0)
			return -1;
		at = to;
	}
	if (fill_gap(r, s->index, at, limit) < 0)
		return -1;
	return flush_gaps(r);
}

static int add_section(struct rows *r, const struct wm_image_section *s,
		       const struct wm_symbol *sym,
		       const struct wm_symbol *end)
{
	struct wm_model *m = r->model;
	struct wm_model_section *out = wm_vec_add(&m->sections);
	size_t first = m->rows.count;
	int status;

	if (!out)
		return -1;
	out->name = wm_strings_add(&m->strings, s->name);
	out->class = s->class;
	out->index = s->index;
	out->address = s->address;
	out->bytes = s->bytes;
	out->first_row = first;
	if (s->class == WMC_CLASS_OTHER) {
		status = add_gap(r, 0, 0, s->bytes);
		if (!status)
			status = flush_gaps(r);
	} else {
		status = fill_section(r, s, sym, end);
	}
	out->rows = m->rows.count - first;
	return status;
}

int wm_census_rows(struct wm_model *model, const struct wm_image *plain,
		   const struct wm_place_map *places,
		   const struct wm_linkmap *map)
{
	const struct wm_image_section *s = plain->sections.items;
	struct wm_vec symbols = WM_VEC(struct wm_symbol);
	struct rows r = { model, places, map, WM_VEC(struct gap) };
	const struct wm_symbol *sym;
	size_t i, at = 0, end;
	int status = -1;

	if (wm_image_symbols(plain, 0, &symbols) < 0)
		goto out;
	if (symbols.count)
		qsort(symbols.items, symbols.count, sizeof(*sym),
		      wm_symbol_compare);
	sym = symbols.items;
	for (i = 0; i < plain->sections.count; i++) {
		while (at < symbols.count && sym[at].section < s[i].index)
			at++;
		end = at;
		while (end < symbols.count && sym[end].section == s[i].index)
			end++;
		if (add_section(&r, &s[i], sym + at, sym + end) < 0)
			goto out;
		at = end;
	}
	status = 0;
out:
	wm_vec_release(&r.gaps);
	wm_vec_release(&symbols);
	return status;
}
