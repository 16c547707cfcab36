/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/handles.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wm/handle_list.h"

#include "analyze/base/vec.h"
#include "analyze/queries/library_calls.h"
#include "analyze/queries/library_objects.h"
#include "analyze/queries/path_frames.h"
#include "analyze/queries/runtime_retained.h"
#include "analyze/symbols/site.h"

/* Multiples of the number of handles that count: blocks of one path that each
 * of them has. */
#define MOST_EACH 6

/* A path below a call of the program that makes handles. */
struct leaf {
	size_t maker; /* in wm/handle_list.h */
	const char *made; /* the function that was called, */
	struct wm_frame caller; /* and its caller */
	uint32_t path;
	uint64_t most; /* blocks left of the rank that has most */
	uint64_t blocks, bytes; /* of all ranks */
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
	struct call *call;
	size_t calls;
	struct leaf *leaf;
	size_t leaves, leaf_cap;
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

/* The functions of wm/handle_list.h, by number. */
#define NAME_OF_MADE(x, class, number, Name, ...) [number] = "MPI_" #Name,
static const char *const made_by[WM_HANDLE_NUMBERS] = {
	WM_HANDLE_LAST(NAME_OF_MADE, ) WM_HANDLE_MADE(NAME_OF_MADE, )
		WM_HANDLE_NAMED(NAME_OF_MADE, )
			WM_HANDLE_WINDOWS(NAME_OF_MADE, )
};

/* The number of a function of MPI: MPI_Comm_dup, PMPI_Type_vector_c,
 * mpi_comm_dup_; 0: it makes no handles. */
static size_t maker_of(const char *name)
{
	size_t i, n;

	name += *name == 'P' || *name == 'p';
	n = strlen(name);
	while (n && name[n - 1] == '_')
		n--;
	n -= n > 2 && strncmp(name + n - 2, "_c", 2) == 0 ? 2 : 0;
	for (i = 1; i < WM_HANDLE_NUMBERS; i++)
		if (strlen(made_by[i]) == n &&
		    strncasecmp(made_by[i], name, n) == 0)
			return i;
	return 0;
}

static enum wm_status add_mpi(struct search *s, const struct wm_path_frames *f,
			      uint32_t path, struct wm_err *err)
{
	size_t maker = maker_of(f->frame[0].symbol->name);

	if (!maker || add_leaf(s, f, 1, maker, path))
		return WM_OK;
	return wm_no_memory(err, "handles");
}

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
	l = add_leaf(s, &f, 1, u->maker, path);
	if (!l)
		return wm_no_memory(err, "handles");
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
	if (!site.symbol || site.symbol->site != WM_SITE_MPI || !u->left_blocks)
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
	return l->most % n == 0 && l->most / n <= MOST_EACH;
}

/* How many handles a rank has at most of the call that allocated @l. */
static uint64_t handles_of(const struct call *c, const struct leaf *l)
{
	size_t i;

	for (i = 0; i < c->leaves; i++)
		if (c->leaf[i].exact &&
		    c->leaf[i].caller.node == l->caller.node)
			return c->leaf[i].most;
	return 0;
}

/* The trace has the number of handles; blocks that agree with it are theirs,
 * and where there are none, handles stand for blocks. */
static void judge(struct call *c)
{
	bool blocks = false;
	size_t i;

	for (i = 0; i < c->leaves; i++) {
		struct leaf *l = &c->leaf[i];
		uint64_t n = l->exact ? 0 : handles_of(c, l);

		c->lost.handles += l->exact ? l->blocks : 0;
		l->lost = n > 1 && agrees(l, n);
		blocks |= l->lost;
	}
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
				h->of_path[c->leaf[k].path] = (uint32_t)
								      h->count;
	}
	return WM_OK;
}

enum wm_status wm_handles_find(struct wm_handles *h,
			       const struct wm_analysis *a,
			       const struct wm_use *use,
			       const struct wm_lifetime *lifetime,
			       size_t lifetimes, struct wm_err *err)
{
	struct wm_path_frames f = { .count = 0 };
	struct search s = { .a = a, .use = use };
	struct wm_library_uses libraries = {
		.use = use,
		.lifetime = lifetime,
		.lifetimes = lifetime ? lifetimes : 0,
		.ranks = 1,
	};
	enum wm_status r = WM_OK;
	uint32_t i;

	memset(h, 0, sizeof(*h));
	if (a->chosen == WM_ALL_RANKS || lifetime == a->sum.lifetime)
		libraries.ranks = a->rank_count;
	for (i = 0; i < a->paths.path_count && !r; i++)
		r = look_at(&s, &f, i, err);
	if (!r)
		r = find_calls(&s, err);
	for (i = 0; i < s.calls; i++)
		judge(&s.call[i]);
	if (!r)
		r = put_lost(&s, h, err);
	if (!r)
		r = wm_library_objects_find(h, a, &libraries, err);
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
