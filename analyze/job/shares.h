/* SPDX-License-Identifier: Apache-2.0 */
/* The share of each rank in each call path.  As most ranks of a job behave
 * alike, values are kept as runs of ranks with the same value.  Ranks are
 * numbered by the order in which they were read.  Memory is bounded to
 * WM_SHARES_MAX runs, beyond which ranks are left out (.cut).  Filled by one
 * thread; read-only once sorted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

#define WM_SHARES_MAX (1u << 22) /* of 24 bytes */

struct wm_share {
	uint64_t value;
	uint32_t path, first, count; /* ranks first, first + 1 ... */
};

struct wm_shares {
	struct wm_share *run;
	size_t count, cap;
	uint32_t *last; /* last run + 1 of each path, or 0 */
	size_t last_cap;
	bool cut;
};

/* Adds @value of @path in rank @index; ranks come in order. */
enum wm_status wm_shares_add(struct wm_shares *s, uint32_t path, size_t index,
			     uint64_t value, struct wm_err *err);
/* Called after the last rank.  @number: new numbers of paths, or NULL. */
void wm_shares_sort(struct wm_shares *s, const uint32_t *number);
void wm_shares_release(struct wm_shares *s);
/* Returns the first run of @path in sorted shares, or else the one after it. */
size_t wm_shares_find(const struct wm_shares *s, uint32_t path);

/* Sums over several paths, rank by rank. */
struct wm_share_sum {
	const uint64_t *rank; /* numbers of ranks, by index; borrowed */
	size_t ranks;
	uint64_t *value;
	uint8_t *has;
	size_t from, to; /* indices in use */
	bool cut;
};

struct wm_shared {
	uint64_t ranks;
	bool at_least; /* ranks may be missing, and `most` is unknown */
	uint64_t rank, most; /* the rank with most; of equal ranks the lowest */
};

enum wm_status wm_share_sum_init(struct wm_share_sum *t, const uint64_t *rank,
				 size_t ranks, struct wm_err *err);
void wm_share_sum_release(struct wm_share_sum *t);
void wm_share_sum_add(struct wm_share_sum *t, const struct wm_shares *s,
		      uint32_t path);
/* Returns the result and empties @t. */
struct wm_shared wm_share_sum_take(struct wm_share_sum *t);
