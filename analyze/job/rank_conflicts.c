/* SPDX-License-Identifier: Apache-2.0 */
/* Notes about ranks that contradict each other. */
#include <inttypes.h>
#include <stdbool.h>

#include "analyze/job/analysis.h"

/* Processes that are jobs of one rank to MPI keep the launcher's rank. */
static bool is_single(const struct wm_rank *r)
{
	return r->conflict.mpi_ranks == 1 && r->conflict.launcher_ranks > 1;
}

static void note_conflicts(struct wm_analysis *a)
{
	const struct wm_rank *first = NULL;
	size_t i, single = 0, other = 0;

	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		single += is_single(r);
		if (!r->conflict.mpi_ranks || is_single(r))
			continue;
		if (!other++)
			first = r;
	}
	if (single)
		wm_analysis_note(a, false,
				 "to MPI each of %zu ranks is a job "
				 "of its own, though a launcher started "
				 "them together: ranks are the launcher's; "
				 "does it serve the MPI of the program "
				 "(srun --mpi=...)?",
				 single);
	if (other)
		wm_analysis_note(a, false,
				 "%zu of %zu ranks had variables of "
				 "another launcher, MPI's ranks hold: rank "
				 "%" PRIu64 " of %" PRIu64 " was %" PRIu64
				 " of %" PRIu64 " to them",
				 other, a->rank_count, first->conflict.mpi_rank,
				 first->conflict.mpi_ranks,
				 first->conflict.launcher_rank,
				 first->conflict.launcher_ranks);
}

static void note_duplicates(struct wm_analysis *a)
{
	size_t n = a->run.duplicates, i = 0;

	if (!n)
		return;
	while (a->run.files[i].rank != a->run.duplicate)
		i++;
	wm_analysis_note(a, true,
			 "several processes say at the same time "
			 "that they are rank %" PRIu64 ": of %zu trace%s "
			 "nothing counts, '%s' is read; do they inherit the "
			 "variables of a launcher?",
			 a->run.duplicate, n, n == 1 ? "" : "s",
			 a->run.files[i].path);
}

void wm_analysis_conflicts(struct wm_analysis *a)
{
	note_conflicts(a);
	note_duplicates(a);
}
