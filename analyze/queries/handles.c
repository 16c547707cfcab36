/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/handles.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"
#include "analyze/queries/path_frames.h"
#include "analyze/symbols/site.h"

/* Multiples of the number of handles that count: blocks of one path that each
 * of them has. */
#define MOST_EACH 6

/* Weights of call paths that agree on a number of handles, and the least that
 * is believed.  A path of which MPI_Finalize freed all may be MPI's own. */
#define ENOUGH 6
#define FREED_WEIGHT 2

/*
 * Functions whose handles have memory of their own.  Those with support 2 talk
 * to other ranks, or load parts of MPI, of which more may stay than handles:
 * one call path is not enough.  Those with content add to handles that others
 * make.
 */
static const struct {
	const char *pattern;
	unsigned char support;
	bool content;
} makers[] = {
	{ "MPI_Comm_dup*", 2, false },
	{ "MPI_Comm_idup*", 2, false },
	{ "MPI_Comm_create", 2, false },
	{ "MPI_Comm_create_[fg]*", 2, false },
	{ "MPI_Comm_split*", 2, false },
	{ "MPI_Intercomm_*", 2, false },
	{ "MPI_Cart_create", 2, false },
	{ "MPI_Cart_sub", 2, false },
	{ "MPI_Graph_create", 2, false },
	{ "MPI_Dist_graph_create*", 2, false },
	{ "MPI_Win_create*", 2, false },
	{ "MPI_Win_allocate*", 2, false },
	{ "MPI_File_open", 2, false },
	{ "MPI_Comm_group", 1, false },
	{ "MPI_Comm_remote_group", 1, false },
	{ "MPI_Win_get_group", 1, false },
	{ "MPI_Group_*incl", 1, false },
	{ "MPI_Group_*excl", 1, false },
	{ "MPI_Group_union", 1, false },
	{ "MPI_Group_intersection", 1, false },
	{ "MPI_Group_difference", 1, false },
	{ "MPI_Type_contiguous*", 1, false },
	{ "MPI_Type_*vector*", 1, false },
	{ "MPI_Type_*indexed*", 1, false },
	{ "MPI_Type_struct", 1, false },
	{ "MPI_Type_create_[dhirs]*", 1, false },
	{ "MPI_Type_dup", 1, false },
	{ "MPI_Op_create*", 1, false },
	{ "MPI_*create_errhandler", 1, false },
	{ "MPI_Errhandler_create", 1, false },
	{ "MPI_*create_keyval", 1, false },
	{ "MPI_Keyval_create", 1, false },
	{ "MPI_Info_create*", 1, false },
	{ "MPI_Info_dup", 1, false },
	{ "MPI_Type_commit", 1, true },
	{ "MPI_Info_set", 1, true },
};

/* A call of the program that makes handles, while it is looked at. */
struct call {
	struct wm_lost_handles lost;
	size_t maker; /* in makers */
	uint64_t each; /* handles of the rank that has lost most */
	uint32_t number; /* before calls are sorted */
};

/* A path below a call. */
struct leaf {
	uint32_t path, call;
	uint64_t most; /* blocks left of the rank that has most */
	uint64_t blocks; /* of all ranks */
	bool freed; /* by MPI_Finalize, all of them */
};

struct search {
	const struct wm_analysis *a;
	const struct wm_use *use;
	struct call *call;
	size_t calls, call_cap;
	struct leaf *leaf;
	size_t leaves, leaf_cap;
	uint64_t init_peak, init_end; /* bytes below MPI_Init */
	bool finalized;
};

static bool is_named(const struct wm_symbol *s, const char *pattern)
{
	const char *name = s->name + (*s->name == 'P' || *s->name == 'p');

	return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
}

static size_t find_maker(const struct wm_symbol *s)
{
	size_t i, n = sizeof(makers) / sizeof(*makers);

	for (i = 0; i < n; i++)
		if (is_named(s, makers[i].pattern))
			break;
	return i;
}

/* Of MPI itself, not of libc or a library that it called: these keep what they
 * have, as resolvers and transports do. */
static bool is_allocated_by_mpi(const struct wm_analysis *a, uint32_t path)
{
	struct wm_frame f = wm_frame_first(a->symbols, &a->paths,
					   a->paths.leaf[path]);

	do {
		const struct wm_symbol *s = f.symbol;

		if (!s)
			return false;
		if (s->group == WM_GROUP_mpi)
			return true;
		/* of a path whose site is MPI's these are MPI's, too */
		if (s->group == WM_GROUP_allocator ||
		    s->group == WM_GROUP_own ||
		    (s->site == WM_SITE_USER && wm_frame_module(a, &f)->main))
			continue;
		if (s->group != WM_GROUP_libc ||
		    (fnmatch("*str*dup*", s->name, 0) != 0 &&
		     fnmatch("*asprintf*", s->name, 0) != 0))
			return false;
	} while (wm_frame_next(a->symbols, &a->paths, &f));
	return false;
}

/* MPI took it for parts of its own, or to exchange messages: it may well be as
 * much as some number of handles. */
