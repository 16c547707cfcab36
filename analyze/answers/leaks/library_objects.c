/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds objects of libraries that the program made and never freed: plans,
 * documents, statements.
 *
 * Blocks that functions of a library allocate for the program and leave are the
 * program's if they grow, or if more than one object was left.  More than one
 * object was left if the calls go on through the run; if calls in several lines
 * left blocks in the same ways; or if most call paths below calls in one line
 * agree on the number, and the blocks that these calls freed do not suggest
 * fewer calls.
 *
 * The owner of a block that is left once is unknown: it may be the library's
 * cache, or an object that was not closed.  Blocks that functions for setting
 * up a library leave are the library's.
 */
#include "analyze/answers/leaks/library_calls.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyze/answers/leaks/runtime_retained.h"
#include "analyze/symbols/site.h"
#include "wm/search.h"

/* the most blocks of one path for each object, if there are few objects */
#define MOST_EACH 6
#define MANY_PARTS 8
/* of paths with exactly the number of objects; a multiple weighs 1 */
#define EXACT_WEIGHT 8
/* the most leaves of a call that are compared to find the number of calls */
#define MOST_LEAVES 2000

static struct wm_lifetime lifetime_of(const struct wm_library_walk *s,
				      uint32_t path)
{
	return path < s->in->lifetimes ? s->in->lifetime[path] :
					 (struct wm_lifetime){ .blocks = 0 };
}

/* Returns the most unfreed blocks of @u in one rank.  If blocks were released
 * after MPI_Finalize began, the rank with most of the rest is unknown, so the
 * mean is returned. */
static uint64_t most_of(const struct wm_library_walk *s, const struct wm_use *u)
{
	uint64_t blocks = wm_use_unfreed_blocks(u), n = s->in->ranks;

	return blocks == u->left_blocks ? u->most_blocks : (blocks + n - 1) / n;
}

static enum wm_status add_leaf(struct wm_library_walk *s, uint32_t path,
			       struct wm_err *err)
{
	const struct wm_use *u = &s->in->use[path];
	const struct wm_path_frames *f = &s->frames;
	struct wm_lifetime life = lifetime_of(s, path);
	size_t caller = wm_library_caller(s->a, f);
	struct wm_leaf *l;

	if (!caller)
		return WM_OK;
	l = wm_walk_add(s, f, caller, path, 0);
	if (!l)
		return wm_no_memory(err, "objects");
	l->most = most_of(s, u);
	l->blocks = wm_use_unfreed_blocks(u);
	l->bytes = wm_use_unfreed_bytes(u);
	l->made_blocks = life.blocks;
	l->released = life.released != 0;
	l->grows = s->in->trend[path] == WM_TREND_GROWS;
	l->goes_on = l->grows || wm_trend_of(life.active) == WM_TREND_GROWS;
	l->below = wm_path_below(s->a, path, &l->caller);
	l->way = l->below;
	if (caller > 1)
		l->way = wm_path_below(s->a, path, &f->frame[caller - 1]);
	return WM_OK;
}

static enum wm_status look_at(struct wm_library_walk *s, uint32_t path,
			      struct wm_err *err)
{
	const struct wm_use *u = &s->in->use[path];
	struct wm_frame site = wm_site_find(s->a->symbols, &s->a->paths, path);
	enum wm_status r;

	if (u->maker || !site.symbol || site.symbol->site == WM_SITE_MPI ||
	    (!wm_use_unfreed_blocks(u) && !lifetime_of(s, path).released) ||
	    wm_runtime_retained_group(s->a->symbols, &s->a->paths, path) !=
		    WM_GROUP_none)
		return WM_OK;
	r = wm_path_frames_fill(&s->frames, s->a, path, err);
	return r ? r : add_leaf(s, path, err);
}

/* By call, then by path inside of the call. */
static int compare_below(const void *a, const void *b)
{
	const struct wm_leaf *x = a, *y = b;

	return WM_KEYS(wm_walk_compare(x, y), WM_ORDER(x->below, y->below),
		       WM_ORDER(x->path, y->path));
}

static bool is_even(const struct wm_library_walk *s, const struct wm_leaf *l)
{
	return l->blocks == l->most * s->in->ranks;
}

