/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the loads and stores of one thread from their tokens
 * (docs/trace-format.md, 6.11), with the reader's own model of the writer's
 * predictions.
 *
 * Memory grows with the number of spots, of which there are at most 65,535, and
 * with the number of streams, at most 4,096.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

/* An instruction of the program that loads or stores. */
struct wm_spot {
	uint64_t pc; /* return address of the hook's call */
	uint8_t kind, how; /* WMA_READ ..., WMA_PLAIN ... */
};

struct wm_access {
	uint64_t addr, bytes;
	uint32_t spot; /* index in wm_access_tokens.spot[] */
};

/* The stream had made `count` accesses when the thread had its event number
 * `events` - 1: these accesses are before that event, and all others behind
 * it. */
struct wm_access_seen {
	uint64_t events, count;
	uint32_t stream;
};

struct wm_access_tokens {
	const uint8_t *p, *end; /* tokens that have not been read */
	uint64_t run; /* predicted accesses, before the present token */
	uint64_t events; /* of the thread, before the last given accesses */
	uint64_t gaps; /* places where accesses are missing */
	uint64_t resets; /* how often the numbers of spots began anew */
	uint64_t left; /* accesses that the block still must have */
	/* by the last wm_access_tokens_next(); before its accesses */
	struct wm_access_seen *seen;
	size_t seen_count, seen_cap;
	uint64_t *noted; /* by stream: its last recorded accesses */
	size_t noted_cap;

	struct wm_spot *spot; /* by number; 0 is none */
	size_t spot_cap;
	struct wm_spot_model *model; /* likewise */
	size_t model_cap;
	uint32_t spots; /* highest number */
	uint32_t cur; /* of the last access; 0: none */
	uint64_t pc; /* of the last new one */
	uint64_t bytes; /* of the next access, if `sized` */
	bool sized;
	/* the present token, while its run is being given */
	unsigned first;
	bool pending;
};

void wm_access_tokens_release(struct wm_access_tokens *d);
/* Returns the bytes of memory that @d uses. */
size_t wm_access_tokens_memory(const struct wm_access_tokens *d);
/* Adds the next block of the thread, with @accesses accesses: @size bytes at
 * @p, which must stay valid. */
void wm_access_tokens_add(struct wm_access_tokens *d, const uint8_t *p,
			  size_t size, uint64_t accesses);
/*
 * Reads at most @room accesses, which all follow after d->events events of the
 * thread, and stores their number in *@n, which may be 0.  The notes before
 * these accesses are in d->seen, some thousands at most.  Returns WM_END at the
 * end of the block.
 */
enum wm_status wm_access_tokens_next(struct wm_access_tokens *d,
				     struct wm_access *out, size_t room,
				     size_t *n, struct wm_err *err);