static bool is_for_mpi(const struct wm_analysis *a, uint32_t path)
{
	static const char *const own[] = { "*register*", "*framework_open*",
					   "*[sS]end*", "*[rR]ecv*",
					   "*[pP]rogress*" };
	struct wm_frame f = wm_frame_first(a->symbols, &a->paths,
					   a->paths.leaf[path]);
	size_t i;

	do {
		for (i = 0; f.symbol && i < sizeof(own) / sizeof(*own); i++)
			if (fnmatch(own[i], f.symbol->name, 0) == 0)
				return true;
		if (f.symbol &&
		    find_maker(f.symbol) < sizeof(makers) / sizeof(*makers))
			return false;
	} while (wm_frame_next(a->symbols, &a->paths, &f));
	return false;
}

/* Number of the call of @f's second frame to its first one; UINT32_MAX: no
 * memory. */
static uint32_t number_of_call(struct search *s, const struct wm_path_frames *f,
			       size_t maker)
{
	struct call *c;
	size_t i;

	for (i = 0; i < s->calls; i++)
		if (s->call[i].lost.caller.node == f->frame[1].node &&
		    s->call[i].lost.caller.symbol == f->frame[1].symbol &&
		    s->call[i].maker == maker)
			return (uint32_t)i;
	c = WM_MORE(s->call, s->call_cap, s->calls);
	if (!c)
		return UINT32_MAX;
	*c = (struct call){ .lost = { .maker = f->frame[0].symbol->name,
				      .caller = f->frame[1] },
			    .maker = maker };
	return (uint32_t)s->calls++;
}

static enum wm_status add_leaf(struct search *s, const struct wm_path_frames *f,
			       uint32_t path, struct wm_err *err)
{
	const struct wm_use *u = &s->use[path];
	size_t maker = find_maker(f->frame[0].symbol);
	struct leaf *l;
	uint32_t call;

	if (maker == sizeof(makers) / sizeof(*makers) || u->most_blocks < 2 ||
	    !is_allocated_by_mpi(s->a, path) ||
	    (!wm_use_unfreed_blocks(u) && is_for_mpi(s->a, path)))
		return WM_OK;
	call = number_of_call(s, f, maker);
	l = WM_MORE(s->leaf, s->leaf_cap, s->leaves);
	if (call == UINT32_MAX || !l)
		return wm_no_memory(err, "handles");
	*l = (struct leaf){ path, call, u->most_blocks, u->left_blocks,
			    !wm_use_unfreed_blocks(u) };
	s->leaves++;
	return WM_OK;
}

static enum wm_status look_at(struct search *s, struct wm_path_frames *f,
			      uint32_t path, struct wm_err *err)
{
	const struct wm_use *u = &s->use[path];
	struct wm_frame site = wm_site_find(s->a->symbols, &s->a->paths, path);
	enum wm_status r;

	if (!site.symbol || site.symbol->site != WM_SITE_MPI)
		return WM_OK;
	if (is_named(site.symbol, "MPI_Init*")) {
		s->init_peak += u->peak_bytes;
		s->init_end += u->end_bytes;
	}
	s->finalized |= is_named(site.symbol, "MPI_Finalize*");
	if (!u->left_blocks)
		return WM_OK;
	r = wm_path_frames_fill(f, s->a, path, err);
	return r || f->count < 2 ? r : add_leaf(s, f, path, err);
}

static bool agrees(const struct leaf *l, uint64_t n)
{
	return l->most % n == 0 && l->most / n <= MOST_EACH;
}

/* The weight of paths of call @c of which a rank has @n blocks left, or a
 * multiple. */
static unsigned support_of(const struct search *s, uint32_t c, uint64_t n)
{
	unsigned each = ENOUGH / makers[s->call[c].maker].support;
	unsigned support = 0;
	size_t i;

	for (i = 0; i < s->leaves; i++)
		if (s->leaf[i].call == c && agrees(&s->leaf[i], n))
			support += s->leaf[i].freed ? FREED_WEIGHT : each;
	return support;
}

/* A rank has lost as many handles as most paths of call @c agree with, of equal
 * numbers the lowest; all ranks, as many as the path has that most of them
 * share: others may be those of one rank, as of a root. */
static void count_handles(struct search *s, uint32_t c)
{
	struct call *call = &s->call[c];
	unsigned most = 0, support;
	size_t i;

	for (i = 0; i < s->leaves; i++) {
		uint64_t n = s->leaf[i].most;

		if (s->leaf[i].call != c)
			continue;
		support = support_of(s, c, n);
		if (support < most || (support == most && n >= call->each))
			continue;
		most = support;
		call->each = n;
	}
	if (most < ENOUGH)
		call->each = 0;
	for (i = 0; i < s->leaves && call->each; i++)
		if (s->leaf[i].call == c && s->leaf[i].most == call->each &&
		    s->leaf[i].blocks > call->lost.handles)
			call->lost.handles = s->leaf[i].blocks;
}

