/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of files that are read together: the files of one node, if a report
 * needs the memory that the node's ranks hold at one time (pass "node");
 * otherwise each file is a group.  Groups are in the order of their first
 * files, and files of a group in the order of the run, so that results do not
 * depend on the threads.  The struct owns all that it points to. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/run.h"
#include "analyze/passes/rank.h"

/* The most ranks of a node that are read side by side.  With more ranks, the
 * peak of the node is known only within bounds. */
#define WM_GROUP_RANKS 512

struct wm_file_group {
	size_t *file; /* indices of wm_run.files */
	size_t count;
	bool node; /* the files are of one node */
	bool real; /* of a node without a common CLOCK_MONOTONIC */
};

struct wm_file_groups {
	struct wm_file_group *group;
	size_t count;
	size_t *files;
	size_t together; /* ranks that may be read side by side */
};

/* Returns whether the starts of two processes disagree about the time of their
 * boot, which is CLOCK_REALTIME minus CLOCK_MONOTONIC. */
bool wm_boots_differ(const struct wm_clocks *a, const struct wm_clocks *b);

/* Sets the node of each file that counts, by facts (docs/trace-format.md, 3.6).
 * A file without these facts has a node of its own. */
enum wm_status wm_nodes_find(struct wm_run *run, struct wm_err *err);
/* Makes a group for each node, if @needs has pass node, or for each file. */
enum wm_status wm_groups_make(struct wm_file_groups *g,
			      const struct wm_run *run, unsigned needs,
			      struct wm_err *err);
void wm_groups_release(struct wm_file_groups *g);
/* Returns how many of @threads may read groups at a time, as each rank that is
 * being read has an open file. */
unsigned wm_groups_threads(const struct wm_file_groups *g, unsigned threads);

/* The bytes of a rank when its node has its peak. */
struct wm_node_part {
	uint64_t rank, bytes;
};

struct wm_node_peak {
	char *host;
	/* The most live bytes of all ranks at one time is between these.  They
	 * are equal unless the ranks were too many to be read side by side. */
	uint64_t low, high;
	bool exact;
	bool own_clock; /* `time` is CLOCK_MONOTONIC of this boot */
	uint64_t time; /* of the peak, ns on the node's clock */
	struct wm_node_part *part;
	size_t parts;
	size_t lost; /* files that cannot be read */
};

void wm_node_peak_release(struct wm_node_peak *n);

struct wm_outcome {
	struct wm_rank rank; /* if status is WM_OK */
	enum wm_status status;
	struct wm_err why;
};

/* Reads the files of @group.  @out has an element for each file; @node is
 * filled if the files are of one node.  Fails as a whole only
 * without memory. */
enum wm_status wm_group_read(const struct wm_file_group *group,
			     const struct wm_file_groups *all,
			     const struct wm_run *run,
			     const struct wm_wish *wish, uint64_t *progress,
			     struct wm_outcome *out, struct wm_node_peak *node,
			     struct wm_err *err);
