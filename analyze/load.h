/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the traces of a run, several at a time.
 *
 * Threads take the next group of files each (group.h: one file, or those of
 * one node); what they made is delivered in the order of the groups, file by
 * file, so that results do not depend on their number.
 */
#ifndef WM_ANALYZE_LOAD_H
#define WM_ANALYZE_LOAD_H

#include "analyze/error.h"
#include "analyze/group.h"
#include "analyze/rank.h"
#include "analyze/run.h"

struct wm_load {
	const struct wm_run *run;
	const struct wm_file_groups *groups;
	unsigned needs; /* passes */
	unsigned jobs; /* threads; 0: one per processor, at most 8 */
	int progress; /* show it on stderr */
	/*
	 * Takes file @i: its rank, which it owns from now on, or NULL and
	 * why.  Never two at a time.  A status ends the loading.
	 */
	enum wm_status (*deliver)(void *context, size_t i, struct wm_rank *r,
				  enum wm_status status,
				  const struct wm_err *why,
				  struct wm_err *err);
	/* Takes the node of group @g, whose files it has taken, and owns it.
	 * Called when groups are nodes only. */
	enum wm_status (*node)(void *context, size_t g, struct wm_machine *n,
			       struct wm_err *err);
	void *context;
};

/* How many threads @jobs (0: not told) makes for so many groups. */
unsigned wm_load_jobs(unsigned jobs, size_t groups);
enum wm_status wm_load_run(const struct wm_load *l, struct wm_err *err);

#endif
