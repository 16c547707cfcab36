/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The annotations of programs, as reports see them: phases, names of blocks and
 * regions, marks, snapshots, pauses (wmtrace(3)).
 *
 * The annotations are those of one rank, or of several ranks put together.
 * Owns all that it points to; a struct wm_annotations of zeros is empty.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/wire.h"

#define WM_NO_PHASE UINT32_MAX

/* Times are on the clock of the job, in seconds. */
struct wm_phase {
	char *name; /* NULL: outside of all phases */
	uint64_t entered; /* how often */
	uint64_t ranks; /* that entered it */
	double first, seconds; /* first entry, time in it */
	uint64_t peak_bytes; /* highest live bytes in it, of any rank */
	double peak_seconds;
	uint64_t end_bytes; /* live bytes when it ended last; sum over ranks */
	uint64_t allocations, releases;
	/* pass phases: live bytes of each call path at the highest moment of
	 * the phase; for several ranks the sum; NULL: not asked for */
	uint64_t *held;
	size_t held_count;
	uint64_t held_ranks; /* the number of ranks in .held */
};

struct wm_name {
	char *name;
	/* it names a variable that points at blocks (held_names.h) */
	bool variable;
	uint64_t blocks; /* that were given the name */
	uint64_t high; /* its own highest live bytes, of any rank */
	/* alive at the peak of the rank, and never freed */
	uint64_t peak_bytes, peak_blocks, end_bytes, end_blocks;
};

/* Blocks of one call path and one name. */
struct wm_tag {
	uint32_t path, name; /* name: index */
	uint64_t peak_bytes, peak_blocks, end_bytes, end_blocks;
};

/* A time in one phase. */
struct wm_stretch {
	double from, to;
	uint32_t phase; /* index */
};

struct wm_holding {
	uint32_t what; /* call path, or index of a name */
	uint64_t bytes, blocks;
};

struct wm_snapshot {
	char *name; /* NULL: none */
	double seconds;
	uint32_t phase; /* index, or WM_NO_PHASE */
	uint64_t bytes, blocks;
	bool listed; /* false: there were too many, so it has only sums */
	struct wm_holding *path, *named; /* with live blocks */
	size_t path_count, named_count;
};

/* wm_mark() */
struct wm_text_mark {
	char *text; /* NULL: none */
	double seconds;
	uint32_t phase; /* index, or WM_NO_PHASE */
	uint64_t bytes; /* live */
};

/* wm_region() */
struct wm_named_region {
	char *name;
	uint64_t address, bytes;
	uint64_t element; /* bytes of one; 0: unknown */
	double from, to;
	bool ended; /* false: @to is the end of the trace */
};

struct wm_annotations {
	struct wm_phase *phase; /* by first entry */
	size_t phase_count, phase_cap;
	struct wm_name *name; /* most bytes at the peak first */
	size_t name_count, name_cap;
	struct wm_tag *tag; /* by path, then most bytes at the peak first */
	size_t tag_count, tag_cap;
	/* of one rank only */
	struct wm_stretch *stretch;
	size_t stretch_count, stretch_cap;
	struct wm_snapshot *snapshot;
	size_t snapshot_count, snapshot_cap;
	struct wm_text_mark *text;
	size_t text_count, text_cap;
	struct wm_named_region *region; /* in order of time */
	size_t region_count, region_cap;
	uint64_t regions_left_out; /* beyond the limit */
};

void wm_annotations_wire(struct wm_wire *w, struct wm_annotations *n);
void wm_annotations_release(struct wm_annotations *n);

/*
 * Adds the phases, names and tags of @from to @to.  @path has the number in @to
 * of each call path in @from.  The caller calls wm_annotations_sort() after
 * the last call of wm_annotations_merge().
 */
enum wm_status wm_annotations_merge(struct wm_annotations *to,
				    const struct wm_annotations *from,
				    const uint32_t *path, struct wm_err *err);
enum wm_status wm_annotations_sort(struct wm_annotations *n,
				   struct wm_err *err);

/* Returns the first of *@count tags of a call path, or NULL if there are no
 * tags at all. */
const struct wm_tag *wm_annotations_tags(const struct wm_annotations *n,
					 uint32_t path, size_t *count);
