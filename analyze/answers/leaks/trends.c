/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/leaks/trends.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/index.h"
#include "analyze/answers/heap/path_frames.h"
#include "wm/search.h"

/* A call path with two hashes of its functions and their lines.  If lines of
 * calls are unknown, .exact includes the addresses of the calls. */
struct member {
	uint64_t names, exact;
	uint32_t path;
	bool left; /* it left blocks; if not, realloc may have moved them */
};

struct trends {
	const struct wm_analysis *a;
	const struct wm_lifetime *lifetime;
	bool all; /* of all ranks */
	enum wm_left what;
	struct wm_path_frames frames;
	struct member *member;
	size_t members;
	struct wm_trend_marks *marks; /* by rank, of paths that are joined */
	size_t ranks;
};

static uint64_t mix(uint64_t hash, uint64_t x)
{
	return wm_hash_bytes(hash, &x, sizeof(x));
}

static enum wm_status add_member(struct trends *t, uint32_t path, bool left,
				 uint64_t maker, struct wm_err *err)
{
	enum wm_status s = wm_path_frames_fill(&t->frames, t->a, path, err);
	struct member *m = &t->member[t->members++];

	m->path = path;
	m->left = left;
	/* handles and memory are different, even if one call made both */
	m->names = maker;
	for (size_t i = 0; i < t->frames.count && !s; i++) {
		const struct wm_frame *f = &t->frames.frame[i];
		uint64_t line = f->symbol->file ? f->symbol->line : 0;

		m->names = mix(mix(m->names, f->symbol->function), line);
		m->exact = mix(mix(m->exact, m->names),
			       line ? 0 : t->a->paths.nodes[f->node].offset);
	}
	return s;
}

static int by_names(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->names, y->names),
		       WM_ORDER(x->exact, y->exact),
		       WM_ORDER(x->path, y->path));
}

static void join_ranks(struct trends *t, uint32_t path)
{
	const struct wm_shares *s = &t->a->sum.marks;

	for (size_t i = wm_shares_find(s, path);
	     i < s->count && s->run[i].path == path; i++) {
		const struct wm_share *run = &s->run[i];
		struct wm_trend_marks marks;

		memcpy(&marks, &run->value, sizeof(marks));
		if (marks.cut != (t->what == WM_LEFT_HELD))
			continue;
		for (size_t k = 0; k < run->count; k++)
			wm_trend_join(&t->marks[run->first + k], &marks);
	}
}

static enum wm_trend trend_of(struct trends *t, size_t from, size_t to)
{
	enum wm_trend most = WM_TREND_ONCE, of;

	for (size_t i = from; i < to; i++) {
		of = t->lifetime[t->member[i].path].trend;
		most = of > most ? of : most;
	}
	if (to - from == 1 || most == WM_TREND_GROWS)
		return most;
	memset(t->marks, 0, t->ranks * sizeof(*t->marks));
	for (size_t i = from; i < to; i++)
		if (t->all)
			join_ranks(t, t->member[i].path);
		else
			wm_trend_join(t->marks,
				      &t->lifetime[t->member[i].path].marks);
	for (size_t i = 0; i < t->ranks; i++) {
		of = wm_trend_judge(&t->marks[i]);
		most = of > most ? of : most;
	}
	return most;
}

static void set_trend(const struct trends *t, uint8_t *trend, size_t member,
		      enum wm_trend of)
{
	const struct member *m = &t->member[member];

	if (m->left && trend[m->path] < of)
		trend[m->path] = (uint8_t)of;
}

/* Finds the trends of members [@from, @to), which have the same names and the
 * same lines as far as these are known.  Members without lines may be one call,
 * which matters if none of them grows by itself. */
static void judge_names(struct trends *t, size_t from, size_t to,
			uint8_t *trend)
{
	enum wm_trend together = trend_of(t, from, to), of, most = together;
	bool same = t->member[from].exact == t->member[to - 1].exact;
	size_t i, k, end;

	for (i = from; i < to && !same; i = end) {
		for (end = i;
		     end < to && t->member[end].exact == t->member[i].exact;
		     end++)
			;
		of = trend_of(t, i, end);
		most = i == from || of > most ? of : most;
		for (k = i; k < end; k++)
			set_trend(t, trend, k, of);
	}
	for (i = from; i < to; i++)
		if (same)
			set_trend(t, trend, i, together);
		else if (together == WM_TREND_GROWS && most < together)
			set_trend(t, trend, i, WM_TREND_CALLS);
}

static void judge_all(struct trends *t, uint8_t *trend)
{
	size_t from, to;

	WM_SORT(t->member, t->members, by_names);
	for (from = 0; from < t->members; from = to) {
		for (to = from; to < t->members &&
				t->member[to].names == t->member[from].names;
		     to++)
			;
		judge_names(t, from, to, trend);
	}
}

enum wm_status wm_trends_find(uint8_t *trend, const struct wm_analysis *a,
			      const struct wm_use *use,
			      const struct wm_lifetime *lifetime,
			      size_t lifetimes, enum wm_left what,
			      struct wm_err *err)
{
	struct trends t = {
		.a = a,
		.lifetime = lifetime,
		.all = a->chosen == WM_ALL_RANKS || lifetime == a->sum.lifetime,
		.what = what,
	};
	enum wm_status s = WM_OK;

	if (!lifetime)
		return WM_OK;
	t.ranks = t.all ? a->sum.ranks : 1;
	t.member = calloc(lifetimes + 1, sizeof(*t.member));
	t.marks = calloc(t.ranks + 1, sizeof(*t.marks));
	if (!t.member || !t.marks)
		s = wm_no_memory(err, "call paths");
	for (uint32_t i = 0; i < lifetimes && !s; i++) {
		bool left = use[i].end_blocks || use[i].left_blocks;

		if (left || lifetime[i].marks.moved)
			s = add_member(&t, i, left, use[i].maker, err);
	}
	if (!s)
		judge_all(&t, trend);
	wm_path_frames_release(&t.frames);
	free(t.member);
	free(t.marks);
	return s;
}
