/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/library_objects.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyze/base/vec.h"
#include "analyze/queries/library_calls.h"
#include "analyze/queries/path_frames.h"
#include "analyze/queries/runtime_retained.h"
#include "analyze/symbols/site.h"

/* Multiples of the number of objects that count where they are few: blocks of
 * one path that each of them has. */
#define MOST_EACH 6
#define MANY_PARTS 8
#define EXACT_WEIGHT 8 /* of paths with that number; of a multiple: 1 */
/* So many leaves of a call are looked at for what its calls have in common. */
#define MOST_LEAVES 2000

/* A path below a call of a library by the program. */
struct leaf {
	const char *made; /* what was called, */
	struct wm_frame caller; /* by whom */
	uint64_t below; /* a hash of the path inside of the caller, */
	uint32_t path; /* which others have as well: next_path */
	uint64_t way; /* the same without the function called */
	uint64_t most; /* blocks left of the rank that has most */
	uint64_t blocks, bytes; /* of all ranks */
	uint64_t made_blocks; /* that were allocated */
	bool released; /* some of these were */
	bool grows, goes_on, sets_up;
	bool repeated; /* calls in other lines left blocks in this way, too */
	bool lost;
};

/* Calls in one line, while they are looked at: their paths are next to each
 * other. */
struct call {
	struct wm_lost_handles lost;
	struct leaf *leaf;
	size_t leaves;
	uint64_t unknown; /* bytes of which the owner is not known */
};

struct search {
	const struct wm_analysis *a;
	const struct wm_library_uses *in;
	struct call *call;
	size_t calls;
	struct leaf *leaf;
	size_t leaves, leaf_cap;
	uint32_t *next_path; /* of one leaf; 0: there is none */
};

/* All 0 where it is not known. */
static struct wm_lifetime lifetime_of(const struct search *s, uint32_t path)
{
	return path < s->in->lifetimes ? s->in->lifetime[path] :
					 (struct wm_lifetime){ .blocks = 0 };
}

/* Of what was released after MPI_Finalize began it is not known which rank has
 * most of the rest. */
static uint64_t most_of(const struct search *s, const struct wm_use *u)
{
	uint64_t blocks = wm_use_unfreed_blocks(u), n = s->in->ranks;

	return blocks == u->left_blocks ? u->most_blocks : (blocks + n - 1) / n;
}

static enum wm_status add_leaf(struct search *s, const struct wm_path_frames *f,
			       uint32_t path, struct wm_err *err)
{
	const struct wm_use *u = &s->in->use[path];
	struct wm_lifetime life = lifetime_of(s, path);
	size_t caller = wm_library_caller(s->a, f);
	struct leaf *l;

	if (!caller)
		return WM_OK;
	l = WM_MORE(s->leaf, s->leaf_cap, s->leaves);
	if (!l)
		return wm_no_memory(err, "objects");
	s->leaves++;
	*l = (struct leaf){
		.made = f->frame[caller - 1].symbol->name,
		.caller = f->frame[caller],
		.path = path,
		.most = most_of(s, u),
		.blocks = wm_use_unfreed_blocks(u),
		.bytes = wm_use_unfreed_bytes(u),
		.made_blocks = life.blocks,
		.released = life.released != 0,
		.grows = life.grows,
		.goes_on = life.grows ||
			   (!life.brief && wm_lifetime_goes_on(life.active)),
		.sets_up = wm_library_sets_up(f, caller),
	};
	l->below = wm_path_below(s->a, path, &l->caller);
	l->way = l->below;
	if (caller > 1)
		l->way = wm_path_below(s->a, path, &f->frame[caller - 1]);
	return WM_OK;
}

static enum wm_status look_at(struct search *s, struct wm_path_frames *f,
			      uint32_t path, struct wm_err *err)
{
	const struct wm_use *u = &s->in->use[path];
	struct wm_frame site = wm_site_find(s->a->symbols, &s->a->paths, path);
	enum wm_status r;

	if (u->maker || !site.symbol || site.symbol->site == WM_SITE_MPI ||
	    (!wm_use_unfreed_blocks(u) && !lifetime_of(s, path).released) ||
	    wm_runtime_retained_group(s->a->symbols, &s->a->paths, path) !=
		    WM_GROUP_none)
		return WM_OK;
	r = wm_path_frames_fill(f, s->a, path, err);
	return r ? r : add_leaf(s, f, path, err);
}

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_calls(const struct leaf *x, const struct leaf *y)
{
	return wm_library_compare_callers(&x->caller, &y->caller);
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
		d = order(x->below, y->below);
	return d ? d : order(x->path, y->path);
}

