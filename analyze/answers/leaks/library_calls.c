/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/leaks/library_calls.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "wm/hdf5_list.h"
#include "wm/search.h"

#include "analyze/lib/base/vec.h"
#include "analyze/job/analysis.h"
#include "analyze/symbols/rules.h"

static bool has_line(const struct wm_frame *f)
{
	return f->symbol->file && f->symbol->line;
}

static bool is_of_library(const struct wm_analysis *a, const struct wm_frame *f)
{
	const char *object = f->symbol->object;

	if (has_line(f) || f->symbol->site == WM_SITE_MPI)
		return false;
	return !wm_frame_module(a, f)->main || (object && strchr(object, '('));
}

size_t wm_library_caller(const struct wm_analysis *a,
			 const struct wm_path_frames *f)
{
	size_t i, k;

	for (i = 0; i < f->count && is_of_library(a, &f->frame[i]); i++)
		;
	if (!i || i == f->count || f->frame[i].symbol->site == WM_SITE_MPI)
		return 0;
	for (k = i; k < f->count && !has_line(&f->frame[k]); k++)
		;
	return k < f->count ? k : i;
}

bool wm_library_sets_up(const struct wm_path_frames *f, size_t count)
{
	static const char *const names[] = { "*init*",	   "*Init*",
					     "*_once*",	   "*startup*",
					     "*_setup*",   "*register*",
					     "*configure*" };

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
			if (fnmatch(names[k], f->frame[i].symbol->name, 0) == 0)
				return true;
	return false;
}

#define NAME_MADE(x, number, name, ...) #name,
#define NAME(x, name, ...) #name,

bool wm_library_makes_ids(const char *name)
{
	static const char *const names[] = {
		"H5open", WM_HDF5_IN_FILE(NAME_MADE, ) WM_HDF5_FREE(NAME_MADE, )
				  WM_HDF5_CLOSED(NAME, )
	};
	size_t n = strlen(name), i;

	if (strncasecmp(name, "h5", 2) != 0)
		return false;
	n -= n > 2 && strcmp(name + n - 2, "_f") == 0 ? 2 : 0;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *rest;

		if (strncasecmp(names[i], name, n) != 0)
			continue;
		/* H5Dopen stands for H5Dopen2, too */
		rest = names[i] + n;
		if (!*rest || (isdigit((unsigned char)*rest) && !rest[1]))
			return true;
	}
	return false;
}

static uint64_t mix(uint64_t hash, uint64_t x)
{
	hash = (hash ^ x) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

uint64_t wm_path_below(const struct wm_analysis *a, uint32_t path,
		       const struct wm_frame *caller)
{
	struct wm_frame f = wm_frame_first(a->symbols, &a->paths,
					   a->paths.leaf[path]);
	uint64_t hash = 0;

	while (f.node != caller->node) {
		const struct wm_path_node *n = &a->paths.nodes[f.node];

		hash = mix(mix(hash, n->module), n->offset);
		if (!wm_frame_next(a->symbols, &a->paths, &f))
			break;
	}
	return hash;
}

/* Returns 0 for calls in the same line of a function, as compilers may make
 * several calls of one.  If lines are unknown, returns 0 only for the same
 * call. */
static int compare_callers(const struct wm_frame *x, const struct wm_frame *y)
{
	const struct wm_symbol *a = x->symbol, *b = y->symbol;
	int d = WM_ORDER(has_line(x), has_line(y));

	if (!d && has_line(x))
		return WM_KEYS(WM_ORDER(a->function, b->function),
			       WM_ORDER(a->line, b->line),
			       strcmp(a->file, b->file));
	return WM_KEYS(d, WM_ORDER(x->node, y->node),
		       WM_ORDER((uintptr_t)a, (uintptr_t)b));
}

struct wm_leaf *wm_walk_add(struct wm_library_walk *w,
			    const struct wm_path_frames *f, size_t caller,
			    uint32_t path, size_t maker)
{
	const struct wm_use *u = &w->in->use[path];
	struct wm_leaf *l = WM_MORE(w->leaf, w->leaf_cap, w->leaves);

	if (!l)
		return NULL;
	w->leaves++;
	*l = (struct wm_leaf){
		.maker = maker,
		.made = f->frame[caller ? caller - 1 : 0].symbol->name,
		.caller = f->frame[caller],
		.path = path,
		.most = u->most_blocks,
		.blocks = u->left_blocks,
		.bytes = u->left_bytes,
		.sets_up = wm_library_sets_up(f, caller),
	};
	return l;
}

enum wm_status wm_walk_paths(struct wm_library_walk *w,
			     enum wm_status (*look)(struct wm_library_walk *w,
						    uint32_t path,
						    struct wm_err *err),
			     struct wm_err *err)
{
	enum wm_status r = WM_OK;

	for (uint32_t i = 0; i < w->a->paths.path_count && !r; i++)
		r = look(w, i, err);
	return r;
}

int wm_walk_compare(const struct wm_leaf *x, const struct wm_leaf *y)
{
	return WM_KEYS(WM_ORDER(x->maker, y->maker),
		       x->maker == WM_HDF5_FIRST ? strcmp(x->made, y->made) : 0,
		       compare_callers(&x->caller, &y->caller));
}

/* By call, then by number of blocks. */
static int compare_leaves(const void *a, const void *b)
{
	const struct wm_leaf *x = a, *y = b;

	return WM_KEYS(wm_walk_compare(x, y), WM_ORDER(x->most, y->most),
		       WM_ORDER(x->path, y->path));
}

/* Adds a leaf to @c.  Some frames of one call may have no name. */
static void add_to_call(struct wm_call *c, const struct wm_leaf *l)
{
	const char *was = c->lost.maker;

	if (!was || l->exact || (was[0] == '?' && l->made[0] != '?'))
		c->lost.maker = l->made;
	if (l->by)
		c->lost.by = l->by;
	c->leaves++;
}

enum wm_status wm_walk_calls(struct wm_library_walk *w,
			     void (*judge)(const struct wm_library_walk *w,
					   struct wm_call *c),
			     struct wm_err *err)
{
	w->call = calloc(w->leaves + 1, sizeof(*w->call));
	if (!w->call)
		return wm_no_memory(err, "calls of libraries");
	WM_SORT(w->leaf, w->leaves, compare_leaves);
	for (size_t i = 0; i < w->leaves; i++) {
		struct wm_leaf *l = &w->leaf[i];

		if (!i || wm_walk_compare(l - 1, l) != 0)
			w->call[w->calls++] = (struct wm_call){
				.leaf = l,
				.lost = { .caller = l->caller,
					  .library = !l->maker,
					  .hdf5 = l->maker == WM_HDF5_FIRST },
			};
		add_to_call(&w->call[w->calls - 1], l);
	}
	for (size_t i = 0; i < w->calls; i++) {
		struct wm_call *c = &w->call[i];

		judge(w, c);
		for (size_t k = 0; k < c->leaves; k++) {
			c->lost.blocks += c->leaf[k].lost ? c->leaf[k].blocks :
							    0;
			c->lost.bytes += c->leaf[k].lost ? c->leaf[k].bytes : 0;
		}
	}
	return WM_OK;
}

static int by_bytes(const void *a, const void *b)
{
	const struct wm_call *x = a, *y = b;

	if (!x->lost.blocks || !y->lost.blocks)
		return !x->lost.blocks - !y->lost.blocks;
	return WM_KEYS(WM_ORDER(y->lost.bytes, x->lost.bytes),
		       WM_ORDER(x->lost.caller.node, y->lost.caller.node));
}

static int by_unknown(const void *a, const void *b)
{
	const struct wm_call *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->unknown, x->unknown),
		       WM_ORDER(x->lost.caller.node, y->lost.caller.node));
}

