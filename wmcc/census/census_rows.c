/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/census/census_rows.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wm/census_format.h"
#include "wm/search.h"

/* Bytes without a symbol; @object is 0 if it is unknown. */
struct gap {
	uint32_t object;
	uint32_t flags;
	uint64_t bytes;
};

static int compare_gaps(const void *pa, const void *pb)
{
	const struct gap *a = pa, *b = pb;

	/* gaps without an object are last */
	return WM_KEYS(WM_ORDER(!a->object, !b->object),
		       WM_ORDER(a->object, b->object),
		       WM_ORDER(a->flags, b->flags));
}

struct rows {
	struct wm_census_model *model;
	const struct wm_object_map *origins;
	struct wm_vec gaps; /* struct gap, in one section */
};

static int add_gap(struct rows *r, uint32_t object, bool common, uint64_t bytes)
{
	struct gap *g;

	if (!bytes)
		return 0;
	g = wm_vec_add(&r->gaps);
	if (!g)
		return -1;
	*g = (struct gap){ object, common ? WMC_ROW_COMMON : 0, bytes };
	return 0;
}

/* Adds gaps for the bytes from @from to @to, with their objects in the map. */
static int fill_gap(struct rows *r, uint32_t section, uint64_t from,
		    uint64_t to)
{
	const struct wm_object_piece *p = r->origins->pieces.items;
	size_t i = wm_object_map_first(r->origins, section, from);
	uint64_t end;

	while (from < to) {
		if (i >= r->origins->pieces.count || p[i].section != section ||
		    p[i].address >= to)
			return add_gap(r, 0, false, to - from);
		if (p[i].address > from) {
			if (add_gap(r, 0, false, p[i].address - from) < 0)
				return -1;
			from = p[i].address;
		}
		end = p[i].end < to ? p[i].end : to;
		if (end > from) {
			if (add_gap(r,
				    wm_strings_add(&r->model->strings,
						   p[i].object),
				    p[i].common, end - from) < 0)
				return -1;
			from = end;
		}
		i++;
	}
	return 0;
}

/* Makes a row of all gaps of a section that have the same object. */
static int flush_gaps(struct rows *r)
{
	struct gap *g = r->gaps.items;
	struct wm_model_row *row = NULL;
	size_t i;

	wm_vec_sort(&r->gaps, compare_gaps);
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

static int add_row(struct rows *r, const struct wm_elf_symbol *sym,
		   uint64_t from, uint64_t to)
{
	struct wm_strings *strings = &r->model->strings;
	const struct wm_object_piece *p;
	const char *object = r->origins->pieces.count ? NULL : sym->file;
	struct wm_model_row *row = wm_vec_add(&r->model->rows);

	if (!row)
		return -1;
	p = wm_object_map_find(r->origins, sym->section, from);
	if (p) {
		object = p->object;
		if (p->common)
			row->flags |= WMC_ROW_COMMON;
		if (p->common && !object)
			object = wm_object_map_common(r->origins, sym->name);
	}
	row->name = wm_strings_add(strings, sym->name);
	row->object = wm_strings_add(strings, object);
	row->address = from;
	row->bytes = to - from;
	return 0;
}

/* @sym to @end are the symbols of @s in the order of wm_symbol_compare().  A
 * byte belongs to the first symbol that covers it. */
static int fill_section(struct rows *r, const struct wm_image_section *s,
			const struct wm_elf_symbol *sym,
			const struct wm_elf_symbol *end)
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
		       const struct wm_elf_symbol *sym,
		       const struct wm_elf_symbol *end)
{
	struct wm_census_model *m = r->model;
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
		status = add_gap(r, 0, false, s->bytes);
		if (!status)
			status = flush_gaps(r);
	} else {
		status = fill_section(r, s, sym, end);
	}
	out->rows = m->rows.count - first;
	return status;
}

static int compare_files(const void *pa, const void *pb)
{
	const struct wm_elf_symbol *a = *(
		const struct wm_elf_symbol *const *)pa;
	const struct wm_elf_symbol *b = *(
		const struct wm_elf_symbol *const *)pb;

	return WM_KEYS(WM_ORDER(a->file_number, b->file_number),
		       strcmp(a->name, b->name));
}

/* In a symbol table, local symbols of objects without a file name (glibc's)
 * follow the name of the object before them.  One object cannot have two local
 * symbols of one name, so the file of all symbols there is then unknown. */
static int drop_doubtful_files(struct wm_vec *symbols)
{
	struct wm_elf_symbol *s = symbols->items;
	struct wm_elf_symbol **list;
	size_t i, n = 0, first = 0;
	bool doubtful = false;

	list = calloc(symbols->count + 1, sizeof(struct wm_elf_symbol *));
	if (!list)
		return -1;
	for (i = 0; i < symbols->count; i++) {
		/* without a source file GNU ld takes gcc's temporary name */
		if (s[i].file && !strncmp(s[i].file, "cc", 2) &&
		    !strcmp(s[i].file + strlen(s[i].file) - 2, ".o") &&
		    strlen(s[i].file) == 10)
			s[i].file = NULL;
		if (s[i].file)
			list[n++] = &s[i];
	}
	qsort(list, n, sizeof(struct wm_elf_symbol *), compare_files);
	for (i = 0; i < n; i++) {
		if (i + 1 < n && !compare_files(&list[i], &list[i + 1]))
			doubtful = true;
		if (i + 1 < n &&
		    list[i]->file_number == list[i + 1]->file_number)
			continue;
		for (; first <= i; first++)
			if (doubtful)
				list[first]->file = NULL;
		doubtful = false;
	}
	free(list);
	return 0;
}

int wm_census_rows(struct wm_census_model *model, const struct wm_image *plain,
		   const struct wm_object_map *origins)
{
	const struct wm_image_section *s = plain->sections.items;
	struct wm_vec symbols = WM_VEC(struct wm_elf_symbol);
	struct rows r = { model, origins, WM_VEC(struct gap) };
	/* a valid pointer if there are no symbols */
	static const struct wm_elf_symbol none;
	const struct wm_elf_symbol *sym;
	size_t i, at = 0, end;
	int status = -1;

	if (wm_image_symbols(plain, false, &symbols) < 0 ||
	    drop_doubtful_files(&symbols) < 0)
		goto out;
	wm_vec_sort(&symbols, wm_symbol_compare);
	sym = symbols.count ? symbols.items : &none;
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
