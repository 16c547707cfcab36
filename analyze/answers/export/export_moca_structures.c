/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other file of Moca (Inria RR-8931), the objects at addresses: all blocks
 * of a page or more that ever existed, and static variables.
 *
 * If the executable is missing or has no variables, the ranges of static memory
 * that were covered take the place of variables.
 */
#include "analyze/answers/export/export.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/answers/pages/pages_by_epoch.h"
#include "analyze/answers/pages/page_sites.h"
#include "analyze/answers/pages/page_statics.h"
#include "analyze/render/doc.h"
#include "analyze/answers/reports.h"
#include "analyze/access/variables.h"
#include "wm/search.h"

static const struct wm_table_column columns[] = {
	{ "Name", NULL, WM_UNIT_TEXT },
	{ "Virt", NULL, WM_UNIT_TEXT },
	{ "Size", NULL, WM_UNIT_BYTES },
};

struct structure {
	uint64_t addr, bytes;
	struct wm_page_site site; /* only name and place are set */
};

struct list {
	struct structure *item;
	size_t count, cap;
	struct wm_variables names;
};

/* Compares by address; an object comes before the objects that it contains. */
static int by_address(const void *a, const void *b)
{
	const struct structure *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->addr, y->addr), WM_ORDER(y->bytes, x->bytes),
		       strcmp(x->site.name, y->site.name),
		       WM_ORDER(x->site.line, y->site.line));
}

/* Adds a structure, with no site yet.  Returns NULL if memory is short. */
static struct wm_page_site *add_structure(struct list *l, uint64_t addr,
					  uint64_t bytes)
{
	struct structure *to = WM_MORE(l->item, l->cap, l->count);

	if (!to)
		return NULL;
	l->count++;
	to->addr = addr;
	to->bytes = bytes;
	return &to->site;
}

static enum wm_status add_blocks(struct list *l, const struct wm_analysis *a,
				 struct wm_err *err)
{
	for (size_t i = 0; i < a->pages.blocks; i++) {
		const struct wm_block_at *b = &a->pages.block[i];
		struct wm_page_owner like = { .key = b->path };
		struct wm_page_site *s = add_structure(l, b->addr, b->bytes);

		if (!s || !wm_page_site_of(s, a, &like))
			return wm_no_memory(err, NULL);
	}
	return WM_OK;
}

static enum wm_status add_variables(struct list *l, const struct wm_analysis *a,
				    uint64_t bias, struct wm_err *err)
{
	struct wm_declarations d;
	bool good = wm_declarations_make(&d, wm_analysis_census(a, a->chosen));

	for (size_t i = 0; i < l->names.count && good; i++) {
		struct wm_variable *v = &l->names.variable[i];
		struct wm_page_site *s = add_structure(l, v->address + bias,
						       v->bytes);

		good = s && wm_page_site_variable(s, v, &d,
						  a->ranks[a->chosen].samples);
	}
	wm_declarations_release(&d);
	return good ? WM_OK : wm_no_memory(err, NULL);
}

/* Adds static memory if its variables are not known. */
static enum wm_status add_covered(struct list *l, struct wm_page_epochs *x,
				  struct wm_err *err)
{
	const unsigned shift = x->t.page_shift;
	const struct wm_epochs *e = &x->e;
	size_t block = SIZE_MAX;
	enum wm_status s;

	while (!(s = wm_page_epochs_next(x, err))) {
		for (size_t i = 0; block != e->block && i < e->covered_count;
		     i++) {
			const struct wm_covered *c = &e->covered[i];
			uint64_t first = c->range.first << shift;
			uint64_t end = c->range.end << shift;
			struct wm_page_site *to;

			if (c->kind != WMT_COVERED_STATIC)
				continue;
			to = add_structure(l, first, end - first);
			if (!to)
				return wm_no_memory(err, NULL);
			to->kind = "static";
			to->name = "(static memory)";
		}
		block = e->block;
	}
	return s == WM_END ? WM_OK : s;
}

static enum wm_status add_statics(struct list *l, const struct wm_analysis *a,
				  struct wm_err *err)
{
	const struct wm_rank *rank = &a->ranks[a->chosen];
	struct wm_page_epochs x;
	enum wm_status s = wm_page_epochs_open(&x, a, err);

	if (s)
		return s;
	/* as in the first file, there is nothing without epochs */
	if (x.t.page_block_count) {
		s = wm_variables_read(&l->names, &rank->exe, err);
		if (!s)
			s = add_variables(l, a, wm_page_statics_bias(&x.t),
					  err);
		else if (s != WM_NO_MEMORY)
			s = add_covered(l, &x, err);
	}
	wm_page_epochs_release(&x);
	return s;
}

/* Writes all structures.  Call paths with the same site are one structure. */
static void put_all(struct list *l, struct wm_doc *d)
{
	struct wm_table t;

	WM_SORT(l->item, l->count, by_address);
	WM_TABLE_INIT(&t, columns);
	for (size_t i = 0; i < l->count; i++) {
		const struct structure *x = &l->item[i];

		if (i && by_address(x, x - 1) == 0)
			continue;
		wm_page_site_name(&t, &x->site);
		wm_table_format(&t, "0x%" PRIx64, x->addr);
		wm_table_uint(&t, x->bytes);
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
}

enum wm_status wm_export_moca_structures(const struct wm_analysis *a,
					 const struct wm_opts *o, FILE *out,
					 struct wm_err *err)
{
	struct list l = { .count = 0 };
	struct wm_doc d;
	enum wm_status s = add_blocks(&l, a, err);

	(void)o;
	if (!s)
		s = add_statics(&l, a, err);
	wm_doc_init(&d, &wm_csv_form, out, err);
	if (!s)
		put_all(&l, &d);
	wm_variables_release(&l.names);
	free(l.item);
	return wm_doc_end(&d, s);
}
