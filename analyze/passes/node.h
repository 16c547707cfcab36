/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The highest sum of live bytes over the ranks of one node.
 *
 * The changes of each rank go to a struct wm_node_feed (pass "node"), on the
 * clock of the node: CLOCK_MONOTONIC in nanoseconds if the trace has a boot id,
 * else CLOCK_REALTIME.  A struct wm_node_sum takes the changes from all feeds
 * in order of time, then of rank.
 *
 * Within a rank the order is that of replay.  A change whose stamp is earlier
 * than a stamp before it counts at the latest stamp.  If a stamp is earlier by
 * more than replay's skew, a clock must have jumped, and .jumps counts it.
 * Only gains can make a new highest sum, so the release half of a realloc never
 * shows.  After its END a rank has no bytes.  One thread at a time; a sum
 * borrows its feeds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

struct wm_trace;

struct wm_node_feed {
	uint64_t *key; /* ns on the node's clock, ascending */
	uint64_t *delta; /* bytes, two's complement */
	size_t count, cap;
	uint64_t live; /* after the last change */
	uint64_t start_ticks, most_ticks;
	uint64_t start; /* ns */
	double tick_ns;
	uint64_t skew, last; /* ns */
	/* stamps that went back too far, and by how many ns at most */
	uint64_t jumps, farthest;
};

/* Makes @f use CLOCK_REALTIME, for nodes whose ranks do not share
 * CLOCK_MONOTONIC.  Called before the first change. */
void wm_node_feed_real(struct wm_node_feed *f, const struct wm_trace *t);
enum wm_status wm_node_feed_end(struct wm_node_feed *f,
				const struct wm_trace *t, struct wm_err *err);

struct wm_node_member {
	struct wm_node_feed *feed; /* NULL: a member without changes */
	bool done; /* the feed gets no more changes */
	size_t pos, end; /* in the feed: taken, and end of this quantum */
	uint64_t live, next; /* live bytes at .pos, and at .end */
	uint64_t part; /* its live bytes at the highest sum */
};

struct wm_node_sum {
	struct wm_node_member *member;
	size_t count;
	uint64_t high, time; /* the highest sum and its time; 0: none yet */
	struct wm_node_work *work;
};

enum wm_status wm_node_sum_init(struct wm_node_sum *s, size_t members,
				struct wm_err *err);
void wm_node_sum_release(struct wm_node_sum *s);
/* Takes changes while each member that is not done has some in its feed.  The
 * caller then fills the empty feeds. */
enum wm_status wm_node_sum_take(struct wm_node_sum *s, struct wm_err *err);
bool wm_node_member_is_empty(const struct wm_node_member *m);
