/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that read the traces of a run (a crew).  Each thread takes the
 * next group of files (group.h: one file, or the files of one node).  Results
 * are delivered in the order of the groups, file by file, so that they do not
 * depend on the number of threads. */
#pragma once

#include <stdbool.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/group.h"
#include "analyze/job/retained.h"
#include "analyze/job/nap.h"
#include "analyze/job/run.h"
#include "analyze/passes/rank.h"

struct wm_load {
	const struct wm_run *run;
	const struct wm_file_groups *groups;
	const struct wm_wish *wish;
	unsigned threads; /* 0: one per processor, at most 8 */
	bool progress;
	/* read-only here; other processes learn which call paths not to send */
	const struct wm_retainer *retainer;
	/* Takes file @i: its rank @r, which the callee owns from now on, or
	 * NULL and the reason @why.  There are never two calls at a time.  A
	 * status other than WM_OK ends the loading. */
	enum wm_status (*deliver)(void *context, size_t i, struct wm_rank *r,
				  enum wm_status status,
				  const struct wm_err *why, struct wm_err *err);
	/* Takes the node of group @g after its files; the callee owns the node.
	 * Called only if groups are nodes. */
	enum wm_status (*node)(void *context, size_t g, struct wm_node_peak *n,
			       struct wm_err *err);
	void *context;
};

struct wm_group_outcome {
	enum wm_status status; /* WM_NO_MEMORY: nothing else is filled */
	struct wm_err why;
	struct wm_outcome *out;
	struct wm_node_peak node_peak;
};

void wm_group_outcome_read(struct wm_group_outcome *m,
			   const struct wm_file_group *group,
			   const struct wm_file_groups *all,
			   const struct wm_run *run, const struct wm_wish *wish,
			   uint64_t *progress);
void wm_group_outcome_release(struct wm_group_outcome *m,
			      const struct wm_file_group *group);

struct wm_crew;

/* Starts @threads threads that read all groups.  If one thread is enough and no
 * other process takes part (@alone), reads the groups before it returns.  After
 * success, the caller calls wm_crew_end(). */
enum wm_status wm_crew_start(struct wm_crew **c, const struct wm_load *l,
			     unsigned threads, bool alone, struct wm_err *err);
/* Waits until all groups are delivered; shows the progress. */
enum wm_status wm_crew_end(struct wm_crew *c);

/* For other processes (spread.h).  Each group taken must be delivered. */
/* Takes the next group; returns false if there is none. */
bool wm_crew_take(struct wm_crew *c, size_t *g);
/* Returns the group to be delivered next. */
size_t wm_crew_turn(struct wm_crew *c);
/* Delivers group @g and takes the memory that @m owns.  Before the turn of the
 * group, keeps it or, if too many files are kept, waits. */
void wm_crew_deliver(struct wm_crew *c, size_t g, struct wm_group_outcome *m);
/* Notes that another process has read group @g. */
void wm_crew_progress(struct wm_crew *c, size_t g);
/* Waits for the time in @nap or for a delivery; shows the progress. */
void wm_crew_nap(struct wm_crew *c, struct wm_nap *nap);

/* load_job.c: returns the number of threads that read @groups groups.  @threads
 * is the user's number; 0 means one per processor, at most 8. */
unsigned wm_load_threads(unsigned threads, size_t groups);
/* Reads all groups of @l->groups, with other processes (spread.h), too. */
enum wm_status wm_load_run(const struct wm_load *l, struct wm_err *err);
