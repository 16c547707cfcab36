/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/heap/libraries.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/order.h"
#include "analyze/lib/base/vec.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/answers/static/statics.h"
#include "analyze/symbols/site.h"
#include "input/path.h"

const char *const wm_library_kind_name[WM_LIBRARY_KINDS] = {
	[WM_LIBRARY_PROGRAM] = "program", [WM_LIBRARY_ARCHIVE] = "archive",
	[WM_LIBRARY_SHARED] = "library",  [WM_LIBRARY_NONE] = "unknown",
	[WM_LIBRARY_PADDING] = "padding",
};

struct build {
	struct wm_libraries *list;
	const struct wm_analysis *a;
	struct wm_path_frames callpath;
	uint32_t *stamp; /* by library: last path through it, + 1 */
	size_t stamp_cap;
};

static enum wm_group library_group(const struct wm_rules *rules,
				   const struct wm_library *l)
{
	struct wm_rule_frame f = { .linkage = NULL };

	if (l->kind == WM_LIBRARY_ARCHIVE)
		f.object = l->path;
	if (l->kind == WM_LIBRARY_SHARED)
		f.module = l->path;
	return wm_rules_judge(rules, &f).group;
}

/* @size is the length of @path.  Returns NULL if memory is short. */
static struct wm_library *get_library(struct build *b,
				      enum wm_library_kind kind,
				      const char *path, size_t size)
{
	struct wm_libraries *list = b->list;
	struct wm_library *l;

	/* a plain search, as the list is short */
	for (size_t i = 0; i < list->count; i++) {
		l = &list->library[i];
		if (l->kind == kind &&
		    (!path ||
		     (strncmp(l->path, path, size) == 0 && !l->path[size])))
			return l;
	}
	l = WM_MORE(list->library, list->cap, list->count);
	if (!l)
		return NULL;
	l->kind = kind;
	l->name = kind == WM_LIBRARY_PROGRAM ? b->a->name : "??";
	if (path) {
		l->path = strndup(path, size);
		if (!l->path)
			return NULL;
		l->name = wm_basename(l->path);
	}
	l->group = library_group(&b->a->rules, l);
	list->count++;
	return l;
}

static struct wm_library *of_object(struct build *b, const char *object)
{
	size_t n = wm_library_archive(object);

	return n ? get_library(b, WM_LIBRARY_ARCHIVE, object, n) :
		   get_library(b, WM_LIBRARY_PROGRAM, NULL, 0);
}

static struct wm_library *of_frame(struct build *b, const struct wm_frame *f)
{
	const struct wm_module *m = wm_frame_module(b->a, f);

	if (m->main && f->symbol->object)
		return of_object(b, f->symbol->object);
	if (m->main)
		return get_library(b, WM_LIBRARY_PROGRAM, NULL, 0);
	if (m->path)
		return get_library(b, WM_LIBRARY_SHARED, m->path,
				   strlen(m->path));
	return get_library(b, WM_LIBRARY_NONE, NULL, 0);
}

/* Counts the path for the library of @f, once for each path. */
static int add_through(struct build *b, const struct wm_frame *f, uint32_t path,
		       const struct wm_use *u)
{
	struct wm_library *l = of_frame(b, f);
	uint32_t *stamp;
	size_t i;

	if (!l)
		return -1;
	/* crt1.o is linked like an object of the program, but is none */
	if (l->kind == WM_LIBRARY_PROGRAM &&
	    f->symbol->site == WM_SITE_BY_OBJECT)
		return 0;
	i = (size_t)(l - b->list->library);
	stamp = WM_ZEROED(b->stamp, b->stamp_cap, i + 1);
	if (!stamp)
		return -1;
	if (stamp[i] == path + 1)
		return 0;
	stamp[i] = path + 1;
	l->through_bytes += u->peak_bytes;
	l->through_blocks += u->peak_blocks;
	return 0;
}

