/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The highest sum over the ranks of a node against one list of all changes:
 * random ranks, whose changes come in batches of any size.
 */
#include "analyze/passes/node.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/tap.h"

#define MEMBERS 9
#define CHANGES 3000 /* of a member, at most */
#define ROUNDS 3000

struct change {
	uint64_t key, delta;
	size_t member;
};

static struct change all[MEMBERS * CHANGES];
static struct change own[MEMBERS][CHANGES];
static size_t own_count[MEMBERS], given[MEMBERS], members, total;
/* Gains and losses of one rank; @step: 0 makes many of the same time. */
static void make_member(size_t i, size_t n, uint64_t step, uint64_t start,
			unsigned grow)
{
	uint64_t now = start, live = 0, k;

	own_count[i] = n;
	for (k = 0; k < n; k++) {
		uint64_t size = 1 + rnd() % (rnd() % 50 ? 100 : 100000);
		int gain = rnd() % 100 < grow || live == 0;

		if (!gain && size > live)
			size = live;
		live += gain ? size : -size;
		now += rnd() % (step + 1) * (rnd() % 500 ? 1 : 5000);
		own[i][k] = (struct change){ now, gain ? size : -size, i };
	}
}

/* All changes by time; of equal times the first member's. */
static void make_list(void)
{
	size_t at[MEMBERS] = { 0 }, i, best;

	for (total = 0;; total++) {
		best = members;
		for (i = 0; i < members; i++)
			if (at[i] < own_count[i] &&
			    (best == members ||
			     own[i][at[i]].key < own[best][at[best]].key))
				best = i;
		if (best == members)
			return;
		all[total] = own[best][at[best]++];
	}
}

static uint64_t plain(uint64_t *time, uint64_t *part)
{
	uint64_t live[MEMBERS] = { 0 }, sum = 0, high = 0;
	size_t i;

	*time = 0;
	memset(part, 0, MEMBERS * sizeof(*part));
	for (i = 0; i < total; i++) {
		live[all[i].member] += all[i].delta;
		sum += all[i].delta;
		if (all[i].delta >> 63 || sum <= high)
			continue;
		high = sum;
		*time = all[i].key;
		memcpy(part, live, sizeof(live));
	}
	return high;
}

/* Some changes more for who has none. */
static void feed(struct wm_node_sum *s, size_t i, struct wm_node_feed *f)
{
	size_t n = 1 + rnd() % (rnd() % 3 ? 30 : 2000);

	while (n-- && given[i] < own_count[i]) {
		f->key[f->count] = own[i][given[i]].key;
		f->delta[f->count++] = own[i][given[i]++].delta;
	}
	s->member[i].done = given[i] == own_count[i];
}

static int differs(void)
{
	static uint64_t key[MEMBERS][CHANGES], delta[MEMBERS][CHANGES];
	struct wm_node_feed f[MEMBERS];
	struct wm_node_sum s;
	uint64_t part[MEMBERS], time, high = plain(&time, part);
	size_t i, left = members;
	int bad = 0;

	memset(given, 0, sizeof(given));
	memset(f, 0, sizeof(f));
	if (wm_node_sum_init(&s, members, NULL))
		return 1;
	for (i = 0; i < members; i++) {
		f[i].key = key[i];
		f[i].delta = delta[i];
		s.member[i].feed = &f[i];
	}
	while (left) {
		for (i = 0, left = 0; i < members; i++) {
			if (!s.member[i].done &&
			    wm_node_member_is_empty(&s.member[i]))
				feed(&s, i, &f[i]);
			left += !s.member[i].done;
		}
		if (wm_node_sum_take(&s, NULL))
			return 1;
	}
	bad = s.high != high || s.time != time;
	for (i = 0; i < members; i++)
		bad |= s.member[i].part != part[i] || f[i].count ||
		       given[i] != own_count[i];
	wm_node_sum_release(&s);
	return bad;
}

static int round_of(unsigned number)
{
	size_t i, most = number % 10 ? 60 : CHANGES;
	unsigned grow = number % 3 ? 45 + (unsigned)(rnd() % 15) : 90;
	uint64_t step = number % 7 ? rnd() % 1000 : rnd() % 3;

	members = 1 + rnd() % MEMBERS;
	for (i = 0; i < members; i++)
		make_member(i, rnd() % most, step,
			    rnd() % 5 ? 1000 : 1000 + rnd() % 100000, grow);
	make_list();
	return differs();
}

int main(void)
{
	unsigned i, bad = 0, first = 0;

	tap_plan(1);
	for (i = 1; i <= ROUNDS; i++) {
		seed = i * 88172645463325252u;
		if (round_of(i) && !bad++)
			first = i;
	}
	ok(!bad, "sum, time and parts of %d random nodes; %u differ, first %u",
	   ROUNDS, bad, first);
	return tap_done();
}
