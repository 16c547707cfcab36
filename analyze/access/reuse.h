/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reuse distances: the number of different lines that a thread touched since it
 * last touched the same line, including that line.  This is the size in lines
 * of the smallest fully associative cache with least recently used replacement
 * that still has the line (Mattson and others, 1970).  Threads are separate, as
 * the order within each is exact.
 *
 * The latest lines are in a short list.  Each other line has the time at which
 * it left the list, and each such time has a bit.  A Fenwick tree has sums of
 * the bits, so that counting the lines after a time takes logarithmic steps
 * (Bennett and Kruskal, 1975).  When times are used up, lines are numbered
 * again.  A line takes at most 48 bytes, without the histograms of the cells.
 * One thread at a time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/index.h"

/* Bin k is for distances above 2^(k-1), up to 2^k. */
#define WM_REUSE_BINS 27
#define WM_REUSE_LATEST 16
/* Upper bound of all tables of lines, also while a table grows, as a short file
 * may have any number of lines.  The table of one thread has at most 12,582,912
 * lines, so all distances have a bin. */
#define WM_REUSE_MOST_BYTES (UINT64_C(512) << 20)

/* An access counts once for each line. */
struct wm_reuse_counts {
	uint64_t first; /* lines new to the thread */
	uint64_t bin[WM_REUSE_BINS];
};

struct wm_reuse_thread {
	uint64_t number;
	uint64_t latest[WM_REUSE_LATEST]; /* lines, latest first */
	unsigned latest_count;
	/* lines with the times at which they left the list; open addressing */
	struct wm_reuse_line *slot;
	size_t slots, lines;
	uint64_t *bit; /* by time */
	uint32_t *sum; /* Fenwick tree over words of .bit, from 1 on */
	uint32_t now, times, words;
};

struct wm_reuse {
	unsigned shift; /* from an address to its line */
	uint64_t lines, bytes; /* of all threads; of the tables of lines */
	uint64_t most_bytes;
	uint64_t left_out; /* touches of lines beyond .most_bytes */
	struct wm_reuse_thread *thread;
	size_t threads, thread_cap, current;
	struct wm_index index; /* of thread[] */
	struct wm_reuse_counts *cell;
	size_t cells;
};

/* @line: bytes of a line, a power of two. */
void wm_reuse_init(struct wm_reuse *r, uint32_t line);
void wm_reuse_release(struct wm_reuse *r);
/* The next accesses are by thread @number, which then has no more. */
enum wm_status wm_reuse_thread(struct wm_reuse *r, uint64_t number,
			       struct wm_err *err);
void wm_reuse_thread_ends(struct wm_reuse *r);
/* Makes counts for cells below @cells. */
enum wm_status wm_reuse_room(struct wm_reuse *r, size_t cells,
			     struct wm_err *err);
/* @cell must have counts. */
enum wm_status wm_reuse_access(struct wm_reuse *r, uint64_t addr,
			       uint64_t bytes, uint32_t cell,
			       struct wm_err *err);
