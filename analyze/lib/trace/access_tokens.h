/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loads and stores of one thread out of their tokens (docs/trace-format.md,
 * 6.11): the reader's own model of what the writer predicts.
 *
 * Memory grows with spots, of which there are 65,535 at most, and with streams up
 * to 4,096.  One thread at a time.
 */
#ifndef WM_ANALYZE_ACCESS_TOKENS_H
#define WM_ANALYZE_ACCESS_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

/* Where the program loads or stores. */
struct wm_spot {
	uint64_t pc; /* where the hook's call returns to */
	uint8_t kind, how; /* WMA_READ ..., WMA_PLAIN ... */
};

struct wm_access {
	uint64_t addr, bytes;
	uint32_t spot; /* its place: wm_access_tokens.spot[] */
};

/* When the thread had its event number `events` - 1, the stream had made so many
 * accesses: they come before that event, and all others behind it. */
struct wm_access_seen {
	uint64_t events, count;
	uint32_t stream;
};

struct wm_access_tokens {
	const uint8_t *p, *end; /* tokens that have come and not been read */
	uint64_t run; /* accesses as predicted, before the present token */
	uint64_t events; /* of the thread, before the accesses given last */
	uint64_t gaps; /* how often accesses are missing */
	uint64_t resets; /* how often the numbers of spots began anew */
	uint64_t left; /* accesses that the block still has to have */
	/* by the last wm_access_tokens_next(); before its accesses */
	struct wm_access_seen *seen;
	size_t seen_count, seen_cap;
	uint64_t *noted; /* by stream: its accesses as told last */
	size_t noted_cap;

	struct wm_spot *spot; /* by number; 0 is none */
	size_t spot_cap;
	struct wm_spot_model *model; /* likewise */
	size_t model_cap;
	uint32_t spots; /* highest number */
	uint32_t cur; /* of the last access; 0: none */
	uint64_t pc; /* of the last new one */
	uint64_t bytes; /* of the access that comes, if `sized` */
	bool sized;
	/* the present token, when its run is still being given */
	unsigned first;
	bool pending;
};

void wm_access_tokens_release(struct wm_access_tokens *d);
/* Bytes of memory that @d has. */
size_t wm_access_tokens_memory(const struct wm_access_tokens *d);
/* The next block of the thread: @size bytes at @p, which stay, of which
 * @accesses are made. */
void wm_access_tokens_add(struct wm_access_tokens *d, const uint8_t *p,
			  size_t size, uint64_t accesses);
/*
 * At most @room accesses, all of which come behind d->events events of the
 * thread; *@n of them, maybe 0.  d->seen: what else is told before them, some
 * thousands at most.  WM_END: the block is at its end.
 */
enum wm_status wm_access_tokens_next(struct wm_access_tokens *d,
				     struct wm_access *out, size_t room,
				     size_t *n, struct wm_err *err);

#endif
