/* SPDX-License-Identifier: Apache-2.0 */
/* Time is divided into quanta.  A quantum ends where the first rank runs out of
 * changes, so all changes in it are known.  The sum in a quantum cannot exceed
 * the sum of the highest bytes of each rank in it.  In nearly all quanta this
 * bound is no new high, and the quantum is done.  Otherwise the quantum is
 * divided into slices, and only slices whose gains may lead to a new high are
 * merged change by change. */
#include "analyze/passes/node.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "wm/search.h"

#define MAX_SLICES 8192
#define IN_A_SLICE 4 /* changes, on average */
#define INSERTION 48 /* items; up to this number, insertion is faster */

/* A change in a slice that may have a new high. */
struct item {
	uint64_t key, delta;
	uint32_t member, order; /* order: in the slice */
	size_t at; /* in the feed */
};

struct wm_node_work {
	uint64_t start, shift; /* of slices: ns, and log2 of their length */
	size_t slices;
	uint64_t net[MAX_SLICES], gain[MAX_SLICES], before[MAX_SLICES];
	size_t first[MAX_SLICES + 1]; /* items of each slice */
	size_t fill[MAX_SLICES];
	uint8_t suspect[MAX_SLICES];
	struct item *item;
	size_t item_cap;
	/* member and position of the high, if it is in this quantum */
	size_t member, at;
};

/* The last change of the quantum is that of @member at @time. */
struct limit {
	uint64_t time;
	size_t member;
};

bool wm_node_member_is_empty(const struct wm_node_member *m)
{
	return !m->feed || m->pos == m->feed->count;
}

enum wm_status wm_node_sum_init(struct wm_node_sum *s, size_t members,
				struct wm_err *err)
{
	memset(s, 0, sizeof(*s));
	s->count = members;
	s->member = calloc(members + 1, sizeof(*s->member));
	s->work = calloc(1, sizeof(*s->work));
	if (s->member && s->work)
		return WM_OK;
	wm_node_sum_release(s);
	return wm_no_memory(err, NULL);
}

void wm_node_sum_release(struct wm_node_sum *s)
{
	if (s->work)
		free(s->work->item);
	free(s->work);
	free(s->member);
	memset(s, 0, sizeof(*s));
}

/* Finds the end of the quantum.  Returns false if a member must be fed first.
 * If the feeds of several members end at the same time, the quantum ends with
 * the first of these members: a later member may get more changes at that time,
 * which come after its present ones. */
static bool find_limit(const struct wm_node_sum *s, struct limit *l)
{
	*l = (struct limit){ UINT64_MAX, s->count };
	for (size_t i = 0; i < s->count; i++) {
		const struct wm_node_member *m = &s->member[i];

		if (m->done)
			continue;
		if (wm_node_member_is_empty(m))
			return false;
		if (m->feed->key[m->feed->count - 1] < l->time)
			*l = (struct limit){ m->feed->key[m->feed->count - 1],
					     i };
	}
	return true;
}

/* Finds the member's changes up to @l.  Returns its highest live bytes. */
static uint64_t look_ahead(struct wm_node_member *m, size_t number,
			   struct limit l)
{
	uint64_t live = m->live, high = live;
	size_t i = m->pos;

	if (number > l.member) {
		/* only changes before that time */
		if (l.time == 0)
			goto out;
		l.time--;
	}
	if (m->feed) {
		const uint64_t *key = m->feed->key, *delta = m->feed->delta;
		size_t n = m->feed->count;

		for (; i < n && key[i] <= l.time; i++) {
			live += delta[i];
			high = live > high ? live : high;
		}
	}
out:
	m->end = i;
	m->next = live;
	return high;
}

/* Divides the time of the quantum's changes into slices. */
static void set_slices(const struct wm_node_sum *s)
{
	struct wm_node_work *w = s->work;
	uint64_t last = 0;
	size_t i, n = 0, most;

	w->start = UINT64_MAX;
	for (i = 0; i < s->count; i++) {
		const struct wm_node_member *m = &s->member[i];

		if (m->pos == m->end)
			continue;
		wm_lower(&w->start, m->feed->key[m->pos]);
		wm_raise(&last, m->feed->key[m->end - 1]);
		n += m->end - m->pos;
	}
	most = n / IN_A_SLICE < MAX_SLICES ? n / IN_A_SLICE + 1 : MAX_SLICES;
	for (w->shift = 0; (last - w->start) >> w->shift >= most; w->shift++)
		;
	w->slices = (size_t)((last - w->start) >> w->shift) + 1;
	memset(w->net, 0, w->slices * sizeof(*w->net));
	memset(w->gain, 0, w->slices * sizeof(*w->gain));
	memset(w->fill, 0, w->slices * sizeof(*w->fill));
}

static inline size_t slice_of(const struct wm_node_work *w, uint64_t key)
{
	return (size_t)((key - w->start) >> w->shift);
}