static enum wm_status add_path(struct build *b, uint32_t path,
			       const struct wm_use *u, struct wm_err *err)
{
	struct wm_frame site = wm_site_find(b->a->symbols, &b->a->paths, path);
	struct wm_library *l = site.symbol ? of_frame(b, &site) : NULL;
	enum wm_status s;

	if (!l)
		return wm_no_memory(err, "libraries");
	l->bytes += u->peak_bytes;
	l->blocks += u->peak_blocks;
	b->list->bytes += u->peak_bytes;
	b->list->blocks += u->peak_blocks;
	if (add_through(b, &site, path, u))
		return wm_no_memory(err, "libraries");
	s = wm_path_frames_fill_whole(&b->callpath, b->a, path, err);
	for (size_t i = 0; i < b->callpath.count && !s; i++)
		if (add_through(b, &b->callpath.frame[i], path, u))
			s = wm_no_memory(err, "libraries");
	return s;
}

static enum wm_status add_census(struct build *b, const struct wm_census *c,
				 uint64_t times, struct wm_err *err)
{
	const struct wm_census_row *row;
	struct wm_library *l;

	b->list->has_static = true;
	for (size_t i = 0; i < c->section_count; i++) {
		if (!wm_static_is_counted(c->sections[i].class))
			continue;
		for (size_t j = 0; j < c->sections[i].rows; j++) {
			row = &c->rows[c->sections[i].first_row + j];
			if (row->object)
				l = of_object(b, row->object);
			else if (row->name)
				l = get_library(b, WM_LIBRARY_PROGRAM, NULL, 0);
			else
				l = get_library(b, WM_LIBRARY_PADDING, NULL, 0);
			if (!l)
				return wm_no_memory(err, "libraries");
			l->static_bytes += row->bytes * times;
			b->list->static_bytes += row->bytes * times;
		}
	}
	return WM_OK;
}

static enum wm_status add_static(struct build *b, struct wm_err *err)
{
	const struct wm_analysis *a = b->a;
	const struct wm_census *c, *last = NULL;
	bool all = a->chosen == WM_ALL_RANKS;
	size_t end = all ? a->rank_count : a->chosen + 1;
	enum wm_status s = WM_OK;
	uint64_t times = 0;

	/* ranks of one program are mostly consecutive */
	for (size_t i = all ? 0 : a->chosen; i <= end && !s; i++) {
		c = i < end ? wm_analysis_census(a, i) : NULL;
		if (c != last && last)
			s = add_census(b, last, times, err);
		times = c == last ? times + 1 : 1;
		last = c;
	}
	return s;
}

/* Marks shared libraries, whose static memory is not counted. */
static void mark_static(struct wm_libraries *list)
{
	for (size_t i = 0; i < list->count; i++)
		list->library[i].has_static = list->has_static &&
					      list->library[i].kind !=
						      WM_LIBRARY_SHARED;
}

static int by_bytes(const void *a, const void *b)
{
	const struct wm_library *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->bytes + y->static_bytes,
				x->bytes + x->static_bytes),
		       WM_ORDER(y->through_bytes, x->through_bytes),
		       WM_ORDER(x->kind, y->kind),
		       wm_text_order(x->path, y->path));
}

enum wm_status wm_libraries_make(struct wm_libraries *l,
				 const struct wm_analysis *a, bool only_static,
				 struct wm_err *err)
{
	struct build b = { .list = l, .a = a };
	enum wm_status s = WM_OK;

	memset(l, 0, sizeof(*l));
	for (size_t i = 0; !only_static && i < a->paths.path_count && !s; i++)
		if (a->use[i].peak_blocks)
			s = add_path(&b, (uint32_t)i, &a->use[i], err);
	if (!s)
		s = add_static(&b, err);
	mark_static(l);
	if (!s)
		WM_SORT(l->library, l->count, by_bytes);
	wm_path_frames_release(&b.callpath);
	free(b.stamp);
	if (s)
		wm_libraries_release(l);
	return s;
}

void wm_libraries_release(struct wm_libraries *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->library[i].path);
	free(l->library);
	memset(l, 0, sizeof(*l));
}
