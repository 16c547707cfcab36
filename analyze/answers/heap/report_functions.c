/* SPDX-License-Identifier: Apache-2.0 */
/* --functions: the holders of the heap at its peak, with call paths.  In JSON
 * every report has this list (report_json.c). */

#include "analyze/answers/heap/threads.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

#define FUNCTIONS_SHOWN 10
#define PATHS_SHOWN 3

static enum wm_status functions_build(const struct wm_analysis *a,
				      const struct wm_opts *o, struct wm_doc *d,
				      struct wm_err *err)
{
	struct wm_functions f;
	enum wm_status s;

	if (o->by)
		return wm_by_threads_tell(a, o, d, err);
	if (!wm_doc_wants(d, WM_FOR_TEXT | WM_FOR_CSV))
		return WM_OK;
	s = wm_functions_make(&f, a, WM_AT_PEAK, err);
	if (s)
		return s;
	wm_tell_held(a, f.bytes, f.blocks, d);
	wm_text_functions(a, &f, wm_top(o, FUNCTIONS_SHOWN), PATHS_SHOWN, d);
	wm_functions_csv(&f, d);
	wm_functions_release(&f);
	return WM_OK;
}

const struct wm_report wm_functions_report = {
	.name = "functions",
	.help = "functions that hold the heap at its peak, with call paths",
	.needs = WM_NEEDS(heap),
	.wants = wm_by_threads_wants,
	.check = wm_by_threads_check,
	.build = functions_build,
};
