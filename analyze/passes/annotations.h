/* SPDX-License-Identifier: Apache-2.0 */
/* The annotations of a program (wmtrace(3)) from one rank, or from several
 * ranks put together.  A struct wm_annotations owns all that it points to; a
 * struct of zeros is empty. */
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
	uint64_t entered;
	uint64_t ranks; /* ranks that entered it */
	double first, seconds;
	uint64_t peak_bytes; /* highest live bytes in it in any rank */
	double peak_seconds;
	uint64_t end_bytes; /* live bytes at its last end; sum over ranks */
	uint64_t allocations, releases;
	/* pass phases: live bytes of each call path at the highest moment of
	 * the phase, summed over ranks; NULL: not asked for */
	uint64_t *held;
	size_t held_count;
	uint64_t held_ranks; /* number of ranks in the sums of .held */
};

struct wm_name {
	char *name;
	/* the name of a variable that points at blocks (held_names.c) */
	bool variable;
	uint64_t blocks; /* blocks that were given the name */
	uint64_t high; /* highest live bytes with the name in any rank */
	/* at the peak of the rank, and never freed */
	uint64_t peak_bytes, peak_blocks, end_bytes, end_blocks;
};

struct wm_tag {
	uint32_t path, name; /* name: index */
	uint64_t peak_bytes, peak_blocks, end_bytes, end_blocks;
};

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
	bool listed; /* false: only sums, as there were too many snapshots */
	struct wm_holding *path, *named; /* with live blocks */
	size_t path_count, named_count;
};

struct wm_text_mark {
	char *text; /* NULL: none */
	double seconds;
	uint32_t phase; /* index, or WM_NO_PHASE */
	uint64_t bytes; /* live */
};

struct wm_named_region {
	char *name;
	uint64_t address, bytes;
	uint64_t element; /* bytes of an element; 0: unknown */
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
	/* only in annotations of one rank */
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

/* Adds the phases, names and tags of @from.  @path maps the numbers of call
 * paths in @from to those in @to.  wm_annotations_sort() must follow the last
 * merge. */
enum wm_status wm_annotations_merge(struct wm_annotations *to,
				    const struct wm_annotations *from,
				    const uint32_t *path, struct wm_err *err);
enum wm_status wm_annotations_sort(struct wm_annotations *n,
				   struct wm_err *err);

/* Returns the first of the *@count tags of @path, or NULL if @n has no tags. */
const struct wm_tag *wm_annotations_tags(const struct wm_annotations *n,
					 uint32_t path, size_t *count);