static void join(struct wm_library_walk *s, struct wm_leaf *to,
		 const struct wm_leaf *from)
{
	/* else @to and @from may be highest in different ranks */
	if (is_even(s, to) && is_even(s, from))
		to->most += from->most;
	else if (from->most > to->most)
		to->most = from->most;
	to->blocks += from->blocks;
	to->bytes += from->bytes;
	to->made_blocks += from->made_blocks;
	to->released |= from->released;
	to->grows |= from->grows;
	to->goes_on |= from->goes_on;
	s->next_path[from->path] = s->next_path[to->path];
	s->next_path[to->path] = from->path;
}

/* Joins leaves whose paths are one path in the source: a compiler may make
 * several calls of one, for example in a loop. */
static enum wm_status join_leaves(struct wm_library_walk *s, struct wm_err *err)
{
	size_t i, joined = 0;

	s->next_path = calloc(s->a->paths.path_count + 1,
			      sizeof(*s->next_path));
	if (!s->next_path)
		return wm_no_memory(err, "objects");
	WM_SORT(s->leaf, s->leaves, compare_below);
	for (i = 0; i < s->leaves; i++) {
		struct wm_leaf *l = &s->leaf[i],
			       *to = &s->leaf[joined ? joined - 1 : 0];

		if (joined && to->below == l->below &&
		    wm_walk_compare(to, l) == 0)
			join(s, to, l);
		else
			s->leaf[joined++] = *l;
	}
	s->leaves = joined;
	return WM_OK;
}

static int compare_ways(const void *a, const void *b)
{
	const struct wm_leaf *x = *(struct wm_leaf *const *)a;
	const struct wm_leaf *y = *(struct wm_leaf *const *)b;

	return WM_KEYS(WM_ORDER(x->way, y->way), wm_walk_compare(x, y),
		       WM_ORDER(x->path, y->path));
}

/* Marks the leaves of one way as repeated if they show more than setup.  A
 * library is set up once, by one call of the program.  So if calls in several
 * lines left more blocks than there are ranks, some rank made several calls
 * that left blocks in the same way. */
static void mark_way(struct wm_leaf *const *way, size_t count, uint64_t ranks)
{
	uint64_t blocks = 0;
	bool several = false;

	for (size_t i = 0; i < count; i++) {
		blocks += way[i]->blocks;
		several |= wm_walk_compare(way[0], way[i]) != 0;
	}
	for (size_t i = 0; i < count; i++)
		way[i]->repeated = several && blocks > ranks;
}

static enum wm_status mark_repeated(struct wm_library_walk *s,
				    struct wm_err *err)
{
	struct wm_leaf **way = calloc(s->leaves + 1, sizeof(struct wm_leaf *));
	size_t count = 0, first = 0, i;

	if (!way)
		return wm_no_memory(err, "objects");
	for (i = 0; i < s->leaves; i++)
		if (s->leaf[i].blocks)
			way[count++] = &s->leaf[i];
	WM_SORT(way, count, compare_ways);
	for (i = 1; i <= count; i++) {
		if (i < count && way[i]->way == way[first]->way)
			continue;
		mark_way(way + first, i - first, s->in->ranks);
		first = i;
	}
	free(way);
	return WM_OK;
}

/* Returns whether @l has the blocks of @n objects.  Objects may have many
 * parts; but as many numbers of blocks from setup are multiples of a small @n,
 * objects have only a few parts if @n is small. */
static bool agrees(const struct wm_leaf *l, uint64_t n)
{
	return n && l->most % n == 0 &&
	       (l->most / n <= MOST_EACH || n >= MANY_PARTS);
}

/* Returns whether @l is evidence.  Leaves of setup are not, nor is a single
 * object, which may be the library's cache. */
static bool may_be_counted(const struct wm_leaf *l)
{
	return l->repeated || (l->most > 1 && !l->sets_up);
}

/* Returns the weight of the paths that left @n blocks in a rank, or a
 * multiple. */
static unsigned support_of(const struct wm_call *c, uint64_t n)
{
	unsigned support = 0;

	for (size_t i = 0; i < c->leaves; i++)
		if (may_be_counted(&c->leaf[i]) && agrees(&c->leaf[i], n))
			support += c->leaf[i].most == n ? EXACT_WEIGHT : 1;
	return support;
}

