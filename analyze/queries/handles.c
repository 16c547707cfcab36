/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/handles.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wm/handle_list.h"

#include "analyze/base/vec.h"
#include "analyze/queries/handle_makers.h"
#include "analyze/queries/library_calls.h"
#include "analyze/queries/library_objects.h"
#include "analyze/queries/path_frames.h"
#include "analyze/queries/runtime_retained.h"
#include "analyze/symbols/site.h"

/* Multiples of the number of handles that count: blocks of one path that each
 * of them has. */
#define MOST_EACH 6

/* Weights of call paths that agree on a number of handles, and the least that
 * is believed.  A path of which MPI_Finalize freed all may be MPI's own. */
#define ENOUGH 6
#define FREED_WEIGHT 2

#define MAKERS WM_HANDLE_MAKERS
/* In place of a number in makers: of handles that the trace has and that need
 * have no memory. */
#define MADE MAKERS

/* A path below a call of the program that makes handles. */
struct leaf {
	size_t maker; /* in makers */
	const char *made; /* what was called, */
	struct wm_frame caller; /* by whom */
	uint64_t below; /* a hash of the path inside of the caller, */
	uint32_t path; /* which others have as well: next_path */
	uint64_t most; /* blocks left of the rank that has most */
	uint64_t blocks, bytes; /* of all ranks */
	bool freed; /* by MPI_Finalize, all of them */
	bool exact; /* the trace has each handle: these are no blocks */
	bool lost;
};

/* A call, while it is looked at: its paths are next to each other. */
struct call {
	struct wm_lost_handles lost;
	struct leaf *leaf;
	size_t leaves;
};

struct search {
	const struct wm_analysis *a;
	const struct wm_use *use;
	uint64_t ranks; /* that these are of */
	struct call *call;
	size_t calls;
	struct leaf *leaf;
	size_t leaves, leaf_cap;
	uint32_t *next_path; /* of one leaf; 0: there is none */
	uint64_t init_peak, init_end; /* bytes below MPI_Init */
	bool finalized;
};

static struct leaf *add_leaf(struct search *s, const struct wm_path_frames *f,
			     size_t caller, size_t maker, uint32_t path)
{
	const struct wm_use *u = &s->use[path];
	struct leaf *l = WM_MORE(s->leaf, s->leaf_cap, s->leaves);

	if (!l)
		return NULL;
	*l = (struct leaf){ .maker = maker,
			    .made = f->frame[caller - 1].symbol->name,
			    .caller = f->frame[caller],
			    .path = path,
			    .most = u->most_blocks,
			    .blocks = u->left_blocks,
			    .bytes = u->left_bytes };
	s->leaves++;
	return l;
}

static enum wm_status add_mpi(struct search *s, const struct wm_path_frames *f,
			      uint32_t path, struct wm_err *err)
{
	const struct wm_use *u = &s->use[path];
	size_t maker = wm_handle_maker(f->frame[0].symbol->name);
	struct leaf *l;

	if (maker == MAKERS || !wm_handle_path_is_mpi(s->a, path) ||
	    (!wm_use_unfreed_blocks(u) &&
	     wm_handle_path_is_for_mpi(s->a, path)))
		return WM_OK;
	l = add_leaf(s, f, 1, maker, path);
	if (!l)
		return wm_no_memory(err, "handles");
	l->freed = !wm_use_unfreed_blocks(u);
	l->below = wm_path_below(s->a, path, &l->caller);
	return WM_OK;
}

/* The functions of wm/handle_list.h, by number. */
#define NAME_OF_MADE(x, class, number, Name, ...) [number] = "MPI_" #Name,
static const char *const made_by[WM_HANDLE_NUMBERS] = {
	WM_HANDLE_LAST(NAME_OF_MADE, ) WM_HANDLE_MADE(NAME_OF_MADE, )
};

/* A function called @name, or a part of MPI that it consists of:
 * mpi_send_init_f08ts_, ompi_send_init_f. */
static bool is_part_of(const struct wm_symbol *s, const char *name)
{
	return s->site == WM_SITE_OWN ||
	       (s->site == WM_SITE_MPI &&
		strcasestr(s->name, name + strlen("MPI_")));
}

/* Handles that the trace has.  Those that MPI makes for itself are its own. */
static enum wm_status add_made(struct search *s, uint32_t path,
			       struct wm_err *err)
{
	const struct wm_use *u = &s->use[path];
	const char *name = u->maker < WM_HANDLE_NUMBERS ? made_by[u->maker] :
							  NULL;
	struct wm_path_frames f = { .count = 0 };
	struct wm_frame frame[2];
	struct leaf *l;

