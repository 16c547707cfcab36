/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of the trace: their contents, packed and appended to the file.
 *
 * The caller holds the writer lock.  Functions return 0 if the block is in the
 * file, else -1: the trace has stopped or has reached its cap, or the next
 * block will be tried, or there was no memory.  Only in the last case `tracing`
 * and `failed_in_a_row` are unchanged.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/callpath/pathdb.h"

/* The most bytes of a column DICT, also while it is made: WM_FRAME_TREE_BLOCK
 * frames fit in it. */
#define WM_BLOCK_DICT (320u << 10)

struct wm_blocks {
	uint64_t count;
	uint64_t events;
	uint64_t access_bytes;
	bool accesses_capped; /* WM_ACCESS_MAX_BYTES is reached */
	int failed_in_a_row; /* blocks that failed since the last success */
	bool capped; /* WM_MAX_BYTES is reached */
	bool short_of_memory; /* the trace stopped for lack of memory */
	bool identity_sent; /* a block has the present identity */
};
extern struct wm_blocks wm_blocks wm_hidden;

/* Reserves the memory for blocks of full buffers, before more threads can take
 * that memory for their buffers. */
void wm_blocks_reserve(void) wm_hidden;
int wm_block_start(int crash_buffer) wm_hidden;
/* Writes only new names and modules. */
int wm_block_empty(void) wm_hidden;
/* Records that release @event of @thread was refused. */
int wm_block_refused(uint32_t thread, uint64_t event) wm_hidden;
/* Writes as many blocks as the paths need.  Without @all, a few paths may be
 * left for the next block of events.  *@first becomes the first path left. */
int wm_block_paths(const struct wm_path **first, const struct wm_path *last,
		   bool all) wm_hidden;
/* Writes @n records of @slot from number @from on, and the new paths. */
int wm_block_events(const struct wm_slot *slot, size_t from,
		    size_t n) wm_hidden;
/* A block PAGES: coded epochs (docs/trace-format.md). */
struct wm_pages_block {
	uint64_t first; /* number of the first epoch */
	uint64_t epochs;
	uint64_t interval; /* ns of CPU time that the user asked for, or 0 */
	const char *end; /* why these are the last epochs; NULL: they are not */
	/* The cost of watching so far: ns of CPU time of the runtime's own
	 * thread, page faults, and an estimate of their ns. */
	uint64_t thread_ns, faults, faults_ns;
	/* columns; empty: the previous list is still valid */
	struct wm_buf numbers, accessed, written, covered, not_covered;
	/* likewise, only for pages from the program's hooks */
	struct wm_buf who, spots, samples;
};
int wm_block_pages(const struct wm_pages_block *b) wm_hidden;
struct wm_access_block {
	uint64_t thread, tid;
	uint64_t stream, base; /* base: accesses by earlier threads */
	uint64_t first; /* number of the first access in its thread */
	uint64_t count;
	uint64_t lost; /* accesses of the thread that are in no block */
	const uint8_t *p, *rest;
	size_t bytes, rest_bytes;
};
int wm_block_accesses(const struct wm_access_block *b) wm_hidden;
int wm_block_end(const char *reason) wm_hidden;

/* Stops the trace because of errno @err. */
void wm_blocks_stop(int err) wm_hidden;
/* Called when a block or the file could not be written.  Some errors may pass:
 * a thread has closed all descriptors, their number is limited, or seteuid()
 * was called.  After many errors in a row the trace stops. */
void wm_blocks_fail(int err) wm_hidden;
/* Called in a traced child, which has no blocks yet. */
void wm_blocks_forget(void) wm_hidden;