static int by_bytes(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (!x->each || !y->each)
		return !x->each - !y->each;
	if (x->lost.bytes != y->lost.bytes)
		return x->lost.bytes > y->lost.bytes ? -1 : 1;
	return (x->lost.caller.node > y->lost.caller.node) -
	       (x->lost.caller.node < y->lost.caller.node);
}

/* Calls that lost handles become the result. */
static enum wm_status put_lost(struct search *s, struct wm_handles *h,
			       struct wm_err *err)
{
	uint32_t c, *place;
	size_t i;

	h->of_path = calloc(s->a->paths.path_count + 1, sizeof(*h->of_path));
	h->lost = calloc(s->calls + 1, sizeof(*h->lost));
	place = calloc(s->calls + 1, sizeof(*place));
	if (!h->of_path || !h->lost || !place) {
		free(place);
		return wm_no_memory(err, "handles");
	}
	for (i = 0; i < s->leaves; i++) {
		const struct leaf *l = &s->leaf[i];
		struct wm_lost_handles *to = &s->call[l->call].lost;
		uint64_t each = s->call[l->call].each;

		if (!each || !agrees(l, each))
			continue;
		to->blocks += l->blocks;
		to->bytes += s->use[l->path].left_bytes;
		h->of_path[l->path] = l->call + 1;
	}
	for (c = 0; c < s->calls; c++)
		s->call[c].number = c;
	if (s->calls)
		qsort(s->call, s->calls, sizeof(*s->call), by_bytes);
	for (c = 0; c < s->calls && s->call[c].each; c++) {
		place[s->call[c].number] = c + 1;
		h->lost[h->count] = s->call[c].lost;
		if (makers[s->call[c].maker].content)
			h->lost[h->count].handles = 0;
		h->count++;
	}
	for (i = 0; i < s->a->paths.path_count; i++)
		if (h->of_path[i])
			h->of_path[i] = place[h->of_path[i] - 1];
	free(place);
	return WM_OK;
}

enum wm_status wm_handles_find(struct wm_handles *h,
			       const struct wm_analysis *a,
			       const struct wm_use *use, struct wm_err *err)
{
	struct wm_path_frames f = { .count = 0 };
	struct search s = { .a = a, .use = use };
	enum wm_status r = WM_OK;
	uint32_t i;

	memset(h, 0, sizeof(*h));
	for (i = 0; i < a->paths.path_count && !r; i++)
		r = look_at(&s, &f, i, err);
	/* else its pools are still there */
	s.finalized |= s.init_end < s.init_peak / 2;
	if (!s.finalized)
		s.leaves = s.calls = 0;
	for (i = 0; i < s.calls; i++)
		count_handles(&s, i);
	if (!r)
		r = put_lost(&s, h, err);
	wm_path_frames_release(&f);
	free(s.call);
	free(s.leaf);
	if (r)
		wm_handles_release(h);
	return r;
}

void wm_handles_release(struct wm_handles *h)
{
	free(h->lost);
	free(h->of_path);
	memset(h, 0, sizeof(*h));
}

uint64_t wm_handles_bytes(const struct wm_handles *h, const struct wm_use *use,
			  size_t i)
{
	return h->of_path[i] ? use[i].left_bytes :
			       wm_use_unfreed_bytes(&use[i]);
}

uint64_t wm_handles_blocks(const struct wm_handles *h, const struct wm_use *use,
			   size_t i)
{
	return h->of_path[i] ? use[i].left_blocks :
			       wm_use_unfreed_blocks(&use[i]);
}

enum wm_status wm_handles_apply(const struct wm_handles *h,
				struct wm_functions *f,
				const struct wm_analysis *a, struct wm_err *err)
{
	struct wm_functions moved;
	struct wm_held *held;
	enum wm_status s;
	size_t i;

	if (!h->count)
		return WM_OK;
	held = calloc(f->held_count + 1, sizeof(*held));
	if (!held)
		return wm_no_memory(err, "handles");
	for (i = 0; i < f->held_count; i++) {
		uint32_t n = h->of_path[f->held[i].path];

		held[i] = f->held[i];
		if (!n)
			continue;
		held[i].site = h->lost[n - 1].caller;
		held[i].passed = 1;
	}
	s = wm_functions_group(&moved, a, held, f->held_count, f->moment, err);
	free(held);
	if (s)
		return s;
	wm_functions_release(f);
	*f = moved;
	return WM_OK;
}

uint64_t wm_handles_of(const struct wm_handles *h, const struct wm_function *f,
		       const char **maker)
{
	const struct wm_lost_handles *most = NULL;
	uint64_t handles = 0;
	size_t i, k;

	*maker = NULL;
	for (i = 0; i < h->count; i++) {
		for (k = 0; k < f->held_count; k++)
			if (h->of_path[f->held[k].path] == i + 1)
				break;
		if (k == f->held_count)
			continue;
		handles += h->lost[i].handles;
		if (!most || h->lost[i].bytes > most->bytes)
			most = &h->lost[i];
	}
	*maker = most ? most->maker : NULL;
	return handles;
}
