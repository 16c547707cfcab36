/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files are read together: those of one node, when a report asks how much
 * memory its ranks hold at once (pass "node"); else each by itself.
 *
 * Groups are in the order of their first files, files within a group in that
 * of the run, so that nothing depends on who reads which group when.  Owns
 * what it points to; read-only once it is made.
 */
#ifndef WM_ANALYZE_GROUP_H
#define WM_ANALYZE_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/run.h"
#include "analyze/passes/rank.h"

/* So many ranks of a node are read side by side.  The peak of a node with more
 * is known only within bounds. */
#define WM_GROUP_RANKS 512

struct wm_file_group {
	size_t *file; /* indices of wm_run.files */
	size_t count;
	bool node; /* they are of one node */
	bool real; /* ... whose CLOCK_MONOTONIC is not the same to all */
};

struct wm_file_groups {
	struct wm_file_group *group;
	size_t count;
	size_t *files; /* of all groups */
	size_t together; /* ranks that may be read side by side */
};

/* Whether two traces that name one boot disagree about when that was; each
 * is CLOCK_REALTIME minus CLOCK_MONOTONIC at the start. */
bool wm_boots_differ(int64_t a, int64_t b);

/* Sets the node of each file that counts, by facts (docs/trace-format.md, 3.6);
 * a file without these facts is by itself. */
enum wm_status wm_nodes_find(struct wm_run *run, struct wm_err *err);
/* By nodes, if @needs asks for these. */
enum wm_status wm_groups_make(struct wm_file_groups *g,
			      const struct wm_run *run, unsigned needs,
			      struct wm_err *err);
void wm_groups_release(struct wm_file_groups *g);
/* How many of @threads may read groups at a time: each rank that is
 * being read has an open file. */
unsigned wm_groups_threads(const struct wm_file_groups *g, unsigned threads);

/* A rank's bytes when its node has its peak. */
struct wm_node_part {
	uint64_t rank, bytes;
};

/* The facts about a node of the cluster when its ranks have been read. */
struct wm_node_peak {
	char *host; /* NULL: unknown */
	/*
	 * Highest live bytes of all its ranks at one time; low < high: they
	 * were too many to be read side by side, and it lies between.
	 */
	uint64_t low, high;
	bool exact;
	bool own_clock; /* time is CLOCK_MONOTONIC of this boot */
	uint64_t time; /* of the peak, ns on the node's clock */
	struct wm_node_part *part; /* of its readable ranks, by rank */
	size_t parts;
	size_t lost; /* files that cannot be read */
};

void wm_node_peak_release(struct wm_node_peak *n);

/* The result for one file. */
struct wm_outcome {
	struct wm_rank rank; /* when status is WM_OK */
	enum wm_status status;
	struct wm_err why;
};

/*
 * Read the files of @group: @out has room for each, @node is filled when they
 * are of one node.  Fails as a whole only when memory is short.
 */
enum wm_status wm_group_read(const struct wm_file_group *group,
			     const struct wm_file_groups *all,
			     const struct wm_run *run,
			     const struct wm_wish *wish, uint64_t *progress,
			     struct wm_outcome *out, struct wm_node_peak *node,
			     struct wm_err *err);

#endif
