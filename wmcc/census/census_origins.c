/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/census/census_origins.h"
#include "wm/search.h"
#include "wmcc/base/strv.h"

#include <stdlib.h>
#include <string.h>

static const char unnamed_temporary[] = "(temporary object)";
static const char unnamed_lto[] = "(LTO)";

static int compare_pieces(const void *pa, const void *pb)
{
	const struct wm_object_piece *a = pa, *b = pb;

	return WM_KEYS(WM_ORDER(a->section, b->section),
		       WM_ORDER(a->address, b->address),
		       WM_ORDER(a->end, b->end));
}

/* Returns the section @name that contains @address, else another one, or
 * NULL. */
static const struct wm_image_section *
section_named(const struct wm_image *image, const char *name, uint64_t address)
{
	const struct wm_image_section *s = image->sections.items;
	const struct wm_image_section *found = NULL;
	size_t i;

	for (i = 0; i < image->sections.count; i++) {
		if (strcmp(s[i].name, name) != 0)
			continue;
		if (address >= s[i].address &&
		    address - s[i].address < s[i].bytes)
			return &s[i];
		found = &s[i];
	}
	return found;
}

/* Recognizes objects that gcc, lld or gold's plugin make for LTO. */
static bool is_lto(const char *object)
{
	const char *base = wm_basename(object);

	return strstr(base, ".ltrans") || !strcmp(base, "lto.tmp") ||
	       !strcmp(base, "ld-temp.o") || !strncmp(base, "lto-llvm-", 9);
}

static bool in_temporary_directory(const char *object)
{
	const char *const dirs[] = {
		getenv("TMPDIR"), getenv("TMP"), getenv("TEMP"),
		"/tmp",		  "/var/tmp",	 "/usr/tmp",
	};
	size_t n = (size_t)(wm_basename(object) - object), i, len;

	for (i = 0; n && i < sizeof(dirs) / sizeof(*dirs); i++) {
		len = dirs[i] ? strlen(dirs[i]) : 0;
		while (len && dirs[i][len - 1] == '/')
			len--;
		if (len && len == n - 1 && !memcmp(dirs[i], object, len))
			return true;
	}
	return false;
}

/* Recognizes names that compilers choose: ccXXXXXX.o, SOURCE-xxxxxx.o ... */
static bool is_temporary(const char *object)
{
	const char *base = wm_basename(object);
	size_t n = strlen(base);

	if (n < 4 || strcmp(base + n - 2, ".o") != 0 ||
	    !in_temporary_directory(object))
		return false;
	return (n == 10 && !strncmp(base, "cc", 2)) ||
	       (n > 9 && base[n - 9] == '-' &&
		strspn(base + n - 8, "0123456789abcdef") == 6) ||
	       wm_starts_any(base, "ifort ifx icc icx nv pg");
}

struct temporary {
	const char *object, *source;
};

static struct temporary *find_temporary(const struct wm_vec *list,
					const char *object)
{
	struct temporary *t = list->items;
	size_t i;

	for (i = list->count; i--;)
		if (t[i].object == object || !strcmp(t[i].object, object))
			return &t[i];
	return NULL;
}

static int list_temporaries(const struct wm_object_map *origins,
			    struct wm_vec *list)
{
	const struct wm_object_piece *p = origins->pieces.items;
	struct temporary *t;
	size_t i;

	for (i = 0; i < origins->pieces.count; i++) {
		if (!p[i].object || !is_temporary(p[i].object) ||
		    find_temporary(list, p[i].object))
			continue;
		t = wm_vec_add(list);
		if (!t)
			return -1;
		t->object = p[i].object;
	}
	return 0;
}

/* Returns the name that an object has in the census. */
static const char *lasting_name(const struct wm_vec *list, const char *object)
{
	const struct temporary *t;

	if (!object || is_lto(object))
		return object ? unnamed_lto : NULL;
	t = is_temporary(object) ? find_temporary(list, object) : NULL;
	if (!t)
		return object;
	return t->source ? t->source : unnamed_temporary;
}

/* Finds source files by local symbols, which have a source file and an
 * address. */
static void find_sources(const struct wm_object_map *origins,
			 const struct wm_vec *symbols, struct wm_vec *list)
{
	const struct wm_elf_symbol *s = symbols->items;
	const struct wm_object_piece *p;
	struct temporary *t;
	size_t i;

	for (i = 0; i < symbols->count; i++) {
		if (!s[i].file)
			continue;
		p = wm_object_map_find(origins, s[i].section, s[i].address);
		t = p && p->object && is_temporary(p->object) ?
			    find_temporary(list, p->object) :
			    NULL;
		/* without a source file GNU ld takes the name of the object */
		if (t && !t->source &&
		    strcmp(s[i].file, wm_basename(t->object)) != 0)
			t->source = s[i].file;
	}
}

static int rename_temporaries(struct wm_object_map *origins,
			      const struct wm_image *image)
{
	struct wm_object_piece *p = origins->pieces.items;
	struct wm_vec list = WM_VEC(struct temporary);
	struct wm_vec symbols = WM_VEC(struct wm_elf_symbol);
	struct wm_map_common *c = origins->commons.items;
	int status = -1;
	size_t i;

	if (list_temporaries(origins, &list) < 0)
		goto out;
	if (list.count) {
		if (wm_image_symbols(image, false, &symbols) < 0 ||
		    wm_image_symbols(image, true, &symbols) < 0)
			goto out;
		find_sources(origins, &symbols, &list);
	}
	for (i = 0; i < origins->pieces.count; i++)
		p[i].object = lasting_name(&list, p[i].object);
	for (i = 0; i < origins->commons.count; i++)
		c[i].object = lasting_name(&list, c[i].object);
	status = 0;
out:
	wm_vec_release(&symbols);
	wm_vec_release(&list);
	return status;
}

