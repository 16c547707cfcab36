/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/leaks/handles.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wm/handle_list.h"
#include "wm/hdf5_list.h"

#include "analyze/answers/leaks/library_calls.h"
#include "analyze/answers/leaks/runtime_retained.h"
#include "analyze/answers/leaks/trends.h"
#include "analyze/symbols/site.h"

/* the most blocks of one path that each handle may have */
#define MOST_EACH 6

/* by number in wm/handle_list.h */
#define NAME_OF_MADE(x, class, number, Name, ...) [number] = "MPI_" #Name,
#define NAME_OF_REQUEST(x, number, Name) [number] = "MPI_" #Name,
static const char *const made_by[WM_HANDLE_NUMBERS] = {
	WM_HANDLE_LAST(NAME_OF_MADE, ) WM_HANDLE_MADE(NAME_OF_MADE, )
		WM_HANDLE_NAMED(NAME_OF_MADE, )
			WM_HANDLE_WINDOWS(NAME_OF_MADE, )
				WM_HANDLE_DUPLICATING(NAME_OF_REQUEST, )
};

/* Returns the number of the MPI function @name, which may be in one of the
 * forms MPI_Comm_dup, PMPI_Type_vector_c or mpi_comm_dup_.  Returns 0 if the
 * function makes no handles. */
static size_t maker_of(const char *name)
{
	size_t i, n;

	name += *name == 'P' || *name == 'p';
	n = strlen(name);
	while (n && name[n - 1] == '_')
		n--;
	n -= n > 2 && strncmp(name + n - 2, "_c", 2) == 0 ? 2 : 0;
	for (i = 1; i < WM_HANDLE_NUMBERS; i++)
		if (made_by[i] && strlen(made_by[i]) == n &&
		    strncasecmp(made_by[i], name, n) == 0)
			return i;
	return 0;
}

/* Returns whether @s is function @name of MPI or a part of it, such as
 * mpi_send_init_f08ts_ or ompi_send_init_f. */
static bool is_part_of(const struct wm_symbol *s, const char *name)
{
	return s->site == WM_SITE_OWN ||
	       (s->site == WM_SITE_MPI &&
		strcasestr(s->name, name + strlen("MPI_")));
}

#define NAME_OF_ID(x, number, name, ...) [(number)-WM_HDF5_FIRST] = #name,
static const char *const id_by[WM_HDF5_NUMBERS - WM_HDF5_FIRST] = {
	WM_HDF5_IN_FILE(NAME_OF_ID, ) WM_HDF5_FREE(NAME_OF_ID, )
};

/* Adds identifiers of HDF5, with the library function that the program called
 * as their maker.  Leaves out the library's own identifiers: those from a
 * setup, and types, spaces and property lists that netCDF and similar libraries
 * make. */
static enum wm_status add_id(struct wm_library_walk *s,
			     struct wm_path_frames *f, uint32_t path,
			     struct wm_err *err)
{
	enum wm_status r = wm_path_frames_fill(f, s->a, path, err);
	size_t caller = r ? 0 : wm_library_caller(s->a, f);
	uint64_t maker = s->in->use[path].maker;
	const char *made = id_by[maker - WM_HDF5_FIRST];
	struct wm_leaf *l;

	if (r || !f->count || wm_library_sets_up(f, caller))
		return r;
	if (caller)
		made = f->frame[caller - 1].symbol->name;
	if (maker >= WM_HDF5_FIRST_FREE && strncasecmp(made, "h5", 2) != 0)
		return WM_OK;
	l = wm_walk_add(s, f, caller, path, WM_HDF5_FIRST);
	if (!l)
		return wm_no_memory(err, "handles");
	l->made = made;
	l->exact = true;
	return WM_OK;
}

/* Adds handles that the trace has.  Leaves out handles that MPI makes for
 * itself; lists handles that a library makes below the program's call of the
 * library. */
static enum wm_status add_made(struct wm_library_walk *s,
			       struct wm_path_frames *f, uint32_t path,
			       struct wm_err *err)
{
	const struct wm_use *u = &s->in->use[path];
	const char *name = u->maker < WM_HANDLE_NUMBERS ? made_by[u->maker] :
							  NULL;
	enum wm_status r = name ? wm_path_frames_fill(f, s->a, path, err) :
				  WM_OK;
	struct wm_path_frames rest = *f;
	struct wm_leaf *l;
	size_t caller;