	if (!name)
		return WM_OK;
	frame[1] = wm_frame_first(s->a->symbols, &s->a->paths,
				  s->a->paths.leaf[path]);
	do {
		if (!frame[1].symbol)
			return WM_OK;
		if (!is_part_of(frame[1].symbol, name))
			break;
	} while (wm_frame_next(s->a->symbols, &s->a->paths, &frame[1]));
	if (frame[1].symbol->site == WM_SITE_MPI)
		return WM_OK;
	frame[0] = frame[1];
	f.frame = frame;
	l = add_leaf(s, &f, 1, wm_handle_maker(name), path);
	if (!l)
		return wm_no_memory(err, "handles");
	if (l->maker == MAKERS)
		l->maker = MADE;
	l->made = name;
	l->exact = true;
	return WM_OK;
}

static enum wm_status look_at(struct search *s, struct wm_path_frames *f,
			      uint32_t path, struct wm_err *err)
{
	const struct wm_use *u = &s->use[path];
	struct wm_frame site = wm_site_find(s->a->symbols, &s->a->paths, path);
	enum wm_status r;

	if (u->maker)
		return add_made(s, path, err);
	if (!site.symbol)
		return WM_OK;
	if (site.symbol->site != WM_SITE_MPI)
		return WM_OK;
	if (wm_handle_is_named(site.symbol->name, "MPI_Init*")) {
		s->init_peak += u->peak_bytes;
		s->init_end += u->end_bytes;
	}
	s->finalized |= wm_handle_is_named(site.symbol->name, "MPI_Finalize*");
	if (!u->left_blocks)
		return WM_OK;
	r = wm_path_frames_fill(f, s->a, path, err);
	return r || f->count < 2 ? r : add_mpi(s, f, path, err);
}

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_calls(const struct leaf *x, const struct leaf *y)
{
	int d = order(x->maker, y->maker);

	return d ? d : wm_library_compare_callers(&x->caller, &y->caller);
}

/* By call, then by number of blocks. */
static int compare_leaves(const void *a, const void *b)
{
	const struct leaf *x = a, *y = b;
	int d = compare_calls(x, y);

	if (!d)
		d = order(x->most, y->most);
	return d ? d : order(x->path, y->path);
}

/* By call, then by path inside of it. */
static int compare_below(const void *a, const void *b)
{
	const struct leaf *x = a, *y = b;
	int d = compare_calls(x, y);

	if (!d)
		d = order(x->exact, y->exact);
	if (!d)
		d = order(x->below, y->below);
	return d ? d : order(x->path, y->path);
}

static bool is_of_memory(const struct leaf *l)
{
	return !l->exact;
}

/* All ranks have as many blocks of @l. */
static bool is_even(const struct search *s, const struct leaf *l)
{
	return l->blocks == l->most * s->ranks;
}

static void join(struct search *s, struct leaf *to, const struct leaf *from)
{
	/* else they may be those of different ranks */
	if (is_even(s, to) && is_even(s, from))
		to->most += from->most;
	else if (from->most > to->most)
		to->most = from->most;
	to->blocks += from->blocks;
	to->bytes += from->bytes;
	to->freed &= from->freed;
	s->next_path[from->path] = s->next_path[to->path];
	s->next_path[to->path] = from->path;
}

/* A compiler may make several calls of one in the source, as of a loop: their
 * paths are one.  What there is one of may be MPI's own. */
static enum wm_status join_leaves(struct search *s, struct wm_err *err)
{
	size_t i, joined = 0, kept = 0;

	s->next_path = calloc(s->a->paths.path_count + 1,
			      sizeof(*s->next_path));
	if (!s->next_path)
		return wm_no_memory(err, "handles");
	if (s->leaves)
		qsort(s->leaf, s->leaves, sizeof(*s->leaf), compare_below);
	for (i = 0; i < s->leaves; i++) {
		struct leaf *l = &s->leaf[i],
			    *to = &s->leaf[joined ? joined - 1 : 0];

		if (joined && is_of_memory(to) && is_of_memory(l) &&
		    to->below == l->below && compare_calls(to, l) == 0)
			join(s, to, l);
		else
			s->leaf[joined++] = *l;
	}
	for (i = 0; i < joined; i++)
		if (!is_of_memory(&s->leaf[i]) || s->leaf[i].most > 1)
			s->leaf[kept++] = s->leaf[i];
	s->leaves = kept;
	return WM_OK;
}

