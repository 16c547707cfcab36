/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/need/died_limit.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/order.h"
#include "analyze/lib/base/running.h"
#include "analyze/lib/base/whole.h"

#define MOMENTS 64 /* moments at which the memory of the ranks is added up */

bool wm_limit_is_met(uint64_t used, uint64_t limit)
{
	return limit && used >= limit / 5 * 4;
}

bool wm_limit_is_exceeded(uint64_t used, uint64_t limit)
{
	return used / 5 * 4 > limit;
}

/* Returns whether the rank has no end and was gone when its trace was read. */
static bool is_gone(const struct wm_analysis *a, size_t index)
{
	const struct wm_rank *r = &a->ranks[index];

	return !r->ended && !r->damage &&
	       a->run.files[r->source].running != WM_RUNNING_YES;
}

uint64_t wm_ask_rank_limit(const struct wm_origin *o)
{
	return o->limits.per_node ? 0 : o->limits.per_cpu * wm_most(o->cpus, 1);
}

/* The ranks of each node, as lists of indices; SIZE_MAX ends each list. */
struct nodes {
	const struct wm_analysis *a;
	const struct wm_job_need *need;
	size_t *first, *next;
};

static enum wm_status make_nodes(struct nodes *x, struct wm_err *err)
{
	size_t i, count = x->a->rank_count;

	x->first = malloc((x->need->nodes + 1) * sizeof(*x->first));
	x->next = malloc((count + 1) * sizeof(*x->next));
	if (!x->first || !x->next)
		return wm_no_memory(err, NULL);
	memset(x->first, 0xff, x->need->nodes * sizeof(*x->first));
	for (i = count; i-- > 0;) {
		size_t node = wm_job_need_node(x->a, i);

		x->next[i] = x->first[node];
		x->first[node] = i;
	}
	return WM_OK;
}

static size_t first_beside(const struct nodes *x, size_t index)
{
	return x->first[wm_job_need_node(x->a, index)];
}

static bool is_within(const char *a, const char *b)
{
	size_t n = b ? strlen(b) : 0;

	return a && b && strncmp(a, b, n) == 0 &&
	       (!a[n] || a[n] == '/' || (n && b[n - 1] == '/'));
}

/* Returns whether rank @i, on the same node, shares the limit. */
static bool has_it(const struct wm_analysis *a, size_t i, size_t index,
		   enum wm_limit limit)
{
	const struct wm_origin *o = wm_analysis_origin(a, i),
			       *p = wm_analysis_origin(a, index);

	if (limit == WM_LIMIT_GROUP)
		return o->limits.group && is_within(o->group, p->group);
	return !wm_text_order(o->batch_job, p->batch_job) &&
	       o->limits.per_node == p->limits.per_node &&
	       !o->limits.per_cpu == !p->limits.per_cpu;
}

static bool has_all(const struct wm_analysis *a, size_t i, size_t index)
{
	return has_it(a, i, index, WM_LIMIT_JOB) &&
	       !wm_text_order(wm_analysis_origin(a, i)->group,
			      wm_analysis_origin(a, index)->group);
}

/* Returns whether rank @i, on any node, has a limit like rank @index. */
static bool has_such(const struct wm_analysis *a, size_t i, size_t index,
		     enum wm_limit limit)
{
	const struct wm_limits *o = &wm_analysis_origin(a, i)->limits,
			       *p = &wm_analysis_origin(a, index)->limits;

	if (limit == WM_LIMIT_GROUP)
		return o->group == p->group;
	return p->per_node ? o->per_node == p->per_node :
			     !o->per_node && o->per_cpu;
}

static uint64_t limit_of(const struct nodes *x, size_t index,
			 enum wm_limit limit)
{
	const struct wm_analysis *a = x->a;
	const struct wm_origin *o = wm_analysis_origin(a, index);
	uint64_t sum = 0;

	if (limit == WM_LIMIT_GROUP)
		return o->limits.group;
	if (o->limits.per_node || !o->limits.per_cpu)
		return o->limits.per_node;
	for (size_t i = first_beside(x, index); i != SIZE_MAX; i = x->next[i])
		if (has_it(a, i, index, limit))
			sum += wm_ask_rank_limit(wm_analysis_origin(a, i));
	return sum;
}

