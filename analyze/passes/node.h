/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ranks of one node side by side: how much memory they hold at once.
 *
 * The changes of every rank go to a struct wm_node_feed (pass "node"), on the
 * clock of the node: CLOCK_MONOTONIC in nanoseconds if the trace has a boot id,
 * else CLOCK_REALTIME.  A struct wm_node_sum takes the changes from all feeds
 * in the order of (time, place of the rank) and keeps the highest sum.
 *
 * The order within a rank is that of replay.  If the stamp of a change is
 * earlier than the latest stamp before, the change counts at the latest stamp.
 * Stamps that are earlier by more than replay's skew are counted in .jumps, as
 * a clock must have jumped.  A sum is looked at only after gains, so the
 * release half of a realloc never shows.  A rank with an END has no bytes after
 * it.
 *
 * One thread at a time; a sum borrows its feeds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

struct wm_trace;

/* Changes of one rank that the sum has not taken yet. */
struct wm_node_feed {
	uint64_t *key; /* ns on the node's clock, ascending */
	uint64_t *delta; /* bytes, two's complement */
	size_t count, cap;
	uint64_t live; /* live bytes after the last change */
	/* the clock */
	uint64_t start_ticks, most_ticks;
	uint64_t start; /* ns */
	double tick_ns;
	uint64_t skew, last; /* ns */
	/* times that a stamp went back too far, and the most ns */
	uint64_t jumps, farthest;
};

/* Makes @f use CLOCK_REALTIME, as the node's ranks do not share
 * CLOCK_MONOTONIC.  The caller calls this before the first change. */
void wm_node_feed_real(struct wm_node_feed *f, const struct wm_trace *t);
/* Ends the rank of @f. */
enum wm_status wm_node_feed_end(struct wm_node_feed *f,
				const struct wm_trace *t, struct wm_err *err);

/* One rank in the sum. */
struct wm_node_member {
	struct wm_node_feed *feed; /* NULL: nothing */
	bool done; /* the feed gets no more changes */
	size_t pos, end; /* in the feed: taken, and to be taken now */
	uint64_t live, next; /* at pos, and at end */
	uint64_t part; /* the member's part of the highest sum */
};

struct wm_node_sum {
	struct wm_node_member *member;
	size_t count;
	uint64_t high, time; /* the highest sum, ns; 0: none yet */
	struct wm_node_work *work;
};

enum wm_status wm_node_sum_init(struct wm_node_sum *s, size_t members,
				struct wm_err *err);
void wm_node_sum_release(struct wm_node_sum *s);
/*
 * Takes changes as long as each member has some in its feed, except members
 * that are done.  Afterwards the caller fills the feeds that are empty.
 */
enum wm_status wm_node_sum_take(struct wm_node_sum *s, struct wm_err *err);
bool wm_node_member_is_empty(const struct wm_node_member *m);