	if (!name || r)
		return r;
	while (rest.count && is_part_of(rest.frame->symbol, name)) {
		rest.frame++;
		rest.count--;
	}
	if (!rest.count || rest.frame->symbol->site == WM_SITE_MPI)
		return WM_OK;
	caller = wm_library_caller(s->a, &rest);
	l = wm_walk_add(s, &rest, caller, path, u->maker);
	if (!l)
		return wm_no_memory(err, "handles");
	l->by = caller ? rest.frame[caller - 1].symbol->name : NULL;
	l->made = name;
	l->exact = true;
	return WM_OK;
}

static bool is_id(const struct wm_use *u)
{
	return u->maker >= WM_HDF5_FIRST && u->maker < WM_HDF5_NUMBERS;
}

static enum wm_status look_at(struct wm_library_walk *s, uint32_t path,
			      struct wm_err *err)
{
	struct wm_path_frames *f = &s->frames;
	const struct wm_use *u = &s->in->use[path];
	struct wm_frame site = wm_site_find(s->a->symbols, &s->a->paths, path);
	enum wm_status r;
	size_t maker;

	if (is_id(u))
		return add_id(s, f, path, err);
	if (u->maker)
		return add_made(s, f, path, err);
	if (!site.symbol || site.symbol->site != WM_SITE_MPI || !u->left_blocks)
		return WM_OK;
	r = wm_path_frames_fill(f, s->a, path, err);
	maker = r || f->count < 2 ? 0 : maker_of(f->frame[0].symbol->name);
	if (maker && !wm_walk_add(s, f, 1, path, maker))
		r = wm_no_memory(err, "handles");
	return r;
}

static bool agrees(const struct wm_leaf *l, uint64_t n)
{
	return l->most % n == 0 && l->most / n <= MOST_EACH;
}

/* Returns the most handles that a rank has from the call that allocated @l. */
static uint64_t handles_of(const struct wm_call *c, const struct wm_leaf *l)
{
	for (size_t i = 0; i < c->leaves; i++)
		if (c->leaf[i].exact &&
		    c->leaf[i].caller.node == l->caller.node)
			return c->leaf[i].most;
	return 0;
}

/* Returns whether the handles are the program's.  A library may keep a single
 * handle and all handles from its setup. */
static bool is_programs(const struct wm_leaf *l)
{
	return l->exact && (!l->by || (l->most > 1 && !l->sets_up));
}

/* Decides which blocks belong to the handles of call @c: those whose number
 * agrees with the number of handles in the trace.  If there are no such blocks,
 * the handles themselves count as blocks. */
static void judge(const struct wm_library_walk *s, struct wm_call *c)
{
	bool blocks = false;

	(void)s;
	for (size_t i = 0; i < c->leaves; i++) {
		struct wm_leaf *l = &c->leaf[i];
		uint64_t n = l->exact ? 0 : handles_of(c, l);

		c->lost.handles += is_programs(l) ? l->blocks : 0;
		l->lost = n > 1 && agrees(l, n);
		blocks |= l->lost;
	}
	for (size_t i = 0; i < c->leaves; i++) {
		struct wm_leaf *l = &c->leaf[i];

		if (!l->exact)
			continue;
		l->lost = is_programs(l) && !blocks && l->blocks;
		l->unknown = !is_programs(l) && !l->sets_up;
		c->unknown += l->unknown ? l->blocks : 0;
	}
}

enum wm_status wm_handles_find(struct wm_handles *h,
			       const struct wm_analysis *a,
			       const struct wm_use *use,
			       const struct wm_lifetime *lifetime,
			       size_t lifetimes, struct wm_err *err)
{
	struct wm_library_uses libraries = {
		.use = use,
		.lifetime = lifetime,
		.lifetimes = lifetime ? lifetimes : 0,
		.ranks = 1,
	};
	struct wm_library_walk w = { .a = a, .in = &libraries };
	size_t n = a->paths.path_count + 1, i;
	enum wm_status r;

	memset(h, 0, sizeof(*h));
	h->of_path = calloc(n, sizeof(*h->of_path));
	h->kept = calloc(n, sizeof(*h->kept));
	h->trend = calloc(n, sizeof(*h->trend));
	libraries.trend = h->trend;
	if (a->chosen == WM_ALL_RANKS || lifetime == a->sum.lifetime)
		libraries.ranks = a->rank_count;
	for (i = 0; i < a->paths.path_count; i++)
		libraries.ids |= is_id(&use[i]);
	r = h->of_path && h->kept && h->trend ?
		    wm_trends_find(h->trend, a, use, lifetime,
				   libraries.lifetimes, WM_LEFT_AT_END, err) :
		    wm_no_memory(err, "handles");
	if (!r)
		r = wm_walk_paths(&w, look_at, err);
	if (!r)
		r = wm_walk_calls(&w, judge, err);
	if (!r)
		r = wm_walk_put_lost(&w, h, err);
	if (!r)
		r = wm_library_objects_find(h, a, &libraries, err);
	if (!r)
		r = wm_walk_put_kept(&w, h, err);
	wm_walk_release(&w);
	if (r)
		wm_handles_release(h);
	return r;
}

