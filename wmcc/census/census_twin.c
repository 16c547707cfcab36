/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the functions of the relinked program disjoint. */
#include "wmcc/census/census_rows.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wm/search.h"

struct known {
	const char *name;
	uint64_t bytes;
	const char *object;
};

static int compare_known(const void *pa, const void *pb)
{
	const struct known *a = pa, *b = pb;

	return WM_KEYS(strcmp(a->name, b->name), WM_ORDER(a->bytes, b->bytes));
}

static int list_known(struct wm_vec *known, const struct wm_image *plain,
		      const struct wm_object_map *places)
{
	struct wm_vec symbols = WM_VEC(struct wm_elf_symbol);
	const struct wm_elf_symbol *s;
	const struct wm_object_piece *p;
	struct known *k;
	size_t i;
	int status = -1;

	if (wm_image_symbols(plain, true, &symbols) < 0)
		goto out;
	s = symbols.items;
	for (i = 0; i < symbols.count; i++) {
		p = wm_object_map_find(places, s[i].section, s[i].address);
		if (!p || !p->object)
			continue;
		k = wm_vec_add(known);
		if (!k)
			goto out;
		*k = (struct known){ s[i].name, s[i].bytes, p->object };
	}
	wm_vec_sort(known, compare_known);
	status = 0;
out:
	wm_vec_release(&symbols);
	return status;
}

/* Returns the object of all functions with this name and size, or NULL. */
static const char *known_object(const struct wm_vec *known,
				const struct wm_elf_symbol *symbol)
{
	const struct known *k = known->items;
	struct known key = { symbol->name, symbol->bytes, NULL };
	size_t lo = WM_FIRST(n, known->count, compare_known(&k[n], &key) >= 0);
	size_t i;

	for (i = lo; i < known->count && !compare_known(&k[i], &key); i++)
		if (strcmp(k[i].object, k[lo].object) != 0)
			return NULL;
	return i > lo ? k[lo].object : NULL;
}

/* A function whose end has not been reached. */
struct open {
	const struct wm_elf_symbol *symbol;
	uint64_t end;
};

struct layout {
	struct wm_census_model *model;
	const struct wm_vec *known;
	struct wm_vec open; /* struct open; the innermost is the last one */
	uint64_t at; /* the address up to which functions were added */
};

static int add_function(struct layout *l, const struct wm_elf_symbol *s,
			uint64_t to)
{
	struct wm_model_function *f = l->model->functions.items, *last;
	struct wm_strings *strings = &l->model->strings;
	uint32_t name = wm_strings_add(strings, s->name);

	if (to <= l->at)
		return 0;
	last = l->model->functions.count ? f + l->model->functions.count - 1 :
					   NULL;
	if (last && last->name == name &&
	    last->address + last->bytes == l->at && s->address < l->at) {
		last->bytes = to - last->address;
	} else {
		f = wm_vec_add(&l->model->functions);
		if (!f)
			return -1;
		f->address = l->at;
		f->bytes = to - l->at;
		f->name = name;
		f->object = wm_strings_add(strings, known_object(l->known, s));
	}
	l->at = to;
	return 0;
}

/* Adds functions up to @address, and closes those that end there. */
static int close_below(struct layout *l, uint64_t address)
{
	while (l->open.count) {
		struct open *top = (struct open *)l->open.items +
				   l->open.count - 1;

		if (top->end > address)
			return add_function(l, top->symbol, address);
		if (add_function(l, top->symbol, top->end) < 0)
			return -1;
		l->open.count--;
	}
	if (l->at < address)
		l->at = address;
	return 0;
}

/* A function without a size ends at the next function. */
static uint64_t end_of(const struct wm_elf_symbol *s,
		       const struct wm_elf_symbol *next,
		       const struct wm_elf_symbol *limit, uint64_t section_end)
{
	if (s->bytes)
		return s->bytes < section_end - s->address ?
			       s->address + s->bytes :
			       section_end;
	while (next < limit && next->section == s->section)
		if (next->address > s->address)
			return next->address;
		else
			next++;
	return section_end;
}

static int lay_out(struct layout *l, const struct wm_image *twin,
		   const struct wm_elf_symbol *s, size_t count)
{
	const struct wm_image_section *sec = NULL;
	const struct wm_elf_symbol *before = NULL;
	struct open *top;
	uint64_t end;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!sec || sec->index != s[i].section)
			sec = wm_image_section(twin, s[i].section);
		if (!sec || s[i].address < sec->address ||
		    s[i].address - sec->address >= sec->bytes)
			continue;
		if (before && before->section == s[i].section &&
		    before->address == s[i].address)
			continue; /* another name of this function */
		before = &s[i];
		end = end_of(&s[i], s + i + 1, s + count,
			     sec->address + sec->bytes);
		if (close_below(l, s[i].address) < 0)
			return -1;
		/* ignores a label inside a function */
		if (l->open.count && !s[i].bytes)
			continue;
		top = wm_vec_add(&l->open);
		if (!top)
			return -1;
		*top = (struct open){ &s[i], end };
	}
	return close_below(l, UINT64_MAX);
}

static int by_address(const void *pa, const void *pb)
{
	const struct wm_elf_symbol *a = pa, *b = pb;

	return WM_KEYS(WM_ORDER(a->address, b->address),
		       wm_symbol_compare(pa, pb));
}

int wm_census_functions(struct wm_census_model *model,
			const struct wm_image *twin,
			const struct wm_image *plain,
			const struct wm_object_map *places)
{
	struct wm_vec symbols = WM_VEC(struct wm_elf_symbol);
	struct wm_vec known = WM_VEC(struct known);
	struct layout l = { model, &known, WM_VEC(struct open), 0 };
	int status = -1;

	if (wm_image_symbols(twin, true, &symbols) < 0 ||
	    (places->pieces.count && list_known(&known, plain, places) < 0))
		goto out;
	wm_vec_sort(&symbols, by_address);
	status = lay_out(&l, twin, symbols.items, symbols.count);
out:
	wm_vec_release(&l.open);
	wm_vec_release(&known);
	wm_vec_release(&symbols);
	return status;
}