/* Makes room after the calls of @h, and sorts the calls of @w by @compare. */
static enum wm_status make_room(struct wm_library_walk *w, struct wm_handles *h,
				int (*compare)(const void *, const void *),
				struct wm_err *err)
{
	size_t n = h->count + h->unknown + w->calls + 1;
	struct wm_lost_handles *lost = realloc(h->lost, n * sizeof(*lost));

	if (!lost)
		return wm_no_memory(err, "calls of libraries");
	h->lost = lost;
	WM_SORT(w->call, w->calls, compare);
	return WM_OK;
}

static void set_paths(const struct wm_library_walk *w, uint32_t *of_path,
		      const struct wm_leaf *l, size_t number)
{
	uint32_t path = l->path;

	do
		of_path[path] = (uint32_t)number;
	while (w->next_path && (path = w->next_path[path]) != 0);
}

enum wm_status wm_walk_put_lost(struct wm_library_walk *w, struct wm_handles *h,
				struct wm_err *err)
{
	enum wm_status r = make_room(w, h, by_bytes, err);

	for (size_t i = 0; !r && i < w->calls && w->call[i].lost.blocks; i++) {
		const struct wm_call *c = &w->call[i];

		h->lost[h->count++] = c->lost;
		for (size_t k = 0; k < c->leaves; k++)
			if (c->leaf[k].lost)
				set_paths(w, h->of_path, &c->leaf[k], h->count);
	}
	return r;
}

static void put_unknown(const struct wm_library_walk *w, struct wm_handles *h,
			const struct wm_call *c)
{
	struct wm_lost_handles *of = &h->lost[h->count + h->unknown];
	size_t number = h->count + h->unknown + 1, k;
	uint64_t blocks = 0;

	*of = c->lost;
	of->handles = of->blocks = of->bytes = 0;
	for (k = 0; k < c->leaves; k++) {
		const struct wm_leaf *l = &c->leaf[k];

		if (l->lost || !(l->unknown || c->lost.library))
			continue;
		set_paths(w, h->kept, l, l->unknown ? number : WM_HANDLES_KEPT);
		blocks += l->unknown ? l->blocks : 0;
		of->bytes += l->unknown ? l->bytes : 0;
	}
	*(c->lost.library ? &of->blocks : &of->handles) = blocks;
	h->unknown += blocks != 0;
}

enum wm_status wm_walk_put_kept(struct wm_library_walk *w, struct wm_handles *h,
				struct wm_err *err)
{
	enum wm_status r = make_room(w, h, by_unknown, err);

	for (size_t i = 0; !r && i < w->calls; i++)
		put_unknown(w, h, &w->call[i]);
	return r;
}

void wm_walk_release(struct wm_library_walk *w)
{
	wm_path_frames_release(&w->frames);
	free(w->call);
	free(w->leaf);
	free(w->next_path);
}
