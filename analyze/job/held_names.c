/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/analysis.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/symbols/elements.h"
#include "input/path.h"
#include "wm/trace_format.h"

struct file {
	char *id; /* beginning of its build-id, in digits */
	const char *path;
	struct wm_elements *elements;
};

struct files {
	const struct wm_analysis *a;
	struct file *file;
	size_t count, cap;
};

static bool has_id(const struct wm_module *m, const char *hex)
{
	char two[3] = "";
	size_t n = strlen(hex) / 2;

	if (!n || n > m->build_id_size || !m->path)
		return false;
	for (size_t i = 0; i < n; i++) {
		snprintf(two, sizeof(two), "%02x", m->build_id[i]);
		if (strncmp(hex + 2 * i, two, 2) != 0)
			return false;
	}
	return true;
}

static const struct wm_module *find_module(const struct wm_analysis *a,
					   const char *id)
{
	for (size_t i = 0; i < a->rank_count; i++)
		if (has_id(&a->ranks[i].exe, id))
			return &a->ranks[i].exe;
	for (size_t i = 0; i < a->paths.module_count; i++)
		if (has_id(&a->paths.modules[i], id))
			return &a->paths.modules[i];
	return NULL;
}

/* Returns NULL without memory. */
static const struct file *find_file(struct files *f, const char *id,
				    struct wm_err *err)
{
	const struct wm_module *m;
	struct wm_err why; /* ignored: an address may have no name */
	struct file *x;

	for (size_t i = 0; i < f->count; i++)
		if (strcmp(f->file[i].id, id) == 0)
			return &f->file[i];
	x = WM_MORE(f->file, f->cap, f->count);
	if (!x) {
		wm_no_memory(err, NULL);
		return NULL;
	}
	*x = (struct file){ .id = strdup(id) };
	f->count++;
	m = find_module(f->a, id);
	if (m)
		x->path = m->path;
	if (!x->id ||
	    (m && wm_elements_open(&x->elements, m, &why) == WM_NO_MEMORY)) {
		wm_no_memory(err, NULL);
		return NULL;
	}
	return x;
}

static void release_files(struct files *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->file[i].id);
		if (f->file[i].elements)
			wm_elements_free(f->file[i].elements);
	}
	free(f->file);
}

/* Returns the word as an expression of the program, or NULL without memory. */
static char *text_of(const struct file *f, uint64_t address)
{
	static const char descriptor[] = "{descriptor}";
	struct wm_elements *e = f->elements;
	const struct wm_elements_variable *v = e ? wm_elements_find(e, address,
								    false) :
						   NULL;
	struct wm_element_text text = { .flags = 0 };
	struct wm_spread at = { 0, 0, 0, sizeof(uint64_t) };
	char *made, *end;

	if (!v)
		return asprintf(&made, "%s+0x%" PRIx64,
				f->path ? wm_basename(f->path) : "?",
				address) < 0 ?
			       NULL :
			       made;
	at.first = at.last = address - v->address;
	wm_elements_text(e, v, &at, &text);
	/* the word in the descriptor has the address of the array */
	end = text.text + strlen(text.text);
	if (end - text.text >= (long)sizeof(descriptor) - 1 &&
	    strcmp(end - sizeof(descriptor) + 1, descriptor) == 0)
		end[1 - (long)sizeof(descriptor)] = 0;
	return strdup(text.text);
}

/* Parses the name of a word in static memory; returns false for others. */
static bool read_place(const char *name, uint64_t *address, const char **id)
{
	const size_t n = sizeof(WMT_STATIC_PREFIX) - 1;
	char *end;

	if (strncmp(name, WMT_STATIC_PREFIX, n) != 0)
		return false;
	*address = strtoull(name + n, &end, 16);
	*id = end + 1;
	return end > name + n && *end == WMT_STATIC_IN && **id;
}

/* Replaces *@name if it is an address, and sets *@found to whether it was. */
static enum wm_status find_name(struct files *f, char **name, bool *found,
				struct wm_err *err)
{
	const struct file *x;
	uint64_t address;
	const char *id;
	char *text;

	*found = *name && read_place(*name, &address, &id);
	if (!*found)
		return WM_OK;
	x = find_file(f, id, err);
	if (!x)
		return WM_NO_MEMORY;
	text = text_of(x, address);
	if (!text)
		return wm_no_memory(err, NULL);
	free(*name);
	*name = text;
	return WM_OK;
}

static enum wm_status find_names(struct files *f, struct wm_annotations *n,
				 struct wm_err *err)
{
	size_t count = 0;
	bool found;

	for (size_t i = 0; i < n->name_count; i++) {
		if (!n->name[i].variable)
			continue;
		if (find_name(f, &n->name[i].name, &found, err))
			return WM_NO_MEMORY;
		count += found;
	}
	return count ? wm_annotations_sort(n, err) : WM_OK;
}

enum wm_status wm_held_names_find(struct wm_analysis *a, struct wm_err *err)
{
	struct files f = { .a = a };
	enum wm_status s = find_names(&f, &a->annotations, err);
	bool found;

	if (!s)
		s = find_names(&f, &a->sum.annotations, err);
	for (size_t i = 0; i < a->name_series.names && !s; i++)
		s = find_name(&f, &a->name_series.name[i], &found, err);
	release_files(&f);
	return s;
}
