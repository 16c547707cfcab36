/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folded stacks: "main;solve;alloc 12345", bytes at the peak.
 */
#include "analyze/answers/export/export.h"

#include <inttypes.h>

#include "analyze/answers/heap/profile.h"
#include "analyze/answers/heap/threads.h"

enum wm_status wm_export_folded(const struct wm_analysis *a,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err)
{
	struct wm_thread_rows rows = { .count = 0 };
	struct wm_profile p;
	enum wm_status s = o->by ? wm_thread_rows_make(&rows, a, err) : WM_OK;

	if (!s)
		s = wm_profile_make(&p, a, a->use, o->by ? &rows : NULL,
				    WM_PROFILE_SHOWN, err);
	wm_thread_rows_release(&rows);
	if (s)
		return s;
	for (size_t i = 0; i < p.count; i++) {
		const struct wm_profile_row *r = &p.row[i];

		if (r->use.peak_bytes)
			fprintf(out, "%s %" PRIu64 "\n",
				*r->path ? r->path : WM_NO_CALL_PATH,
				r->use.peak_bytes);
	}
	wm_profile_release(&p);
	return WM_OK;
}