/* Of frames that are the same call some may have no name. */
static void name_maker(struct call *c, const struct leaf *l)
{
	const char *was = c->lost.maker;

	if (!was || l->exact || (was[0] == '?' && l->made[0] != '?'))
		c->lost.maker = l->made;
}

static enum wm_status find_calls(struct search *s, struct wm_err *err)
{
	size_t i;

	s->call = calloc(s->leaves + 1, sizeof(*s->call));
	if (!s->call)
		return wm_no_memory(err, "handles");
	if (s->leaves)
		qsort(s->leaf, s->leaves, sizeof(*s->leaf), compare_leaves);
	for (i = 0; i < s->leaves; i++) {
		struct leaf *l = &s->leaf[i];
		struct call *c;

		if (!i || compare_calls(l - 1, l) != 0) {
			c = &s->call[s->calls++];
			c->leaf = l;
			c->lost.caller = l->caller;
		}
		name_maker(&s->call[s->calls - 1], l);
		s->call[s->calls - 1].leaves++;
	}
	return WM_OK;
}

static bool agrees(const struct leaf *l, uint64_t n)
{
	return n && l->most % n == 0 && l->most / n <= MOST_EACH;
}

static unsigned weight_of(const struct leaf *l)
{
	return l->freed ? FREED_WEIGHT :
			  ENOUGH / wm_handle_makers[l->maker].support;
}

/* The weight of paths of call @c of which a rank has @n blocks left, or a
 * multiple. */
static unsigned support_of(const struct call *c, uint64_t n)
{
	unsigned support = 0;
	size_t i;

	for (i = 0; i < c->leaves; i++)
		if (agrees(&c->leaf[i], n))
			support += weight_of(&c->leaf[i]);
	return support;
}

/* The number of blocks that most paths of @c agree with, of equal ones the
 * lowest; 0: there are none. */
static uint64_t find_number(const struct call *c, unsigned *most)
{
	uint64_t each = 0;
	unsigned support;
	size_t i;

	*most = 0;
	for (i = 0; i < c->leaves; i++) {
		const struct leaf *l = &c->leaf[i];

		if (l->most == each || (i && l->most == l[-1].most))
			continue;
		support = support_of(c, l->most);
		if (support <= *most)
			continue;
		*most = support;
		each = l->most;
	}
	return each;
}

/*
 * A rank has lost so many handles; all ranks, as many as the path has that most
 * of them share: others may be those of one rank, as of a root.
 */
static void set_number(struct call *c, uint64_t each)
{
	size_t i;

	for (i = 0; i < c->leaves; i++)
		if (c->leaf[i].lost && c->leaf[i].most == each &&
		    c->leaf[i].blocks > c->lost.handles)
			c->lost.handles = c->leaf[i].blocks;
}

static void judge_mpi(struct call *c)
{
	unsigned most;
	uint64_t each = find_number(c, &most);
	size_t i;

	for (i = 0; i < c->leaves && most >= ENOUGH; i++)
		c->leaf[i].lost = agrees(&c->leaf[i], each);
	if (!wm_handle_makers[c->leaf->maker].content)
		set_number(c, each);
}

static bool is_exact(const struct call *c)
{
	size_t i;

	for (i = 0; i < c->leaves && !c->leaf[i].exact; i++)
		;
	return i < c->leaves;
}

/* The trace has the number of handles; blocks that agree with it are theirs,
 * and where there are none, handles stand for blocks. */
static void judge_exact(struct call *c)
{
	uint64_t most = 0;
	bool blocks = false;
	size_t i;

	for (i = 0; i < c->leaves; i++) {
		most += c->leaf[i].exact ? c->leaf[i].most : 0;
		c->lost.handles += c->leaf[i].exact ? c->leaf[i].blocks : 0;
	}
	for (i = 0; i < c->leaves; i++)
		if (!c->leaf[i].exact)
			blocks |= c->leaf[i].lost = agrees(&c->leaf[i], most);
	for (i = 0; i < c->leaves; i++)
		if (c->leaf[i].exact)
			c->leaf[i].lost = !blocks && c->leaf[i].blocks;
}

static int by_bytes(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (!x->lost.blocks || !y->lost.blocks)
		return !x->lost.blocks - !y->lost.blocks;
	if (x->lost.bytes != y->lost.bytes)
		return x->lost.bytes > y->lost.bytes ? -1 : 1;
	return order(x->lost.caller.node, y->lost.caller.node);
}

static void set_paths(const struct search *s, struct wm_handles *h,
		      const struct leaf *l)
{
	uint32_t path = l->path;

	do
		h->of_path[path] = (uint32_t)h->count;
	while ((path = s->next_path[path]) != 0);
}

