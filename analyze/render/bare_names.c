/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/bare_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/shorten.h"
#include "analyze/lib/base/vec.h"
#include "wm/search.h"

static int by_bare_name(const void *a, const void *b)
{
	const struct wm_bare_name *x = a, *y = b;

	return WM_KEYS(memcmp(x->text, y->text,
			      x->from < y->from ? x->from : y->from),
		       WM_ORDER(x->from, y->from));
}

/* Sets .unique, and sorts @name by names without parameters. */
static void find_unique(struct wm_bare_name *name, size_t count)
{
	size_t end;

	WM_SORT(name, count, by_bare_name);
	for (size_t i = 0; i < count; i = end) {
		bool alike = true;

		for (end = i + 1;
		     end < count && !by_bare_name(&name[i], &name[end]); end++)
			alike &= name[i].size == name[end].size &&
				 !memcmp(name[i].text + name[i].from,
					 name[end].text + name[end].from,
					 name[i].size);
		for (size_t k = i; k < end; k++)
			name[k].unique = alike;
	}
}

/* ---- in an object ---- */

static bool add_name(struct wm_bare_list *l, const char *text)
{
	struct wm_bare_name *to, b = { .text = text };

	if (!wm_parameters(text, &b.from, &b.size))
		return true;
	to = WM_MORE(l->name, l->cap, l->count);
	if (!to)
		return false;
	*to = b;
	l->count++;
	return true;
}

void wm_bare_list_add(void *list, const char *text)
{
	struct wm_bare_list *l = list;
	char *at, *next, **to;

	if (!strchr(text, '('))
		return;
	to = WM_MORE(l->copy, l->room, l->copies);
	at = to ? strdup(text) : NULL;
	l->lost |= !at;
	if (at)
		l->copy[l->copies++] = at;
	for (; at && !l->lost; at = next) {
		next = strchr(at, ';');
		if (next)
			*next++ = 0;
		l->lost = !add_name(l, at);
	}
}

void wm_bare_list_put(const struct wm_bare_list *l, struct wm_json *j)
{
	const struct wm_bare_name *b = l->name, *last = NULL;

	find_unique(l->name, l->count); /* equal names become neighbours */
	wm_json_object(j, "bare");
	for (size_t i = 0; i < l->count; i++, b++) {
		char *bare;

		if (!b->unique || (last && !strcmp(last->text, b->text)))
			continue;
		last = b;
		bare = strndup(b->text, b->from);
		wm_json_text(j, b->text, bare);
		free(bare);
	}
	wm_json_end_object(j);
}

void wm_bare_list_release(struct wm_bare_list *l)
{
	while (l->copies)
		free(l->copy[--l->copies]);
	free(l->copy);
	free(l->name);
}

/* ---- in a table ---- */

/* Marks bytes to cut out; no text of a cell has this byte. */
#define GONE 1
#define NAMES 2 /* of a cell: a function, and its caller */

static void cut(struct wm_cell *cell)
{
	char *to = cell->text, *from = to, *end = to + strlen(to) + 1;

	/* the text after the cell follows the 0 */
	if (cell->has_more)
		end += strlen(end) + 1;
	for (; from < end; from++)
		if (*from != GONE)
			*to++ = *from;
}

/* Finds names with parameters in a cell: "grab(int) < main(int)". */
static size_t find_names(const struct wm_table *t, size_t i,
			 struct wm_bare_name *n)
{
	const struct wm_cell *c = &t->cell[i];
	const char *at = c->text;
	size_t count = 0;

	if (c->kind != WM_CELL_TEXT ||
	    wm_table_unit(t, i / t->columns, i % t->columns) != WM_UNIT_TEXT)
		return 0;
	for (; at && count < NAMES; at = at ? at + 3 : NULL) {
		n[count].text = at;
		n[count].of = i;
		count += wm_parameters(at, &n[count].from, &n[count].size);
		at = strstr(at, " < ");
	}
	return count;
}

bool wm_bare_names(struct wm_table *t)
{
	struct wm_bare_name *name = calloc(t->cells * NAMES + 1, sizeof(*name));
	size_t count = 0, i;

	if (!name)
		return false;
	for (i = 0; i < t->cells; i++)
		count += find_names(t, i, &name[count]);
	find_unique(name, count);
	for (i = 0; i < count; i++)
		if (name[i].unique)
			memset(t->cell[name[i].of].text +
				       (name[i].text -
					t->cell[name[i].of].text) +
				       name[i].from,
			       GONE, name[i].size);
	for (i = 0; i < count; i++)
		cut(&t->cell[name[i].of]);
	free(name);
	return true;
}
