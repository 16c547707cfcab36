/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/export/block_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/answers/pages/page_sites.h"

/* Gives blocks the names of the variables that hold them (Fortran's arrays), as
 * all reports do.  These variables were found from accesses. */
static bool take_held(struct wm_block_names *n)
{
	const struct wm_access_table *t = &n->a->accesses;

	for (size_t i = 0; i < t->variables; i++) {
		const struct wm_access_variable *v = &t->variable[i];
		uint32_t number;

		if (v->where != WM_WHERE_BLOCK || v->called ||
		    v->path >= n->paths || !n->names->variable[i].name)
			continue;
		number = wm_block_names_given(n, n->names->variable[i].name);
		if (number == UINT32_MAX)
			return false;
		n->site[v->family][v->path] = number + 1;
	}
	return true;
}

bool wm_block_names_init(struct wm_block_names *n, const struct wm_analysis *a,
			 const struct wm_access_names *names)
{
	memset(n, 0, sizeof(*n));
	n->a = a;
	n->names = names;
	n->paths = a->paths.path_count;
	for (size_t i = 0; i < WM_FAMILIES; i++) {
		n->site[i] = calloc(n->paths + 1, sizeof(*n->site[i]));
		if (!n->site[i])
			return false;
	}
	return take_held(n);
}

void wm_block_names_release(struct wm_block_names *n)
{
	for (size_t i = 0; i < WM_FAMILIES; i++)
		free(n->site[i]);
	wm_index_release(&n->index);
	free(n->text);
	memset(n, 0, sizeof(*n));
}

uint32_t wm_block_names_given(struct wm_block_names *n, const char *text)
{
	uint32_t hash = wm_index_hash(
		wm_hash_bytes(WM_HASH_START, text, strlen(text)));
	struct wm_index_slot *s;

	if (wm_index_room(&n->index) || !WM_MORE(n->text, n->cap, n->count))
		return UINT32_MAX;
	WM_INDEX_EACH(s, &n->index, hash)
		if (strcmp(n->text[s->number - 1], text) == 0)
			return s->number - 1;
	n->text[n->count++] = text;
	wm_index_put(&n->index, s, hash, n->count - 1);
	return (uint32_t)n->count - 1;
}

uint32_t wm_block_names_site(struct wm_block_names *n, uint8_t family,
			     uint32_t path)
{
	struct wm_page_owner o = { .kind = family, .key = path };
	struct wm_page_site s = { .name = NULL };
	uint32_t number;

	if (path >= n->paths)
		return wm_block_names_given(n, "?");
	if (n->site[family][path])
		return n->site[family][path] - 1;
	if (!wm_page_site_of(&s, n->a, &o))
		return UINT32_MAX;
	number = wm_block_names_given(n, s.name ? s.name : "?");
	if (number != UINT32_MAX)
		n->site[family][path] = number + 1;
	return number;
}
