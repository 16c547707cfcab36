/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between the root of wm-analyze-mpi and its helpers.  A helper has
 * slots.  The root puts a unit, which is one group of files, into a free slot,
 * and the helper answers with a result.  A long result stays in the helper
 * until the root asks for it, so that the root's memory has a bound.  A slot is
 * free again when its result has arrived. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/job/group.h"
#include "analyze/job/retained.h"
#include "analyze/job/crew.h"
#include "analyze/lib/base/wire.h"
#include "analyze/passes/wish.h"

enum wm_spread_tag {
	WM_TAG_UNIT = 1, /* root to helper: read this */
	WM_TAG_ASK, /* send the result in this slot */
	WM_TAG_QUIT, /* the exit status */
	WM_TAG_RESULT, /* helper to root */
	WM_TAG_BODY, /* plus slot: of a long result */
};

/* A result of at least so many bytes has a message of its own. */
#define WM_SPREAD_LONG 16384

#define WM_SPREAD_BUILD 128

struct wm_work_unit {
	/* the root's; first, so that each version finds it */
	char build[WM_SPREAD_BUILD];
	uint64_t load;
	uint32_t slot, threads;
	struct wm_wish wish;
	/* the ranks whose call paths the root retains (retained.h) */
	unsigned wanted;
	enum wm_rank_choice choice;
	uint64_t number;
	struct wm_file_group group;
	size_t together; /* as in struct wm_file_groups */
	struct wm_run_file *file; /* path, name, rank, size */
};

struct wm_result {
	uint32_t slot;
	uint64_t size; /* of the body; 0: no memory for it */
};

/* Writes the build of this process to @build, padded with zeros.  Data are sent
 * as structs, which may differ between two builds. */
void wm_spread_build(char build[WM_SPREAD_BUILD]);
/* A unit that was taken owns the files. */
void wm_unit_wire(struct wm_wire *w, struct wm_work_unit *u);
void wm_unit_release(struct wm_work_unit *u);
/* Walks the result for @group.  To be taken, it needs room in m->out. */
void wm_group_outcome_wire(struct wm_wire *w, struct wm_group_outcome *m,
			   const struct wm_file_group *group);
/* spread_helper.c: a helper reads groups until the root quits; returns the exit
 * status. */
int wm_spread_help(void);
