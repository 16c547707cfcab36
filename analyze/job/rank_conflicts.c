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
				 "MPI ran each of %zu ranks as a job of its "
				 "own, although a launcher started them "
				 "together: the launcher's ranks are used; "
				 "does the launcher support the MPI of the "
				 "program (srun --mpi=...)?",
				 single);
	if (other)
		wm_analysis_note(a, false,
				 "%zu of %zu ranks had variables of another "
				 "launcher; MPI's ranks are used: rank %" PRIu64
				 " of %" PRIu64 " would be rank %" PRIu64
				 " of %" PRIu64 " by these variables",
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
	wm_analysis_note(
		a, true,
		"several processes claimed to be rank %" PRIu64 " at the same "
		"time: %zu trace%s left out, '%s' is read; do the processes "
		"inherit the variables of a launcher?",
		a->run.duplicate, n, n == 1 ? "" : "s", a->run.files[i].path);
}

void wm_analysis_conflicts(struct wm_analysis *a)
{
	note_conflicts(a);
	note_duplicates(a);
}