static uint64_t bytes_at(const struct wm_course *c, uint64_t ns)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < c->count && c->step[i].ns <= ns; i++)
		bytes = c->step[i].bytes;
	return bytes;
}

/* in ns on the clock of the job */
static uint64_t begin_of(const struct wm_rank *r)
{
	return wm_whole(r->begin * 1e9);
}

static uint64_t end_of(const struct wm_rank *r)
{
	return wm_whole(wm_rank_end(r) * 1e9);
}

/* Sums over ranks.  Shared memory counts once. */
struct used {
	uint64_t own, parts, most;
	/* the part of .own that the kernel counted, a lower bound */
	uint64_t looked;
};

static uint64_t bytes_of(const struct used *u)
{
	return u->own + wm_most(u->parts, u->most);
}

/* Finds the kernel's last count of resident memory before @ns, and about how
 * much more was requested from then until @ns.  Returns false if there is no
 * count. */
static bool look_before(const struct wm_rank *r, uint64_t ns,
			struct wm_resident *look, uint64_t *more)
{
	const struct wm_usage *u = &r->usage;
	const struct wm_course *c = &r->course.live;
	size_t i;

	if (!u->rss_count || !c->count || r->watched || u->rss[0].ns > ns)
		return false;
	if (u->rss_last_ns <= ns) {
		*look = (struct wm_resident){ u->rss_last_ns, u->rss_end };
		*more = wm_above(r->course.since_look, r->course.look_live);
		return true;
	}
	for (i = u->rss_count; u->rss[i - 1].ns > ns;)
		i--;
	*look = u->rss[i - 1];
	*more = wm_above(bytes_at(c, ns), bytes_at(c, look->ns));
	return true;
}

/*
 * Adds the memory of rank @index at @ns, including the tool's, to @u.  This is
 * the kernel's last count plus the requests since then: memory that was
 * untouched at the count may never be touched.  Without a count it is an upper
 * bound.
 *
 * With @likely, leaves out memory that malloc may keep, and ranks that died and
 * whose traces end before @ns: they may have been waiting.
 */
static void add_rank(struct used *u, const struct nodes *x, size_t index,
		     uint64_t ns, bool likely)
{
	const struct wm_rank *r = &x->a->ranks[index];
	const struct wm_rank_need *need = &x->need->rank[index];
	struct wm_resident look;
	uint64_t more, own;

	if (begin_of(r) > ns ||
	    (end_of(r) < ns && (r->ended || (likely && is_gone(x->a, index)))))
		return;
	own = wm_job_need_at(need, r, ns, !likely) + wm_tool_of(r);
	if (look_before(r, ns, &look, &more)) {
		wm_lower(&own, wm_above(look.bytes, need->shared) + more +
				       need->child);
		/* pages of files may be charged elsewhere */
		u->looked += wm_above(look.bytes, wm_most(need->shared,
							  r->usage.file_peak));
	}
	u->own += own;
	u->parts += need->part;
	wm_raise(&u->most, need->shared);
}

static struct used used_at(const struct nodes *x, size_t index,
			   enum wm_limit limit, uint64_t ns, bool likely)
{
	struct used u = { 0 };

	for (size_t i = first_beside(x, index); i != SIZE_MAX; i = x->next[i])
		if (has_it(x->a, i, index, limit))
			add_rank(&u, x, i, ns, likely);
	return u;
}

/* Returns the time at which the last rank with the limit died.  Stores the time
 * at which the first began in *@begin. */
static uint64_t death_of(const struct nodes *x, size_t index,
			 enum wm_limit limit, uint64_t *begin)
{
	uint64_t end = 0;

	*begin = UINT64_MAX;
	for (size_t i = first_beside(x, index); i != SIZE_MAX; i = x->next[i]) {
		if (!has_it(x->a, i, index, limit))
			continue;
		wm_lower(begin, begin_of(&x->a->ranks[i]));
		if (is_gone(x->a, i))
			wm_raise(&end, end_of(&x->a->ranks[i]));
	}
	return end;
}

