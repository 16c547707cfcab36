/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the chosen ranks have the named moment. */
#include "analyze/job/analysis.h"

#include <inttypes.h>
#include <stdio.h>

static void list_moments(const struct wm_annotations *n, char *text,
			 size_t size)
{
	size_t i, used = 0, shown = 0;

	text[0] = 0;
	for (i = 0; i < n->snapshot_count + n->phase_count; i++) {
		size_t k = i - n->snapshot_count;
		bool phase = i >= n->snapshot_count;
		const char *name = phase ? n->phase[k].name :
					   n->snapshot[i].name;

		if (!name || used >= size || shown == 8)
			continue;
		used += (size_t)snprintf(text + used, size - used,
					 "%s%s '%.40s'", shown++ ? ", " : "",
					 phase ? "phase" : "snapshot", name);
	}
	if (!shown)
		snprintf(text, size, "none");
}

enum wm_status wm_analysis_check_moment(struct wm_analysis *a,
					struct wm_err *err)
{
	bool all = a->chosen == WM_ALL_RANKS;
	size_t i, missing = 0;
	char names[320], who[40] = "the ranks";

	if (a->moment.way != WM_MOMENT_NAMED)
		return WM_OK;
	for (i = 0; i < a->rank_count; i++)
		missing += a->ranks[i].moment_missing;
	if (all ? missing < a->rank_count :
		  !a->ranks[a->chosen].moment_missing) {
		if (all && missing)
			wm_analysis_note(a, false,
					 "%zu of %zu ranks have no snapshot or "
					 "phase '%s': they count nothing there",
					 missing, a->rank_count,
					 a->moment.name);
		return WM_OK;
	}
	list_moments(&a->annotations, names, sizeof(names));
	if (!all)
		snprintf(who, sizeof(who), "rank %" PRIu64,
			 a->ranks[a->chosen].rank);
	return wm_err_set(err, WM_USAGE,
			  "'%.60s' is no moment of %s: " WM_MOMENT_WAYS
			  " (it has %s)",
			  a->moment.text, who, names);
}