static void add_up_slices(const struct wm_node_sum *s)
{
	struct wm_node_work *w = s->work;
	size_t i, k;

	for (i = 0; i < s->count; i++) {
		const struct wm_node_member *m = &s->member[i];

		for (k = m->pos; k < m->end; k++) {
			size_t b = slice_of(w, m->feed->key[k]);
			uint64_t d = m->feed->delta[k];

			w->net[b] += d;
			w->gain[b] += d >> 63 ? 0 : d;
			w->fill[b]++;
		}
	}
}

/* Finds slices that may have the quantum's high.  Returns their changes. */
static size_t find_suspects(const struct wm_node_sum *s)
{
	struct wm_node_work *w = s->work;
	uint64_t sum = 0, reached = 0;
	size_t i, b, n = 0;

	for (i = 0; i < s->count; i++)
		sum += s->member[i].live;
	for (b = 0; b < w->slices; b++) {
		w->before[b] = sum;
		sum += w->net[b];
		/* the sum has this value at the end of the slice */
		wm_raise(&reached, sum);
	}
	for (b = 0; b < w->slices; b++) {
		uint64_t most = w->before[b] + w->gain[b];

		w->suspect[b] = w->gain[b] && most > s->high && most >= reached;
		w->first[b] = n;
		if (w->suspect[b])
			n += w->fill[b];
		w->fill[b] = w->first[b];
	}
	w->first[w->slices] = n;
	return n;
}

static void collect_changes(const struct wm_node_sum *s)
{
	struct wm_node_work *w = s->work;

	for (size_t i = 0; i < s->count; i++) {
		const struct wm_node_member *m = &s->member[i];

		for (size_t k = m->pos; k < m->end; k++) {
			size_t b = slice_of(w, m->feed->key[k]), at;

			if (!w->suspect[b])
				continue;
			at = w->fill[b]++;
			w->item[at] = (struct item){ m->feed->key[k],
						     m->feed->delta[k],
						     (uint32_t)i, (uint32_t)at,
						     k };
		}
	}
}

static int by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->key, y->key), WM_ORDER(x->order, y->order));
}

/* The items are in order of members. */
static void sort_items(struct item *item, size_t n)
{
	size_t i, k;

	if (n > INSERTION) {
		WM_SORT(item, n, by_key);
		return;
	}
	for (i = 1; i < n; i++) {
		struct item x = item[i];

		for (k = i; k && item[k - 1].key > x.key; k--)
			item[k] = item[k - 1];
		item[k] = x;
	}
}

/* Returns whether the slice has a new high. */
static bool merge_slice(struct wm_node_sum *s, size_t b)
{
	struct wm_node_work *w = s->work;
	size_t i, end = w->first[b + 1];
	uint64_t sum = w->before[b];
	bool news = false;

	sort_items(&w->item[w->first[b]], end - w->first[b]);
	for (i = w->first[b]; i < end; i++) {
		const struct item *x = &w->item[i];

		sum += x->delta;
		if (x->delta >> 63 || sum <= s->high)
			continue;
		s->high = sum;
		s->time = x->key;
		w->member = x->member;
		w->at = x->at;
		news = true;
	}
	return news;
}

/* Stores each member's part of the new high. */
static void take_parts(struct wm_node_sum *s)
{
	const struct wm_node_work *w = s->work;
	size_t i, k;

	for (i = 0; i < s->count; i++) {
		struct wm_node_member *m = &s->member[i];
		uint64_t part = m->live;

		for (k = m->pos; k < m->end; k++) {
			uint64_t key = m->feed->key[k];

			if (i == w->member ? k > w->at :
					     key > s->time || (key == s->time &&
							       i > w->member))
				break;
			part += m->feed->delta[k];
		}
		m->part = part;
	}
}

static enum wm_status look_close(struct wm_node_sum *s, struct wm_err *err)
{
	struct wm_node_work *w = s->work;
	bool news = false;
	size_t n, b;

	set_slices(s);
	add_up_slices(s);
	n = find_suspects(s);
	if (!n)
		return WM_OK;
	if (n >= UINT32_MAX || !WM_ROOM(w->item, w->item_cap, n))
		return wm_no_memory(err, NULL);
	collect_changes(s);
	for (b = 0; b < w->slices; b++)
		if (w->suspect[b])
			news |= merge_slice(s, b);
	if (news)
		take_parts(s);
	return WM_OK;
}

static void go_on(struct wm_node_sum *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct wm_node_member *m = &s->member[i];

		m->live = m->next;
		m->pos = m->end;
		if (m->feed && m->pos == m->feed->count)
			m->pos = m->feed->count = 0;
	}
}

static bool all_is_taken(const struct wm_node_sum *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (!s->member[i].done ||
		    !wm_node_member_is_empty(&s->member[i]))
			return false;
	return true;
}

enum wm_status wm_node_sum_take(struct wm_node_sum *s, struct wm_err *err)
{
	enum wm_status r = WM_OK;
	struct limit l;
	uint64_t most;
	size_t i;

	while (!r && !all_is_taken(s) && find_limit(s, &l)) {
		for (i = 0, most = 0; i < s->count; i++)
			most += look_ahead(&s->member[i], i, l);
		if (most > s->high)
			r = look_close(s, err);
		go_on(s);
	}
	return r;
}
