/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cache lines that one thread writes while another one uses them: false sharing
 * where their bytes are different ones, true sharing where they are the same.
 *
 * For each line it is known which spot of which thread has accessed which of
 * its bytes how often, since the line's block came.  In which order two threads
 * took turns between two events is not known.  So the answer is a bound: the
 * line moves to a thread at most as often as this one loads, or as others
 * store, and as often as this one stores, or as others access; whichever is
 * less, and what shares no bytes (or no other ones) apart.  Where all accesses
 * of the others came before an event of this thread, and those of this thread
 * after it, the line was handed over: that is one move, and counting begins
 * anew.
 *
 * A spot's bytes of a line count together, except those that it accesses most
 * often, if that is more than half of the time.
 *
 * Memory: 100 bytes a line and 40 for each spot and thread that touches it;
 * together no more than MOST_BYTES.  One thread at a time.
 */
#ifndef WM_ANALYZE_SHARING_H
#define WM_ANALYZE_SHARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/access/sharing_judge.h"
#include "analyze/lib/base/error.h"
#include "analyze/lib/base/index.h"

/* Memory of lines, pieces and the index: a short file may name any number of
 * lines. There is room for 6 million lines that one spot touches. */
#define WM_SHARING_MOST_BYTES (UINT64_C(768) << 20)
/* More of them count for cells 0 and 0. */
#define WM_SHARING_ROWS 16384

/* Lines on which the same cells are those of the part with most stores, and of
 * its partner with most accesses. */
struct wm_sharing_row {
	uint32_t cell[2]; /* the lower number first; maybe the same */
	bool overlaps; /* true sharing */
	uint64_t lines;
	uint64_t moves; /* at most, of all */
	/* of the line that moved most */
	uint64_t most_moves;
	uint64_t address, accesses, threads;
	uint32_t parts, parts_left_out;
	struct wm_sharing_part part[WM_SHARING_PARTS];
};

struct wm_sharing_recent {
	uint64_t line;
	uint64_t stamp; /* it holds for this one alone */
	uint32_t piece, cell;
};
#define WM_SHARING_RECENT 256

struct wm_sharing {
	uint32_t line_bytes;
	unsigned shift; /* of an address to its line */
	unsigned unit_shift; /* of a byte in a line to its bit in masks */
	struct wm_sharing_line *line;
	size_t lines, line_cap;
	struct wm_index index; /* of line[] */
	struct wm_sharing_piece *piece; /* [0] is none */
	size_t pieces, piece_cap;
	uint32_t spare; /* pieces to be used again, by .next */
	struct wm_sharing_row *row;
	size_t rows, row_cap;
	struct wm_index row_index;
	uint64_t *thread; /* numbers */
	size_t threads, thread_cap;
	struct wm_index thread_index;
	/* of the accesses that come */
	uint32_t current;
	uint64_t since, until;
	uint64_t stamp;
	struct wm_sharing_recent recent[WM_SHARING_RECENT];
	struct wm_sharing_line_use use; /* of the line that is judged */
	uint64_t most_bytes;
	uint64_t left_out; /* accesses that found no room */
};

/* @line: bytes of a line, a power of two. */
enum wm_status wm_sharing_init(struct wm_sharing *s, uint32_t line,
			       struct wm_err *err);
void wm_sharing_release(struct wm_sharing *s);
/*
 * The accesses that come are of thread @number, after moment @since, and before
 * @until: moments are numbers that grow with events.
 */
enum wm_status wm_sharing_thread(struct wm_sharing *s, uint64_t number,
				 uint64_t since, uint64_t until,
				 struct wm_err *err);
enum wm_status wm_sharing_access(struct wm_sharing *s, uint64_t addr,
				 uint64_t bytes, unsigned kind, uint32_t cell,
				 struct wm_err *err);
/* The block goes, or comes: its lines are others from now on. */
enum wm_status wm_sharing_block(struct wm_sharing *s, uint64_t addr,
				uint64_t bytes, struct wm_err *err);
/* All lines go. */
enum wm_status wm_sharing_finish(struct wm_sharing *s, struct wm_err *err);

#endif