/* Returns the number of blocks with the most support among the paths of @c, the
 * lowest of equal ones, or 0. */
static uint64_t find_number(const struct wm_call *c)
{
	uint64_t each = 0;
	unsigned support, most = 0;

	for (size_t i = 0; i < c->leaves; i++) {
		const struct wm_leaf *l = &c->leaf[i];

		if (!may_be_counted(l) || l->most == each ||
		    (i && l->most == l[-1].most && may_be_counted(l - 1)))
			continue;
		support = support_of(c, l->most);
		if (support <= most)
			continue;
		most = support;
		each = l->most;
	}
	return each;
}

/* Sets the number of objects of @c.  A rank lost @each objects.  Among the
 * paths with @each blocks, the path with most blocks in all ranks shows how
 * many all ranks lost: other paths may be in one rank only, such as a root. */
static void set_number(struct wm_call *c, uint64_t each)
{
	for (size_t i = 0; i < c->leaves; i++)
		if (c->leaf[i].lost && c->leaf[i].most == each &&
		    c->leaf[i].blocks > c->lost.handles)
			c->lost.handles = c->leaf[i].blocks;
}

/* Returns the approximate number of calls, or 0 if it is unknown: the most
 * frequent number of blocks that a path allocated, among the paths that freed
 * some blocks and allocated more than @ranks; the lowest of equally frequent
 * ones. */
static uint64_t calls_of(const struct wm_call *c, uint64_t ranks)
{
	size_t n = c->leaves < MOST_LEAVES ? c->leaves : MOST_LEAVES;
	size_t most = 0, same, i, k;
	uint64_t calls = 0;

	for (i = 0; i < n; i++) {
		uint64_t made = c->leaf[i].made_blocks;

		if (!c->leaf[i].released || made <= ranks)
			continue;
		for (k = same = 0; k < n; k++)
			same += c->leaf[k].released &&
				c->leaf[k].made_blocks == made;
		if (same < most || (same == most && made >= calls))
			continue;
		most = same;
		calls = made;
	}
	return calls;
}

/* Returns whether leaf @l by itself shows objects.  A few blocks that are all
 * left may belong to a cache.  So may many blocks, if other blocks that @c
 * freed suggest fewer calls. */
static bool is_object(const struct wm_call *c, const struct wm_leaf *l)
{
	bool any = false, enough = false;

	for (size_t i = 0; i < c->leaves; i++) {
		any |= c->leaf[i].released;
		enough |= c->leaf[i].released &&
			  c->leaf[i].made_blocks >= l->blocks;
	}
	return l->released || (l->most >= MANY_PARTS && (enough || !any));
}

/* Returns whether calls in several lines left blocks in more than one common
 * way.  Blocks that were left in only one way may be a cache. */
static bool are_objects(const struct wm_call *c)
{
	size_t i, repeated = 0;

	for (i = 0; i < c->leaves; i++)
		repeated += c->leaf[i].repeated;
	return repeated > 1;
}

/* Whether there were at least as many calls as objects.  Each call frees blocks
 * that it needed for itself; the first call also frees blocks that setup
 * needed. */
enum { UNKNOWN_CALLS, FEWER_CALLS, ENOUGH_CALLS };

static int compare_with_calls(const struct wm_call *c, uint64_t each,
			      uint64_t ranks)
{
	size_t i, once = 0, enough = 0;

	for (i = 0; i < c->leaves; i++) {
		const struct wm_leaf *l = &c->leaf[i];

		once += l->released && l->made_blocks <= ranks;
		enough += l->released && l->made_blocks >= each * ranks;
	}
	if (enough * 2 < once)
		return FEWER_CALLS;
	return enough ? ENOUGH_CALLS : UNKNOWN_CALLS;
}

struct evidence {
	uint64_t each, calls;
	unsigned agree, counted; /* paths that agree, and paths that count */
	int made; /* .each compared with the number of calls: FEWER_CALLS ... */
	bool lines; /* calls in several lines left blocks */
};

/* Returns whether all paths of a call agree on more than one object.  If they
 * do, functions called "init" make objects. */
