/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cache lines that one thread writes while another thread uses them: false
 * sharing of different bytes, or true sharing of the same bytes.
 *
 * The counts show how often each spot of each thread accessed each byte since
 * the line's block was allocated.  The order of two threads between two events
 * is unknown, so the result is an upper bound.  A line moves to a thread for a
 * load after a store of another thread, or for a store after any access of
 * another thread.  The moves of each kind are at most the lesser of the two
 * counts; the larger of both numbers is taken.  Accesses that share bytes count
 * separately from the others.  If all accesses of the other threads were before
 * an event of this thread, and all accesses of this thread after the event, the
 * line was handed over: this is one move, and counting begins again.
 *
 * The bytes of a line that a spot accesses count together, except the bytes of
 * more than half of its accesses.
 *
 * Memory is 100 bytes for each line, and 40 for each spot and thread that
 * touches it, at most WM_SHARING_MOST_BYTES.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/access/sharing_judge.h"
#include "analyze/lib/base/error.h"
#include "analyze/lib/base/index.h"

/* Enough for 6 million lines that one spot touches.  A bound is needed because
 * a short file may have any number of lines. */
#define WM_SHARING_MOST_BYTES (UINT64_C(768) << 20)
/* Further rows count as cells 0 and 0. */
#define WM_SHARING_ROWS 16384

/* Lines with the same two cells: the cell of the part with most stores, and the
 * cell of the partner of this part with most accesses. */
struct wm_sharing_row {
	uint32_t cell[2]; /* lower number first */
	bool overlaps; /* true sharing */
	uint64_t lines;
	uint64_t moves; /* of all lines, upper bound */
	/* of the line with most moves */
	uint64_t most_moves;
	uint64_t address, accesses, threads;
	uint32_t parts, parts_left_out;
	struct wm_sharing_part part[WM_SHARING_PARTS];
};

struct wm_sharing_recent {
	uint64_t line;
	uint64_t stamp; /* valid only if equal to wm_sharing.stamp */
	uint32_t piece, cell;
};
#define WM_SHARING_RECENT 256

struct wm_sharing {
	uint32_t line_bytes;
	unsigned shift; /* from an address to its line */
	unsigned unit_shift; /* from a byte in a line to its bit in masks */
	struct wm_sharing_line *line;
	size_t lines, line_cap;
	struct wm_index index; /* of line[] */
	struct wm_sharing_piece *piece; /* [0] is none */
	size_t pieces, piece_cap;
	uint32_t spare; /* free pieces, linked by .next */
	struct wm_sharing_row *row;
	size_t rows, row_cap;
	struct wm_index row_index;
	uint64_t *thread;
	size_t threads, thread_cap;
	struct wm_index thread_index;
	/* of the next accesses */
	uint32_t current;
	uint64_t since, until;
	uint64_t stamp;
	struct wm_sharing_recent recent[WM_SHARING_RECENT];
	struct wm_sharing_line_use use; /* of the line that is judged */
	uint64_t most_bytes;
	uint64_t left_out; /* accesses beyond .most_bytes */
};

/* @line: bytes of a line, a power of two. */
enum wm_status wm_sharing_init(struct wm_sharing *s, uint32_t line,
			       struct wm_err *err);
void wm_sharing_release(struct wm_sharing *s);
/* The next accesses are by thread @number, after @since and before @until,
 * which are times that grow with events. */
enum wm_status wm_sharing_thread(struct wm_sharing *s, uint64_t number,
				 uint64_t since, uint64_t until,
				 struct wm_err *err);
enum wm_status wm_sharing_access(struct wm_sharing *s, uint64_t addr,
				 uint64_t bytes, unsigned kind, uint32_t cell,
				 struct wm_err *err);
/* Called when a block is allocated or freed, as its lines are new lines. */
enum wm_status wm_sharing_block(struct wm_sharing *s, uint64_t addr,
				uint64_t bytes, struct wm_err *err);
/* Counts and drops all lines. */
enum wm_status wm_sharing_finish(struct wm_sharing *s, struct wm_err *err);
