/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/bare_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/shorten.h"

static int by_bare_name(const void *a, const void *b)
{
	const struct wm_bare_name *x = a, *y = b;
	int order = memcmp(x->text, y->text,
			   x->from < y->from ? x->from : y->from);

	return order ? order : (x->from > y->from) - (x->from < y->from);
}

static bool is_same(const struct wm_bare_name *x, const struct wm_bare_name *y)
{
	return x->size == y->size &&
	       !memcmp(x->text + x->from, y->text + y->from, x->size);
}

void wm_bare_names_find(struct wm_bare_name *name, size_t count)
{
	size_t end;

	if (count)
		qsort(name, count, sizeof(*name), by_bare_name);
	for (size_t i = 0; i < count; i = end) {
		bool alike = true;

		for (end = i + 1;
		     end < count && !by_bare_name(&name[i], &name[end]); end++)
			alike &= is_same(&name[i], &name[end]);
		for (size_t k = i; k < end; k++)
			name[k].unique = alike;
	}
}

/* ---- in a table ---- */

static void cut(struct wm_cell *cell, size_t from, size_t gone)
{
	char *text = cell->text, *rest = text + from + gone;
	size_t size = strlen(rest) + 1;

	/* what people read behind it is after the 0 */
	if (cell->has_more)
		size += strlen(rest + size) + 1;
	memmove(text + from, rest, size);
}

static bool is_name(const struct wm_table *t, size_t i, struct wm_bare_name *n)
{
	const struct wm_cell *c = &t->cell[i];

	n->text = c->text;
	n->of = i;
	return c->kind == WM_CELL_TEXT && c->text &&
	       wm_table_unit(t, i / t->columns, i % t->columns) ==
		       WM_UNIT_TEXT &&
	       wm_parameters(c->text, &n->from, &n->size);
}

bool wm_bare_names(struct wm_table *t)
{
	struct wm_bare_name *name = calloc(t->cells + 1, sizeof(*name));
	size_t count = 0, i;

	if (!name)
		return false;
	for (i = 0; i < t->cells; i++)
		count += is_name(t, i, &name[count]);
	wm_bare_names_find(name, count);
	for (i = 0; i < count; i++)
		if (name[i].unique)
			cut(&t->cell[name[i].of], name[i].from, name[i].size);
	free(name);
	return true;
}