/* Returns whether ranks had far more than @bytes for over half of the time. */
static bool is_not_in_force(const struct nodes *x, size_t index,
			    enum wm_limit limit, uint64_t bytes, uint64_t begin,
			    uint64_t end)
{
	uint64_t beyond = 0;

	for (uint64_t i = 1; i <= MOMENTS; i++) {
		struct used u = used_at(x, index, limit,
					begin + (end - begin) / MOMENTS * i,
					true);

		beyond += wm_limit_is_exceeded(bytes_of(&u), bytes);
	}
	return 2 * beyond > MOMENTS;
}

/* Takes @limit if rank @index died at it, unless a lower limit is known. */
static void try_limit(struct wm_died_limit *l, const struct nodes *x,
		      size_t index, enum wm_limit limit)
{
	uint64_t bytes = limit_of(x, index, limit), begin, end;
	struct used u;

	if (!bytes || (l->limit && bytes >= l->bytes))
		return;
	end = death_of(x, index, limit, &begin);
	u = used_at(x, index, limit, end, false);
	/* a cgroup acts at once, but a batch system looks only now and then */
	if (!wm_limit_is_met(bytes_of(&u), bytes) ||
	    (limit == WM_LIMIT_GROUP &&
	     wm_limit_is_exceeded(u.looked, bytes)) ||
	    is_not_in_force(x, index, limit, bytes, wm_least(begin, end), end))
		return;
	l->limit = limit;
	l->bytes = bytes;
	l->first = index;
}

static void add_death(struct wm_died_limit *l, const struct wm_analysis *a,
		      size_t index)
{
	double growth = a->ranks[index].growth;

	l->died = true;
	l->dead++;
	if (growth > 0 && (!l->growing || growth > a->ranks[l->grew].growth)) {
		l->growing = true;
		l->grew = index;
	}
}

static bool is_first(const struct nodes *x, size_t index)
{
	for (size_t i = first_beside(x, index); i != index; i = x->next[i])
		if (is_gone(x->a, i) && has_all(x->a, i, index))
			return false;
	return true;
}

static struct wm_died_limit limit_at(const struct nodes *x, size_t index)
{
	struct wm_died_limit l = { .limit = WM_LIMIT_NONE };

	try_limit(&l, x, index, WM_LIMIT_JOB);
	try_limit(&l, x, index, WM_LIMIT_GROUP);
	for (size_t i = first_beside(x, index); l.limit && i != SIZE_MAX;
	     i = x->next[i])
		if (is_gone(x->a, i) && has_it(x->a, i, index, l.limit))
			add_death(&l, x->a, i);
	return l;
}

/* Finds the limit of the rank that grew fastest, if there are several
 * limits. */
static void find_limit(struct wm_died_limit *best, const struct nodes *x)
{
	const struct wm_analysis *a = x->a;
	struct wm_died_limit all = { .limit = WM_LIMIT_NONE }, l;
	size_t i;

	for (i = 0; i < a->rank_count; i++) {
		if (!is_gone(a, i))
			continue;
		add_death(&all, a, i);
		l.limit = WM_LIMIT_NONE;
		if (is_first(x, i))
			l = limit_at(x, i);
		if (l.limit &&
		    (!best->limit ||
		     (l.growing &&
		      (!best->growing ||
		       a->ranks[l.grew].growth > a->ranks[best->grew].growth))))
			*best = l;
	}
	if (!best->limit)
		*best = all;
	for (i = 0; best->limit && i < a->rank_count; i++)
		best->partly |= !has_such(a, i, best->first, best->limit);
}

enum wm_status wm_died_limit_find(struct wm_died_limit *l,
				  const struct wm_analysis *a,
				  const struct wm_job_need *n,
				  struct wm_err *err)
{
	struct nodes x = { a, n, NULL, NULL };
	enum wm_status s = make_nodes(&x, err);

	memset(l, 0, sizeof(*l));
	if (!s)
		find_limit(l, &x);
	free(x.first);
	free(x.next);
	return s;
}
