/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/givers.h"

#include <stdlib.h>
#include <string.h>

#include "wmcc/base/strv.h"

static const char *object_at(const struct wm_linkmap *map, uint64_t address)
{
	for (size_t i = 0; address && i < map->piece_count; i++) {
		const struct wm_map_piece *p = &map->pieces[i];

		if (p->object && address >= p->address &&
		    address - p->address < p->bytes)
			return p->object;
	}
	return NULL;
}

void wm_givers_find(struct wm_givers *g, const struct wm_program_info *o,
		    const struct wm_linkmap *map)
{
	memset(g, 0, sizeof(*g));
	for (size_t i = 0; o->is_static && i < WM_FOUND_SYMBOLS; i++)
		g->of[i] = object_at(map, o->found[i]);
}

bool wm_giver_is_libc(const char *object)
{
	static const char archives[] =
		"libc.a( libjemalloc libtcmalloc libmimalloc";

	return wm_starts_any(wm_basename(object), archives);
}

bool wm_giver_is_lto(const char *object)
{
	/* names that gcc, lld and LLVM's plugin use */
	return strstr(object, ".ltrans") || strstr(object, ".lto.") ||
	       strstr(object, "lto.tmp") || strstr(object, "lto-llvm") ||
	       strstr(object, "lto.o");
}

/* The folder of @object may be written in several ways. */
static bool is_from(const char *line, size_t n, const char *object)
{
	const char *name = wm_basename(object);
	size_t m = strlen(name);

	return n >= m && !memcmp(line + n - m, name, m) &&
	       (n == m || strchr("/ ", line[n - m - 1]));
}

/* Returns the end of the path, *@n bytes, of the object that defines @name, or
 * NULL if that is @object or @copy (or NULL), or unknown. */
static const char *other_giver(const char *text, const char *name,
			       const char *object, const char *copy, size_t *n)
{
	char *what = wm_strf(": definition of %s", name);
	const char *other = NULL, *at;
	size_t m = strlen(what), all;

	for (const char *p = text, *end; *p; p = *end ? end + 1 : end) {
		end = strchrnul(p, '\n');
		all = (size_t)(end - p);
		if (all < m || memcmp(end - m, what, m) != 0)
			continue;
		all -= m;
		if (is_from(p, all, object) ||
		    (copy && is_from(p, all, copy))) {
			other = NULL;
			break;
		}
		at = memrchr(p, '/', all);
		other = at ? at + 1 : p;
		/* bfd prints its own name first, mold a word */
		at = memmem(other, all - (size_t)(other - p), ": ", 2);
		other = at ? at + 2 : other;
		*n = all - (size_t)(other - p);
	}
	free(what);
	return other;
}

char *wm_givers_compare(const struct wm_givers *g, const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < WM_FOUND_SYMBOLS; i++) {
		const char *name = wm_found_names[i].name, *other;

		if (!g->of[i] || wm_giver_is_lto(g->of[i]))
			continue;
		other = other_giver(text, name, g->of[i], g->copy[i], &n);
		if (other)
			return wm_strf("%s would come from '%.*s', not from "
				       "'%s': put the libraries after the "
				       "objects",
				       name, (int)n, other,
				       wm_basename(g->of[i]));
	}
	return NULL;
}
