/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/namesakes.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/symbols/site.h"
#include "wm/search.h"

struct named {
	const char *name, *file;
	size_t size;
};

/* Returns the last @parts parts of @path. */
static const char *tail_of(const char *path, size_t parts)
{
	const char *at = path + strlen(path);

	while (at > path && (at[-1] != '/' || --parts))
		at--;
	return at;
}

/* Returns the number of equal bytes at the ends of both paths. */
static size_t common(const struct named *x, const struct named *y)
{
	size_t n = 0;

	while (n < x->size && n < y->size &&
	       x->file[x->size - 1 - n] == y->file[y->size - 1 - n])
		n++;
	return n;
}

/* Orders by name, then by file from its end, so that similar files are
 * neighbours. */
static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	size_t n;

	if (order)
		return order;
	n = common(x, y);
	return n == x->size || n == y->size ?
		       WM_ORDER(x->size, y->size) :
		       WM_ORDER(x->file[x->size - 1 - n],
				y->file[y->size - 1 - n]);
}

/* Returns how many last parts distinguish the paths, or 0 if they are equal. */
static size_t parts_of(const struct named *x, const struct named *y)
{
	size_t n = common(x, y), parts = 1, i;

	if (n == x->size && n == y->size)
		return 0;
	for (i = 1; i <= n; i++)
		parts += x->file[x->size - i] == '/';
	return parts + (n == x->size || n == y->size);
}

static struct wm_namesake *find(const struct wm_namesakes *n, const char *name)
{
	size_t at = WM_FIRST(i, n->count, strcmp(n->row[i].name, name) >= 0);

	return at < n->count && !strcmp(n->row[at].name, name) ? &n->row[at] :
								 NULL;
}

/* Returns -1 without memory. */
static int put(struct wm_namesakes *n, const char *name, size_t parts)
{
	struct wm_namesake *row = find(n, name);
	size_t at = WM_FIRST(i, n->count, strcmp(n->row[i].name, name) > 0);
	char *copy;

	if (row) {
		n->late |= n->runs && parts > row->parts;
		if (parts > row->parts)
			row->parts = parts;
		return 0;
	}
	copy = strdup(name);
	if (!copy || !WM_MORE(n->row, n->cap, n->count)) {
		free(copy);
		return -1;
	}
	row = &n->row[at];
	memmove(row + 1, row, (n->count++ - at) * sizeof(*row));
	*row = (struct wm_namesake){ copy, parts };
	n->late |= n->runs > 0;
	return 0;
}

/* A function of MPI has no file here: it is the same in all languages. */
static bool has_file(const struct wm_symbol *s)
{
	return s->linkage && s->source && s->site != WM_SITE_MPI;
}

/* Returns the functions that have a file, sorted; NULL: no memory. */
static struct named *list_names(struct wm_symbols *s,
				const struct wm_paths *paths, size_t *count)
{
	char *seen = calloc(s->functions.count + 1, 1);
	struct named *list = calloc(s->functions.count + 1, sizeof(*list));
	const struct wm_symbol *sym;

	*count = 0;
	for (uint32_t i = 1; seen && list && i < paths->node_count; i++)
		for (sym = wm_frame_first(s, paths, i).symbol; sym;
		     sym = sym->outer)
			if (has_file(sym) && !seen[sym->function]) {
				seen[sym->function] = 1;
				list[(*count)++] = (struct named){
					wm_symbol_stable(sym), sym->source,
					strlen(sym->source)
				};
			}
	if (*count)
		qsort(list, *count, sizeof(*list), by_name);
	if (!seen) {
		free(list);
		list = NULL;
	}
	free(seen);
	return list;
}

enum wm_status wm_namesakes_add(struct wm_namesakes *n, struct wm_symbols *s,
				const struct wm_paths *paths,
				struct wm_err *err)
{
	struct named *list;
	size_t count, parts, i;
	int bad = 0;

	if (s->namesakes_found)
		return WM_OK;
	for (i = 1; i < paths->node_count; i++)
		if (!wm_frame_first(s, paths, (uint32_t)i).symbol)
			return wm_no_memory(err, "symbols");
	list = list_names(s, paths, &count);
	for (i = 1; list && i < count && !bad; i++) {
		if (strcmp(list[i - 1].name, list[i].name) != 0)
			continue;
		parts = parts_of(&list[i - 1], &list[i]);
		bad = parts ? put(n, list[i].name, parts) : 0;
	}
	free(list);
	if (!list || bad)
		return wm_no_memory(err, "names of functions");
	n->runs++;
	s->namesakes_found = true;
	return WM_OK;
}

void wm_namesakes_release(struct wm_namesakes *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->row[i].name);
	free(n->row);
	memset(n, 0, sizeof(*n));
}

const char *wm_namesakes_file(const struct wm_namesakes *n,
			      const struct wm_symbol *s)
{
	const struct wm_namesake *row = n->count && has_file(s) ?
						find(n, wm_symbol_stable(s)) :
						NULL;

	return row ? tail_of(s->source, row->parts) : NULL;
}
