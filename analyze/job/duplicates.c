/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Duplicates: several processes that say at the same time that they are one
 * rank.  An earlier run in the same directory is no loss; part of this one is.
 */
#include <stdbool.h>

#include "analyze/job/scan.h"

#include "analyze/job/facts.h"

static bool ran_together(struct wm_run_file *a, struct wm_run_file *b)
{
	if (!a->facts || !b->facts || !a->start.real_ns || !b->start.real_ns)
		return false;
	/* the end of the later one is of no interest, and may be far to seek */
	return a->start.real_ns < b->start.real_ns ?
		       wm_facts_end(a) > b->start.real_ns :
		       wm_facts_end(b) > a->start.real_ns;
}

void wm_duplicates_count(struct wm_run *run)
{
	size_t i, k = 0;

	for (i = run->file_count; i < run->all_count; i++) {
		struct wm_run_file *f = &run->files[i];

		if (f->fate != WM_FILE_OLDER)
			continue;
		while (k < run->file_count && run->files[k].rank < f->rank)
			k++;
		if (k == run->file_count || run->files[k].rank != f->rank ||
		    !ran_together(f, &run->files[k]))
			continue;
		if (!run->duplicates++)
			run->duplicate = f->rank;
	}
}