/* Calls that lost handles become the result. */
static enum wm_status put_lost(struct search *s, struct wm_handles *h,
			       struct wm_err *err)
{
	size_t n = s->a->paths.path_count, i, k;

	h->of_path = calloc(n + 1, sizeof(*h->of_path));
	h->kept = calloc(n + 1, sizeof(*h->kept));
	h->lost = calloc(s->calls + 1, sizeof(*h->lost));
	if (!h->of_path || !h->kept || !h->lost)
		return wm_no_memory(err, "handles");
	for (i = 0; i < s->calls; i++) {
		struct call *c = &s->call[i];

		for (k = 0; k < c->leaves; k++) {
			const struct leaf *l = &c->leaf[k];

			c->lost.blocks += l->lost ? l->blocks : 0;
			c->lost.bytes += l->lost ? l->bytes : 0;
		}
	}
	if (s->calls)
		qsort(s->call, s->calls, sizeof(*s->call), by_bytes);
	for (i = 0; i < s->calls && s->call[i].lost.blocks; i++) {
		const struct call *c = &s->call[i];

		h->lost[h->count++] = c->lost;
		for (k = 0; k < c->leaves; k++)
			if (c->leaf[k].lost)
				set_paths(s, h, &c->leaf[k]);
	}
	return WM_OK;
}

static void drop_mpi(struct search *s)
{
	size_t i, kept = 0;

	for (i = 0; i < s->leaves; i++)
		if (s->leaf[i].exact)
			s->leaf[kept++] = s->leaf[i];
	s->leaves = kept;
}

enum wm_status wm_handles_find(struct wm_handles *h,
			       const struct wm_analysis *a,
			       const struct wm_use *use,
			       const struct wm_lifetime *lifetime,
			       size_t lifetimes, struct wm_err *err)
{
	struct wm_path_frames f = { .count = 0 };
	struct search s = { .a = a, .use = use, .ranks = 1 };
	struct wm_library_uses libraries = {
		.use = use,
		.lifetime = lifetime,
		.lifetimes = lifetime ? lifetimes : 0,
	};
	enum wm_status r = WM_OK;
	uint32_t i;

	memset(h, 0, sizeof(*h));
	if (a->chosen == WM_ALL_RANKS || lifetime == a->sum.lifetime)
		s.ranks = a->rank_count;
	for (i = 0; i < a->paths.path_count && !r; i++)
		r = look_at(&s, &f, i, err);
	/* else its pools are still there */
	if (!s.finalized && s.init_end >= s.init_peak / 2)
		drop_mpi(&s);
	if (!r)
		r = join_leaves(&s, err);
	if (!r)
		r = find_calls(&s, err);
	for (i = 0; i < s.calls; i++)
		if (is_exact(&s.call[i]))
			judge_exact(&s.call[i]);
		else
			judge_mpi(&s.call[i]);
	if (!r)
		r = put_lost(&s, h, err);
	libraries.ranks = s.ranks;
	if (!r)
		r = wm_library_objects_find(h, a, &libraries, err);
	wm_path_frames_release(&f);
	free(s.call);
	free(s.leaf);
	free(s.next_path);
	if (r)
		wm_handles_release(h);
	return r;
}

void wm_handles_release(struct wm_handles *h)
{
	free(h->lost);
	free(h->of_path);
	free(h->kept);
	memset(h, 0, sizeof(*h));
}

/* They are MPI's, which may free them in MPI_Finalize. */
static bool is_of_mpi(const struct wm_handles *h, size_t i)
{
	return h->of_path[i] && !h->lost[h->of_path[i] - 1].library;
}

uint64_t wm_handles_bytes(const struct wm_handles *h, const struct wm_use *use,
			  size_t i)
{
	return is_of_mpi(h, i) ? use[i].left_bytes :
				 wm_use_unfreed_bytes(&use[i]);
}

uint64_t wm_handles_blocks(const struct wm_handles *h, const struct wm_use *use,
			   size_t i)
{
	return is_of_mpi(h, i) ? use[i].left_blocks :
				 wm_use_unfreed_blocks(&use[i]);
}

uint64_t wm_handles_count(const struct wm_handles *h)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < h->count; i++)
		n += h->lost[i].library ? 0 : h->lost[i].handles;
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

/* The number in lost, and 1; 0: none. */
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
	size_t i;

	if (!h->count && !h->unknown)
		return WM_OK;
	held = calloc(f->held_count + 1, sizeof(*held));
	if (!held)
		return wm_no_memory(err, "handles");
	for (i = 0; i < f->held_count; i++) {
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

/* A call that made handles says more than one that added to some. */
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
