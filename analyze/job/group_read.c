/* SPDX-License-Identifier: Apache-2.0 */
/* Replays the ranks of a group side by side (group.h). */
#include "analyze/job/group.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/passes/node.h"
#include "analyze/passes/reading.h"
#include "analyze/lib/trace/reader.h"
#include "analyze/passes/wish.h"
#include "wm/search.h"

/* Changes of one rank that are read at a time, 16 bytes each. */
#define ENOUGH 4096

struct member {
	const struct wm_run_file *file;
	struct wm_outcome *out;
	struct wm_reading *rd; /* NULL: not open */
	uint64_t limit; /* only blocks before it count; 0: unreadable */
};

struct side_by_side {
	struct member *members;
	size_t count;
	const struct wm_wish *wish;
	bool real;
	uint64_t *progress;
	struct wm_node_sum sum;
	bool again;
};

/* Returns WM_CHANGED unless the scanned trace began at @start. */
static enum wm_status check_start(const struct wm_run_file *f,
				  const struct wm_clocks *start,
				  struct wm_err *err)
{
	if (memcmp(start, &f->start, sizeof(*start)) == 0)
		return WM_OK;
	return wm_err_set(err, WM_CHANGED,
			  "%s: %s since the analysis began: run it again",
			  f->name,
			  f->start.real_ns ?
				  "another trace has taken its place" :
				  "its first block has come");
}

/* Stops @s, which cannot be read further; its changes so far must not count. */
static void stop_member(struct side_by_side *t, struct member *s,
			struct wm_node_member *m)
{
	t->again = true;
	if (s->out->status != WM_NO_MEMORY &&
	    wm_reading_retry(s->rd, &s->limit)) {
		const struct wm_err why = s->out->why;

		s->out->status = wm_rank_keep_err(&s->out->rank.damage, &why,
						  &s->out->why);
	}
	if (s->out->status)
		s->limit = 0;
	wm_reading_close(s->rd);
	s->rd = NULL;
	m->feed = NULL;
	m->done = true;
}

/* Reads until @m has ENOUGH changes in its feed or its rank ends.  Long turns
 * keep the data of a rank in the cache. */
static void feed_member(struct side_by_side *t, struct member *s,
			struct wm_node_member *m)
{
	enum wm_status r = WM_OK;

	while (!r && !m->done && m->feed->count < ENOUGH) {
		r = wm_reading_next(s->rd, &s->out->why);
		if (r == WM_END) {
			m->done = true;
			r = wm_node_feed_end(m->feed, wm_reading_trace(s->rd),
					     &s->out->why);
		}
	}
	s->out->status = r;
	if (r)
		stop_member(t, s, m);
}

static void open_member(struct side_by_side *t, struct member *s,
			struct wm_node_member *m)
{
	struct wm_wish wish = *t->wish;

	wish.begin = s->file->begin;
	s->out->status = wm_reading_open(&s->rd, &s->out->rank, s->file->path,
					 &wish, t->progress, s->limit,
					 &s->out->why);
	if (!s->out->status &&
	    (s->out->status = check_start(s->file,
					  &wm_reading_trace(s->rd)->start,
					  &s->out->why))) {
		wm_reading_close(s->rd);
		s->rd = NULL;
	}
	if (s->out->status) {
		s->limit = 0;
		m->done = true;
		return;
	}
	m->feed = wm_reading_pass(s->rd, WM_PASS_node);
	if (t->real)
		wm_node_feed_real(m->feed, wm_reading_trace(s->rd));
}

static enum wm_status read_members(struct side_by_side *t, struct wm_err *err)
{
	enum wm_status r = wm_node_sum_init(&t->sum, t->count, err);
	size_t i, left = 0;

	if (r)
		return r;
	t->again = false;
	for (i = 0; i < t->count; i++) {
		struct wm_node_member *m = &t->sum.member[i];

		m->done = true;
		if (t->members[i].limit) {
			m->done = false;
			open_member(t, &t->members[i], m);
		}
		left += !m->done;
	}
	while (!r && left) {
		for (i = 0, left = 0; i < t->count; i++) {
			struct wm_node_member *m = &t->sum.member[i];

			if (!m->done && wm_node_member_is_empty(m))
				feed_member(t, &t->members[i], m);
			left += !m->done;
		}
		r = wm_node_sum_take(&t->sum, err);
	}
	return r;
}

static void close_members(struct side_by_side *t)
{
	for (size_t i = 0; i < t->count; i++) {
		wm_reading_close(t->members[i].rd);
		t->members[i].rd = NULL;
	}
	wm_node_sum_release(&t->sum);
}

