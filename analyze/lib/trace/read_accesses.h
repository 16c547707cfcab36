/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores of a trace, thread by thread (blocks ACCESSES:
 * docs/trace-format.md, 6.11).
 *
 * When the file is walked (reader.c), only the places of the blocks are noted.
 * Memory holds one block and the spots of one thread.
 */
#pragma once

#include "analyze/lib/trace/read_access_lists.h"
#include "analyze/lib/trace/access_tokens.h"
#include "analyze/lib/trace/reader.h"

struct wm_accesses {
	const struct wm_trace *t;
	struct wm_source src;
	uint64_t thread;
	uint64_t tid;
	size_t block; /* the next one of the trace, which may be another's */
	uint64_t next; /* number of the first access of the next block */
	/* access number i of the thread is number base + i of the stream;
	 * counts in tokens.seen count accesses of streams */
	uint64_t stream, base;
	struct wm_access_tokens tokens;
	struct wm_access_lists lists;
	struct wm_stream columns; /* at the current block */
};

/* For reader.c: notes a block ACCESSES with head @h, which is number @part of
 * the Stream at @offset. */
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
/* Returns the bytes of memory that @a uses. */
size_t wm_accesses_memory(const struct wm_accesses *a);
/* Returns the accesses of all threads in no block, by the heads of blocks. */
uint64_t wm_accesses_lost(const struct wm_trace *t);