/* All ranks have as many blocks of @l. */
static bool is_even(const struct search *s, const struct leaf *l)
{
	return l->blocks == l->most * s->in->ranks;
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
	to->made_blocks += from->made_blocks;
	to->released |= from->released;
	to->grows |= from->grows;
	to->goes_on |= from->goes_on;
	s->next_path[from->path] = s->next_path[to->path];
	s->next_path[to->path] = from->path;
}

/* A compiler may make several calls of one in the source, as of a loop: their
 * paths are one. */
static enum wm_status join_leaves(struct search *s, struct wm_err *err)
{
	size_t i, joined = 0;

	s->next_path = calloc(s->a->paths.path_count + 1,
			      sizeof(*s->next_path));
	if (!s->next_path)
		return wm_no_memory(err, "objects");
	if (s->leaves)
		qsort(s->leaf, s->leaves, sizeof(*s->leaf), compare_below);
	for (i = 0; i < s->leaves; i++) {
		struct leaf *l = &s->leaf[i],
			    *to = &s->leaf[joined ? joined - 1 : 0];

		if (joined && to->below == l->below &&
		    compare_calls(to, l) == 0)
			join(s, to, l);
		else
			s->leaf[joined++] = *l;
	}
	s->leaves = joined;
	return WM_OK;
}

/* By way, then by call. */
static int compare_ways(const void *a, const void *b)
{
	const struct leaf *x = *(struct leaf *const *)a;
	const struct leaf *y = *(struct leaf *const *)b;
	int d = order(x->way, y->way);

	if (!d)
		d = compare_calls(x, y);
	return d ? d : order(x->path, y->path);
}

/*
 * A library sets itself up once, in one call of the program.  In some rank
 * blocks were left in the same way by calls in several lines where more are
 * left than there are ranks.
 */
static void mark_way(struct leaf *const *way, size_t count, uint64_t ranks)
{
	uint64_t blocks = 0;
	bool several = false;
	size_t i;

	for (i = 0; i < count; i++) {
		blocks += way[i]->blocks;
		several |= compare_calls(way[0], way[i]) != 0;
	}
	for (i = 0; i < count; i++)
		way[i]->repeated = several && blocks > ranks;
}

static enum wm_status mark_repeated(struct search *s, struct wm_err *err)
{
	struct leaf **way = calloc(s->leaves + 1, sizeof(struct leaf *));
	size_t count = 0, first = 0, i;

	if (!way)
		return wm_no_memory(err, "objects");
	for (i = 0; i < s->leaves; i++)
		if (s->leaf[i].blocks)
			way[count++] = &s->leaf[i];
	if (count)
		qsort(way, count, sizeof(struct leaf *), compare_ways);
	for (i = 1; i <= count; i++) {
		if (i < count && way[i]->way == way[first]->way)
			continue;
		mark_way(way + first, i - first, s->in->ranks);
		first = i;
	}
	free(way);
	return WM_OK;
}

/* Some frames of the same call may have no name. */
static void name_maker(struct call *c, const struct leaf *l)
{
	const char *was = c->lost.maker;

	if (!was || (was[0] == '?' && l->made[0] != '?'))
		c->lost.maker = l->made;
}

static enum wm_status find_calls(struct search *s, struct wm_err *err)
{
	size_t i;

	s->call = calloc(s->leaves + 1, sizeof(*s->call));
	if (!s->call)
		return wm_no_memory(err, "objects");
	if (s->leaves)
		qsort(s->leaf, s->leaves, sizeof(*s->leaf), compare_leaves);
	for (i = 0; i < s->leaves; i++) {
		struct leaf *l = &s->leaf[i];
		struct call *c;

		if (!i || compare_calls(l - 1, l) != 0) {
			c = &s->call[s->calls++];
			c->leaf = l;
			c->lost.caller = l->caller;
			c->lost.library = true;
		}
		name_maker(&s->call[s->calls - 1], l);
		s->call[s->calls - 1].leaves++;
	}
	return WM_OK;
}

/* Objects may have many parts.  A few of them agree with too many numbers of
 * blocks that a library set up. */
static bool agrees(const struct leaf *l, uint64_t n)
{
	return n && l->most % n == 0 &&
	       (l->most / n <= MOST_EACH || n >= MANY_PARTS);
}

/* Those of set-up and of one object, which may be a cache of the library's, are
 * left out. */
static bool may_be_counted(const struct leaf *l)
{
	return l->repeated || (l->most > 1 && !l->sets_up);
}

/* The weight of paths of call @c of which a rank has @n blocks left, or a
 * multiple. */
static unsigned support_of(const struct call *c, uint64_t n)
{
	unsigned support = 0;
	size_t i;

	for (i = 0; i < c->leaves; i++)
		if (may_be_counted(&c->leaf[i]) && agrees(&c->leaf[i], n))
			support += c->leaf[i].most == n ? EXACT_WEIGHT : 1;
	return support;
}