static int add_pieces(struct wm_object_map *origins,
		      const struct wm_linkmap *map,
		      const struct wm_image *image)
{
	const struct wm_image_section *s = NULL;
	const char *name = NULL;
	size_t i, foreign = 0;
	struct wm_object_piece *out;

	for (i = 0; i < map->piece_count; i++) {
		const struct wm_map_piece *p = &map->pieces[i];

		/* neighbours have the same name, often by the same pointer */
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
		out = wm_vec_add(&origins->pieces);
		if (!out)
			return -1;
		out->section = s->index;
		out->address = p->address;
		out->end = s->address + s->bytes;
		if (p->bytes < out->end - p->address)
			out->end = p->address + p->bytes;
		/* lld and mold use this word if no object gave the piece */
		if (p->object && strcmp(p->object, "<internal>") != 0)
			out->object = p->object;
		out->common = p->common;
	}
	if (foreign > origins->pieces.count / 8)
		origins->pieces.count = 0;
	wm_vec_sort(&origins->pieces, compare_pieces);
	return 0;
}

static int compare_commons(const void *pa, const void *pb)
{
	const struct wm_map_common *a = pa, *b = pb;

	return strcmp(a->name, b->name);
}

static int add_commons(struct wm_object_map *origins,
		       const struct wm_linkmap *map)
{
	struct wm_map_common *out;
	size_t i;

	for (i = 0; i < map->common_count; i++) {
		out = wm_vec_add(&origins->commons);
		if (!out)
			return -1;
		*out = map->commons[i];
	}
	wm_vec_sort(&origins->commons, compare_commons);
	return 0;
}

int wm_object_map_init(struct wm_object_map *origins,
		       const struct wm_linkmap *map,
		       const struct wm_image *image)
{
	memset(origins, 0, sizeof(*origins));
	origins->pieces.item = sizeof(struct wm_object_piece);
	origins->commons.item = sizeof(struct wm_map_common);
	if (add_pieces(origins, map, image) < 0 ||
	    add_commons(origins, map) < 0)
		return -1;
	return rename_temporaries(origins, image);
}

const char *wm_object_map_common(const struct wm_object_map *origins,
				 const char *name)
{
	struct wm_map_common key = { name, NULL }, *found = NULL;

	if (origins->commons.count)
		found = bsearch(&key, origins->commons.items,
				origins->commons.count, sizeof(key),
				compare_commons);
	return found ? found->object : NULL;
}

void wm_object_map_release(struct wm_object_map *origins)
{
	wm_vec_release(&origins->pieces);
	wm_vec_release(&origins->commons);
}

size_t wm_object_map_first(const struct wm_object_map *origins,
			   uint32_t section, uint64_t address)
{
	const struct wm_object_piece *p = origins->pieces.items;

	return WM_FIRST(i, origins->pieces.count,
			p[i].section > section || (p[i].section == section &&
						   p[i].end > address));
}

const struct wm_object_piece *
wm_object_map_find(const struct wm_object_map *origins, uint32_t section,
		   uint64_t address)
{
	const struct wm_object_piece *p = origins->pieces.items;
	size_t i = wm_object_map_first(origins, section, address);

	if (i >= origins->pieces.count || p[i].section != section ||
	    p[i].address > address)
		return NULL;
	return p + i;
}

static bool is_unnamed(const struct wm_strings *strings, uint32_t object)
{
	const char *s = wm_strings_get(strings, object);

	return s && (!strcmp(s, unnamed_lto) || !strcmp(s, unnamed_temporary));
}

static uint32_t add_base_name(struct wm_strings *strings, uint32_t file)
{
	const char *s = wm_strings_get(strings, file);
	uint32_t number;
	char *copy;

	if (!s)
		return 0;
	copy = strdup(wm_basename(s)); /* adding a string may move @s */
	if (!copy) {
		strings->failed = true;
		return 0;
	}
	number = wm_strings_add(strings, copy);
	free(copy);
	return number;
}

static uint32_t file_at(const struct wm_census_model *m, uint64_t address)
{
	const struct wm_model_line *l = m->lines.items;
	size_t n = WM_FIRST(i, m->lines.count, l[i].address > address);

	return n ? l[n - 1].file : 0;
}

int wm_census_name_temporaries(struct wm_census_model *m)
{
	struct wm_model_row *r = m->rows.items;
	struct wm_model_function *f = m->functions.items;
	uint32_t name;
	size_t i;

	for (i = 0; i < m->rows.count; i++)
		if (r[i].file && is_unnamed(&m->strings, r[i].object))
			r[i].object = add_base_name(&m->strings, r[i].file);
	for (i = 0; i < m->functions.count; i++) {
		if (!is_unnamed(&m->strings, f[i].object))
			continue;
		name = add_base_name(&m->strings, file_at(m, f[i].address));
		if (name)
			f[i].object = name;
	}
	return m->strings.failed ? -1 : 0;
}