void wm_handles_release(struct wm_handles *h)
{
	free(h->lost);
	free(h->of_path);
	free(h->kept);
	free(h->trend);
	memset(h, 0, sizeof(*h));
}

bool wm_handles_has(const struct wm_handles *h, const struct wm_use *use,
		    size_t i)
{
	return use[i].maker ||
	       (h->of_path[i] && !h->lost[h->of_path[i] - 1].library);
}

uint64_t wm_handles_bytes(const struct wm_handles *h, const struct wm_use *use,
			  size_t i)
{
	return wm_handles_has(h, use, i) ? use[i].left_bytes :
					   wm_use_unfreed_bytes(&use[i]);
}

uint64_t wm_handles_blocks(const struct wm_handles *h, const struct wm_use *use,
			   size_t i)
{
	return wm_handles_has(h, use, i) ? use[i].left_blocks :
					   wm_use_unfreed_blocks(&use[i]);
}

uint64_t wm_handles_count(const struct wm_handles *h, const char **whose)
{
	uint64_t n = 0, ids = 0;

	for (size_t i = 0; i < h->count; i++) {
		n += h->lost[i].library ? 0 : h->lost[i].handles;
		ids += h->lost[i].hdf5 ? h->lost[i].handles : 0;
	}
	*whose = !ids ? "MPI" : ids == n ? "HDF5" : "MPI and HDF5";
	return n;
}

enum wm_group wm_handles_group(const struct wm_handles *h,
			       const struct wm_analysis *a, uint32_t path)
{
	return h->of_path[path] ?
		       WM_GROUP_none :
	       h->kept[path] ?
		       WM_GROUP_library :
		       wm_runtime_retained_group(a->symbols, &a->paths, path);
}

bool wm_handles_is_unknown(const struct wm_handles *h, uint32_t path)
{
	return h->kept[path] && h->kept[path] != WM_HANDLES_KEPT;
}

/* Returns index + 1 in h->lost, or 0. */
static uint32_t call_of(const struct wm_handles *h, uint32_t path)
{
	if (h->of_path[path])
		return h->of_path[path];
	return wm_handles_is_unknown(h, path) ? h->kept[path] : 0;
}

enum wm_status wm_handles_apply(const struct wm_handles *h,
				struct wm_functions *f,
				const struct wm_analysis *a, struct wm_err *err)
{
	struct wm_functions moved;
	struct wm_held *held;
	enum wm_status s;

	if (!h->count && !h->unknown)
		return WM_OK;
	held = calloc(f->held_count + 1, sizeof(*held));
	if (!held)
		return wm_no_memory(err, "handles");
	for (size_t i = 0; i < f->held_count; i++) {
		uint32_t n = call_of(h, f->held[i].path);

		held[i] = f->held[i];
		if (!n)
			continue;
		held[i].passed = !a->use || !a->use[f->held[i].path].maker;
		held[i].site = h->lost[n - 1].caller;
	}
	s = wm_functions_group(&moved, a, held, f->held_count, f->moment, err);
	free(held);
	if (s)
		return s;
	wm_functions_release(f);
	*f = moved;
	return WM_OK;
}

/* Returns whether @a matters more: a call that made handles comes before one
 * that added to the handles of other calls. */
static bool is_more(const struct wm_lost_handles *a,
		    const struct wm_lost_handles *b)
{
	if (!a->handles || !b->handles)
		return a->handles > b->handles;
	return a->bytes > b->bytes;
}

const struct wm_lost_handles *wm_handles_of(const struct wm_handles *h,
					    const struct wm_function *f,
					    uint64_t *handles)
{
	const struct wm_lost_handles *most = NULL;
	size_t i, k;

	*handles = 0;
	for (i = 0; i < h->count + h->unknown; i++) {
		for (k = 0; k < f->held_count; k++)
			if (call_of(h, f->held[k].path) == i + 1)
				break;
		if (k == f->held_count)
			continue;
		*handles += h->lost[i].handles;
		if (!most || is_more(&h->lost[i], most))
			most = &h->lost[i];
	}
	return most;
}