static enum wm_status finish_members(struct side_by_side *t,
				     struct wm_node_peak *node,
				     struct wm_err *err)
{
	for (size_t i = 0; i < t->count; i++) {
		struct member *s = &t->members[i];
		struct wm_rank *rank = &s->out->rank;
		const struct wm_trace *tr;

		if (!s->rd)
			continue;
		tr = wm_reading_trace(s->rd);
		node->own_clock = tr->boot_id && tr->boot_id[0] && !t->real;
		s->out->status = wm_reading_finish(s->rd, s->file->rank,
						   &s->out->why);
		if (s->out->status)
			return wm_err_set(err, s->out->status, "%.400s",
					  s->out->why.text);
		if (!node->host && rank->host)
			node->host = strdup(rank->host);
		node->part[node->parts++] = (struct wm_node_part){
			rank->rank, t->sum.member[i].part
		};
	}
	return WM_OK;
}

/* Joins parts of a node that were read one after the other. */
static void join_readings(struct wm_node_peak *node, size_t first,
			  const struct side_by_side *t, bool alone)
{
	node->exact = alone;
	node->high += t->sum.high;
	if (!alone)
		for (size_t i = first; i < node->parts; i++)
			node->part[i].bytes = 0;
	if (t->sum.high <= node->low)
		return;
	node->low = t->sum.high;
	node->time = t->sum.time;
}

static enum wm_status read_until_whole(struct side_by_side *t,
				       struct wm_node_peak *node, bool alone,
				       struct wm_err *err)
{
	size_t first = node->parts;
	enum wm_status r;

	do {
		/* a damaged file is read again, up to the damage */
		close_members(t);
		r = read_members(t, err);
	} while (!r && t->again);
	if (!r)
		r = finish_members(t, node, err);
	if (!r)
		join_readings(node, first, t, alone);
	close_members(t);
	return r;
}

static enum wm_status read_some(const struct wm_file_group *g, size_t first,
				size_t count, const struct wm_run *run,
				const struct wm_wish *wish, uint64_t *progress,
				struct wm_outcome *out,
				struct wm_node_peak *node, struct wm_err *err)
{
	struct side_by_side t = { .count = count,
				  .wish = wish,
				  .real = g->real,
				  .progress = progress };
	enum wm_status r = WM_OK;

	t.members = calloc(count, sizeof(*t.members));
	if (!t.members)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < count && !r; i++) {
		struct member *s = &t.members[i];

		s->file = &run->files[g->file[first + i]];
		s->out = &out[first + i];
		s->limit = WM_ALL_BLOCKS;
		r = wm_rank_init(&s->out->rank, s->file->name, err);
	}
	if (!r)
		r = read_until_whole(&t, node, count == g->count, err);
	free(t.members);
	return r;
}

/* Releases ranks that cannot be read, as wm_rank_read() does. */
static enum wm_status settle_outcomes(const struct wm_file_group *g,
				      struct wm_outcome *out, enum wm_status r,
				      struct wm_err *err)
{
	for (size_t i = 0; i < g->count; i++) {
		if (out[i].status == WM_NO_MEMORY && !r)
			r = wm_err_set(err, WM_NO_MEMORY, "%.400s",
				       out[i].why.text);
	}
	for (size_t i = 0; i < g->count; i++)
		if (r || out[i].status)
			wm_rank_release(&out[i].rank);
	return r;
}

static void read_one(const struct wm_run_file *f, const struct wm_wish *all,
		     uint64_t *progress, struct wm_outcome *out)
{
	struct wm_wish wish = *all;

	wish.begin = f->begin;
	out->status = wm_rank_read(&out->rank, f->path, f->name, f->rank, &wish,
				   progress, &out->why);
	if (out->status)
		return;
	out->status = check_start(f, &out->rank.start, &out->why);
	if (out->status)
		wm_rank_release(&out->rank);
}

static int by_rank(const void *a, const void *b)
{
	const struct wm_node_part *x = a, *y = b;

	return WM_ORDER(x->rank, y->rank);
}

enum wm_status wm_group_read(const struct wm_file_group *g,
			     const struct wm_file_groups *all,
			     const struct wm_run *run,
			     const struct wm_wish *wish, uint64_t *progress,
			     struct wm_outcome *out, struct wm_node_peak *node,
			     struct wm_err *err)
{
	const struct wm_run_file *f = &run->files[g->file[0]];
	enum wm_status r = WM_OK;
	size_t i, n;

	memset(node, 0, sizeof(*node));
	memset(out, 0, g->count * sizeof(*out));
	if (!g->node) {
		read_one(f, wish, progress, out);
		return WM_OK;
	}
	node->part = calloc(g->count, sizeof(*node->part));
	if (!node->part)
		return wm_no_memory(err, NULL);
	for (i = 0; i < g->count && !r; i += n) {
		n = g->count - i < all->together ? g->count - i : all->together;
		r = read_some(g, i, n, run, wish, progress, out, node, err);
	}
	r = settle_outcomes(g, out, r, err);
	node->lost = g->count - node->parts;
	if (r)
		wm_node_peak_release(node);
	else
		WM_SORT(node->part, node->parts, by_rank);
	return r;
}

void wm_node_peak_release(struct wm_node_peak *n)
{
	free(n->host);
	free(n->part);
	memset(n, 0, sizeof(*n));
}