/* The number of blocks that most paths of @c agree with, of equal ones the
 * lowest; 0: there are none. */
static uint64_t find_number(const struct call *c)
{
	uint64_t each = 0;
	unsigned support, most = 0;
	size_t i;

	for (i = 0; i < c->leaves; i++) {
		const struct leaf *l = &c->leaf[i];

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

/*
 * A rank has lost so many objects; all ranks, as many as the path has that most
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

/* How many blocks most paths of @c allocated that do not keep them all, of equal
 * numbers the lowest: about as many as there were calls, which are more than
 * @ranks.  0: not known. */
static uint64_t calls_of(const struct call *c, uint64_t ranks)
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

/* Of one path alone a few blocks that are all left may be parts of a cache, and
 * so may many where what @c freed suggests fewer calls. */
static bool is_object(const struct call *c, const struct leaf *l)
{
	bool any = false, enough = false;
	size_t i;

	for (i = 0; i < c->leaves; i++) {
		any |= c->leaf[i].released;
		enough |= c->leaf[i].released &&
			  c->leaf[i].made_blocks >= l->blocks;
	}
	return l->released || (l->most >= MANY_PARTS && (enough || !any));
}

/* What calls in several lines left, each in the same ways: of one way alone it
 * may be a cache. */
static bool are_objects(const struct call *c)
{
	size_t i, repeated = 0;

	for (i = 0; i < c->leaves; i++)
		repeated += c->leaf[i].repeated;
	return repeated > 1;
}

/*
 * Whether as many calls as objects were made, as far as is known: each call
 * frees blocks that it needed in between, the first one also those of setting
 * up.
 */
enum { UNKNOWN_CALLS, FEWER_CALLS, ENOUGH_CALLS };

static int compare_with_calls(const struct call *c, uint64_t each,
			      uint64_t ranks)
{
	size_t i, once = 0, enough = 0;

	for (i = 0; i < c->leaves; i++) {
		const struct leaf *l = &c->leaf[i];

		once += l->released && l->made_blocks <= ranks;
		enough += l->released && l->made_blocks >= each * ranks;
	}
	if (enough * 2 < once)
		return FEWER_CALLS;
	return enough ? ENOUGH_CALLS : UNKNOWN_CALLS;
}

/* The objects that the paths of a library's call show. */
struct evidence {
	uint64_t each, calls;
	unsigned agree, counted; /* paths */
	int made; /* compared with each */
	bool lines; /* calls in several */
};

/* All paths of a call agree on more than one object: what makes objects may be
 * called "init". */
static bool is_uniform(const struct call *c)
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

static struct evidence evidence_of(const struct call *c, uint64_t ranks)
{
	struct evidence e = { .calls = calls_of(c, ranks) };
	bool uniform = is_uniform(c);
	size_t i;

	/* what each call does sets up an object */
	for (i = 0; i < c->leaves; i++)
		if (uniform || c->leaf[i].goes_on ||
		    (e.calls > 1 && c->leaf[i].made_blocks % e.calls == 0))
			c->leaf[i].sets_up = false;
	e.each = find_number(c);
	for (i = 0; i < c->leaves; i++) {
		const struct leaf *l = &c->leaf[i];

		e.counted += l->most && !l->sets_up &&
			     l->made_blocks >= e.calls;
		e.agree += may_be_counted(l) && agrees(l, e.each);
	}
	e.made = compare_with_calls(c, e.each, ranks);
	e.lines = are_objects(c);
	return e;
}

/* So many paths do not agree by chance, however much the first call frees. */
static bool is_unanimous(const struct evidence *e)
{
	return e->agree >= MANY_PARTS && e->agree * 4 >= e->counted * 3;
}

static bool is_lost(const struct call *c, const struct leaf *l,
		    const struct evidence *e)
{
	if (l->grows || (l->repeated && e->lines))
		return true;
	if (!may_be_counted(l))
		return false;
	if (l->goes_on)
		return true;
	/* else objects of other kinds, of which there are other numbers */
	if (e->agree * 2 < e->counted &&
	    (e->made != ENOUGH_CALLS || e->each < MANY_PARTS))
		return false;
	if (e->made == FEWER_CALLS && !is_unanimous(e))
		return false;
	return e->each > 1 && agrees(l, e->each) &&
	       (e->agree > 1 || is_object(c, l)) && l->made_blocks >= e->calls;
}

/*
 * The program's: what grows, and objects of which more than one was left, by
 * calls that go on through the run, in several lines, or that most paths of the
 * call agree on, but for those that allocate less often than it was called.  All
 * else may be a library's own cache.
 */
static void judge(struct call *c, uint64_t ranks)
{
	struct evidence e = evidence_of(c, ranks);
	size_t i;

	for (i = 0; i < c->leaves; i++) {
		struct leaf *l = &c->leaf[i];

		l->lost = is_lost(c, l, &e);
		/* objects that differ: the number is that of one kind */
		c->lost.more |= may_be_counted(l) && l->most > e.each &&
				!agrees(l, e.each);
	}
	if (e.agree > 1)
		set_number(c, e.each);
}

/* Its own or an object's. */
static bool is_unknown(const struct leaf *l)
{
	return l->blocks && !l->lost && !l->sets_up;
}

static int by_bytes(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->lost.bytes != y->lost.bytes)
		return x->lost.bytes > y->lost.bytes ? -1 : 1;
	return order(x->lost.caller.node, y->lost.caller.node);
}

static int by_unknown(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->unknown != y->unknown)
		return x->unknown > y->unknown ? -1 : 1;
	return order(x->lost.caller.node, y->lost.caller.node);
}