static bool is_uniform(const struct wm_call *c)
{
	uint64_t each = 0;
	size_t i, n = 0;

	for (i = 0; i < c->leaves; i++)
		if (c->leaf[i].most && (!each || c->leaf[i].most < each))
			each = c->leaf[i].most;
	for (i = 0; i < c->leaves; i++) {
		if (c->leaf[i].most && !agrees(&c->leaf[i], each))
			return false;
		n += c->leaf[i].most != 0;
	}
	return each > 1 && n > 1;
}

static struct evidence evidence_of(const struct wm_call *c, uint64_t ranks)
{
	struct evidence e = { .calls = calls_of(c, ranks) };
	bool uniform = is_uniform(c);

	/* if each call allocates, it sets up an object, not the library */
	for (size_t i = 0; i < c->leaves; i++)
		if (uniform || c->leaf[i].goes_on ||
		    (e.calls > 1 && c->leaf[i].made_blocks % e.calls == 0))
			c->leaf[i].sets_up = false;
	e.each = find_number(c);
	for (size_t i = 0; i < c->leaves; i++) {
		const struct wm_leaf *l = &c->leaf[i];

		e.counted += l->most && !l->sets_up &&
			     l->made_blocks >= e.calls;
		e.agree += may_be_counted(l) && agrees(l, e.each);
	}
	e.made = compare_with_calls(c, e.each, ranks);
	e.lines = are_objects(c);
	return e;
}

/* Returns whether too many paths agree for chance, even if setup freed some. */
static bool is_unanimous(const struct evidence *e)
{
	return e->agree >= MANY_PARTS && e->agree * 4 >= e->counted * 3;
}

static bool is_lost(const struct wm_call *c, const struct wm_leaf *l,
		    const struct evidence *e)
{
	if (l->grows || (l->repeated && e->lines))
		return true;
	if (!may_be_counted(l))
		return false;
	if (l->goes_on)
		return true;
	/* otherwise the objects are of other kinds, with other numbers */
	if (e->agree * 2 < e->counted &&
	    (e->made != ENOUGH_CALLS || e->each < MANY_PARTS))
		return false;
	if (e->made == FEWER_CALLS && !is_unanimous(e))
		return false;
	return e->each > 1 && agrees(l, e->each) &&
	       (e->agree > 1 || is_object(c, l)) && l->made_blocks >= e->calls;
}

/*
 * Decides which blocks of call @c are the program's: blocks that grow, and
 * blocks of more than one object, which were left by calls that go on through
 * the run, by calls in several lines, or in a number on which most paths of the
 * call agree.  Paths that allocated less often than the call was made do not
 * count.  All other blocks may be a library's own cache.
 */
static void judge(const struct wm_library_walk *s, struct wm_call *c)
{
	struct evidence e = evidence_of(c, s->in->ranks);

	for (size_t i = 0; i < c->leaves; i++) {
		struct wm_leaf *l = &c->leaf[i];

		l->lost = is_lost(c, l, &e);
		/* HDF5 keeps the blocks of identifiers that the trace has */
		l->unknown = l->blocks && !l->lost && !l->sets_up &&
			     !(s->in->ids && wm_library_makes_ids(l->made));
		/* .each counts only one of several kinds of objects */
		c->lost.more |= may_be_counted(l) && l->most > e.each &&
				!agrees(l, e.each);
		c->unknown += l->unknown ? l->bytes : 0;
		c->lost.at_least |= l->unknown;
	}
	c->lost.at_least &= c->lost.more || are_objects(c);
	if (e.agree > 1)
		set_number(c, e.each);
}

enum wm_status wm_library_objects_find(struct wm_handles *h,
				       const struct wm_analysis *a,
				       const struct wm_library_uses *in,
				       struct wm_err *err)
{
	struct wm_library_walk w = { .a = a, .in = in };
	enum wm_status r = wm_walk_paths(&w, look_at, err);

	if (!r)
		r = join_leaves(&w, err);
	if (!r)
		r = mark_repeated(&w, err);
	if (!r)
		r = wm_walk_calls(&w, judge, err);
	if (!r)
		r = wm_walk_put_lost(&w, h, err);
	if (!r)
		r = wm_walk_put_kept(&w, h, err);
	wm_walk_release(&w);
	return r;
}
