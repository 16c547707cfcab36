/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/bare_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/shorten.h"

/* A cell with the name of a function that has parameters. */
struct name {
	struct wm_cell *cell;
	size_t from, size; /* of the parameters */
};

static int by_bare_name(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = memcmp(x->cell->text, y->cell->text,
			   x->from < y->from ? x->from : y->from);

	return order ? order : (x->from > y->from) - (x->from < y->from);
}

static bool is_same(const struct name *x, const struct name *y)
{
	return x->size == y->size && !memcmp(x->cell->text + x->from,
					     y->cell->text + y->from, x->size);
}

static void cut(const struct name *n)
{
	char *text = n->cell->text, *rest = text + n->from + n->size;
	size_t size = strlen(rest) + 1;

	/* what people read behind it is after the 0 */
	if (n->cell->has_more)
		size += strlen(rest + size) + 1;
	memmove(text + n->from, rest, size);
}

static bool is_name(const struct wm_table *t, size_t i, struct name *n)
{
	n->cell = &t->cell[i];
	return n->cell->kind == WM_CELL_TEXT && n->cell->text &&
	       wm_table_unit(t, i / t->columns, i % t->columns) ==
		       WM_UNIT_TEXT &&
	       wm_parameters(n->cell->text, &n->from, &n->size);
}

bool wm_bare_names(struct wm_table *t)
{
	struct name *name = malloc((t->cells + 1) * sizeof(*name));
	size_t count = 0, i, k, end;
	bool alike;

	if (!name)
		return false;
	for (i = 0; i < t->cells; i++)
		count += is_name(t, i, &name[count]);
	qsort(name, count, sizeof(*name), by_bare_name);
	for (i = 0; i < count; i = end) {
		alike = true;
		for (end = i + 1;
		     end < count && !by_bare_name(&name[i], &name[end]); end++)
			alike &= is_same(&name[i], &name[end]);
		for (k = i; alike && k < end; k++)
			cut(&name[k]);
	}
	free(name);
	return true;
}
