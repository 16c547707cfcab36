/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the loads and stores of one thread from their tokens
 * (docs/trace-format.md, 6.11), with the reader's own model of the writer's
 * predictions.  Memory grows with the spots, at most 65,535, and the streams,
 * at most 4,096.  One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/trace/head.h"

/* An instruction of the program that loads or stores. */
struct wm_spot {
	uint64_t pc; /* return address of the hook's call */
	uint8_t kind, how; /* WMA_READ ..., WMA_PLAIN ... */
};

struct wm_access {
	uint64_t addr, bytes;
	uint32_t spot;
};

/* `count` accesses of the stream came before event number `events` - 1 of the
 * thread; all others came later. */
struct wm_access_seen {
	uint64_t events, count;
	uint32_t stream;
};

struct wm_access_tokens {
	struct wm_column in; /* tokens not read yet */
	uint64_t run; /* predicted accesses before the present token */
	uint64_t events; /* events of the thread before the last batch */
	uint64_t gaps;
	uint64_t resets; /* how often the numbers of spots began anew */
	uint64_t left;
	/* from the last wm_access_tokens_next(), before its accesses */
	struct wm_access_seen *seen;
	size_t seen_count, seen_cap;
	uint64_t *noted;
	size_t noted_cap;

	struct wm_spot *spot;
	size_t spot_cap;
	struct wm_spot_model *model;
	size_t model_cap;
	uint32_t spots; /* highest number; 0 is no spot */
	uint32_t cur; /* spot of the last access; 0: none */
	uint64_t pc;
	uint64_t bytes;
	bool sized;
	/* the present token, while its run is being given */
	unsigned first;
	bool pending;
};

void wm_access_tokens_release(struct wm_access_tokens *d);
size_t wm_access_tokens_memory(const struct wm_access_tokens *d);
/* Adds the thread's next block, with @accesses accesses in @size bytes at @p,
 * which must stay valid. */
void wm_access_tokens_add(struct wm_access_tokens *d, const uint8_t *p,
			  size_t size, uint64_t accesses);
/* Reads at most @room accesses, all of them after d->events events of the
 * thread, and stores their number in *@n, which may be 0.  The notes before
 * these accesses are in d->seen, some thousands at most.  Returns WM_END at the
 * end of the block. */
enum wm_status wm_access_tokens_next(struct wm_access_tokens *d,
				     struct wm_access *out, size_t room,
				     size_t *n, struct wm_err *err);

/* read_access_lists.c: unpacks tokens from their lists (docs/trace-format.md,
 * 6.12).  No byte outside the given bytes is read or written. */
struct wm_access_lists {
	uint8_t *tokens;
	size_t token_cap;
	uint8_t *lists;
	size_t list_cap;
};

void wm_access_lists_release(struct wm_access_lists *l);
/* Unpacks the @n bytes of a column at @p to *@size bytes of l->tokens. */
enum wm_status wm_access_lists_unpack(struct wm_access_lists *l,
				      const uint8_t *p, size_t n, size_t *size,
				      struct wm_err *err);
