/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of a trace, thread by thread (blocks ACCESSES:
 * docs/trace-format.md, 6.11).  reader.c notes only the places of the blocks.
 * Memory holds one block and the spots of one thread. */
#pragma once

#include "analyze/lib/trace/access_tokens.h"
#include "analyze/lib/trace/reader.h"

struct wm_accesses {
	const struct wm_trace *t;
	struct wm_source src;
	uint64_t thread;
	uint64_t tid;
	size_t block; /* next in the trace, perhaps of another thread */
	uint64_t next; /* first access of the next block */
	/* access i of the thread is access base + i of the stream */
	uint64_t stream, base;
	struct wm_access_tokens tokens;
	struct wm_access_lists lists;
	struct wm_stream columns;
};

/* For reader.c: notes a block ACCESSES, number @part of its Stream. */
enum wm_status wm_accesses_note(struct wm_trace *t, const struct wm_head *h,
				uint64_t offset, uint32_t part, uint64_t number,
				struct wm_err *err);
/* For reader.c, after the last block: sorts by thread, then in file order. */
void wm_accesses_sort(struct wm_trace *t);

void wm_accesses_open(struct wm_accesses *a, const struct wm_trace *t,
		      uint64_t thread);
/* Like wm_access_tokens_next(), through all blocks of the thread. */
enum wm_status wm_accesses_next(struct wm_accesses *a, struct wm_access *out,
				size_t room, size_t *n, struct wm_err *err);
void wm_accesses_release(struct wm_accesses *a);
size_t wm_accesses_memory(const struct wm_accesses *a);
/* Returns the number of accesses that no block has. */
uint64_t wm_accesses_lost(const struct wm_trace *t);