static void set_paths(const struct search *s, uint32_t *of_path,
		      const struct leaf *l, size_t number)
{
	uint32_t path = l->path;

	do
		of_path[path] = (uint32_t)number;
	while ((path = s->next_path[path]) != 0);
}

static void add_up(struct call *c)
{
	size_t i;

	for (i = 0; i < c->leaves; i++) {
		const struct leaf *l = &c->leaf[i];

		c->lost.blocks += l->lost ? l->blocks : 0;
		c->lost.bytes += l->lost ? l->bytes : 0;
		if (!is_unknown(l))
			continue;
		c->lost.at_least |= c->lost.more || are_objects(c);
		c->unknown += l->bytes;
	}
}

/* Calls that lost objects. */
static void put_lost(struct search *s, struct wm_handles *h)
{
	size_t i, k;

	if (s->calls)
		qsort(s->call, s->calls, sizeof(*s->call), by_bytes);
	for (i = 0; i < s->calls; i++) {
		const struct call *c = &s->call[i];

		if (!c->lost.blocks)
			continue;
		h->lost[h->count++] = c->lost;
		for (k = 0; k < c->leaves; k++)
			if (c->leaf[k].lost)
				set_paths(s, h->of_path, &c->leaf[k], h->count);
	}
}

/* Calls below which it is not known whose blocks are, and paths of what
 * libraries set up. */
static void put_kept(struct search *s, struct wm_handles *h)
{
	size_t i, k;

	if (s->calls)
		qsort(s->call, s->calls, sizeof(*s->call), by_unknown);
	for (i = 0; i < s->calls; i++) {
		const struct call *c = &s->call[i];
		struct wm_lost_handles *of = &h->lost[h->count + h->unknown];

		*of = c->lost;
		of->handles = of->blocks = of->bytes = 0;
		for (k = 0; k < c->leaves; k++) {
			const struct leaf *l = &c->leaf[k];

			if (l->lost)
				continue;
			set_paths(s, h->kept, l, WM_HANDLES_KEPT);
			if (!is_unknown(l))
				continue;
			set_paths(s, h->kept, l, h->count + h->unknown + 1);
			of->blocks += l->blocks;
			of->bytes += l->bytes;
		}
		h->unknown += of->blocks != 0;
	}
}

static enum wm_status put_calls(struct search *s, struct wm_handles *h,
				struct wm_err *err)
{
	size_t n = h->count + 2 * s->calls + 1, i;
	struct wm_lost_handles *lost = realloc(h->lost, n * sizeof(*lost));

	if (!lost)
		return wm_no_memory(err, "objects");
	h->lost = lost;
	for (i = 0; i < s->calls; i++) {
		judge(&s->call[i], s->in->ranks);
		add_up(&s->call[i]);
	}
	put_lost(s, h);
	put_kept(s, h);
	return WM_OK;
}

enum wm_status wm_library_objects_find(struct wm_handles *h,
				       const struct wm_analysis *a,
				       const struct wm_library_uses *in,
				       struct wm_err *err)
{
	struct wm_path_frames f = { .count = 0 };
	struct search s = { .a = a, .in = in };
	enum wm_status r = WM_OK;
	uint32_t i;

	for (i = 0; i < a->paths.path_count && !r; i++)
		r = look_at(&s, &f, i, err);
	if (!r)
		r = join_leaves(&s, err);
	if (!r)
		r = mark_repeated(&s, err);
	if (!r)
		r = find_calls(&s, err);
	if (!r)
		r = put_calls(&s, h, err);
	wm_path_frames_release(&f);
	free(s.call);
	free(s.leaf);
	free(s.next_path);
	return r;
}
