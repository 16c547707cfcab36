/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of the job: seconds since its first process began.  Processes of
 * one node have CLOCK_MONOTONIC in common, or CLOCK_REALTIME if a trace has no
 * boot id or several machines have the same boot id.  Nodes are compared by
 * CLOCK_REALTIME at their first starts, unless these starts differ by more than
 * a minute and by more than the longest run. */
#include <stdlib.h>

#include "analyze/lib/base/whole.h"
#include "analyze/job/facts.h"
#include "analyze/job/group.h"
#include "analyze/job/scan_heads.h"

const char *const wm_job_clock_name[] = {
	[WM_JOB_CLOCK_ONE] = "one clock",
	[WM_JOB_CLOCK_WALL] = "real time",
	[WM_JOB_CLOCK_NODES] = "own start",
};

#define MOST_SPREAD 60.0 /* seconds */

/* A node, at the index of its first file. */
struct node {
	size_t first; /* file that began first; SIZE_MAX: unknown */
	bool real; /* its ranks share only CLOCK_REALTIME */
};

static double seconds_between(uint64_t from, uint64_t to)
{
	return to >= from ? (double)(to - from) * 1e-9 :
			    -(double)(from - to) * 1e-9;
}

static uint64_t start_of(const struct wm_run_file *f, const struct node *n)
{
	return n->real ? f->start.real_ns : f->start.mono_ns;
}

static bool is_known(const struct wm_run_file *f)
{
	return f->facts && f->start.real_ns;
}

static void find_nodes(const struct wm_run *run, struct node *node)
{
	for (size_t i = 0; i < run->file_count; i++)
		node[i].first = SIZE_MAX;
	for (size_t i = 0; i < run->file_count; i++) {
		const struct wm_run_file *f = &run->files[i];
		const char *boot = f->facts ? f->facts->boot_id : NULL;

		node[f->node].real |=
			is_known(f) &&
			(!boot || !*boot ||
			 wm_boots_differ(&f->start,
					 &run->files[f->node].start));
	}
	for (size_t i = 0; i < run->file_count; i++) {
		const struct wm_run_file *f = &run->files[i];
		struct node *n = &node[f->node];

		if (is_known(f) &&
		    (n->first == SIZE_MAX ||
		     start_of(f, n) < start_of(&run->files[n->first], n)))
			n->first = i;
	}
}

/* Chooses how clocks of nodes compare.  *@earliest is the earliest start. */
static enum wm_job_clock choose(const struct wm_run *run,
				const struct node *node, uint64_t *earliest)
{
	double limit = MOST_SPREAD;
	uint64_t latest = 0;
	size_t i, nodes = 0;

	*earliest = UINT64_MAX;
	for (i = 0; i < run->file_count; i++) {
		const struct wm_run_file *f = &run->files[i];
		uint64_t real;

		if (is_known(f) && f->facts->seconds > limit)
			limit = f->facts->seconds;
		if (node[i].first == SIZE_MAX)
			continue;
		nodes++;
		real = run->files[node[i].first].start.real_ns;
		wm_lower(earliest, real);
		wm_raise(&latest, real);
	}
	return nodes <= 1				   ? WM_JOB_CLOCK_ONE :
	       seconds_between(*earliest, latest) <= limit ? WM_JOB_CLOCK_WALL :
							     WM_JOB_CLOCK_NODES;
}

enum wm_status wm_job_clock_find(struct wm_run *run, struct wm_err *err)
{
	struct node *node = calloc(run->file_count + 1, sizeof(*node));
	uint64_t earliest;

	if (!node)
		return wm_no_memory(err, NULL);
	find_nodes(run, node);
	run->clock = choose(run, node, &earliest);
	for (size_t i = 0; i < run->file_count; i++) {
		struct wm_run_file *f = &run->files[i];
		const struct node *n = &node[f->node];
		const struct wm_run_file *first;

		if (!is_known(f))
			continue;
		first = &run->files[n->first];
		f->begin = seconds_between(start_of(first, n), start_of(f, n));
		if (run->clock == WM_JOB_CLOCK_WALL)
			f->begin += seconds_between(earliest,
						    first->start.real_ns);
	}
	free(node);
	return run->clock == WM_JOB_CLOCK_NODES ?
		       wm_run_note(run, err,
				   "the clocks of the nodes differ too much: "
				   "moments count from the first rank of each "
				   "node") :
		       WM_OK;
}
