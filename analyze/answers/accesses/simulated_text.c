/* SPDX-License-Identifier: Apache-2.0 */
/* Text that --cache, --reuse and --false-sharing share. */
#include "analyze/answers/reports.h"

#include <string.h>

#include "analyze/access/module_file.h"
#include "analyze/lib/base/units.h"
#include "analyze/answers/pages/page_sites.h"
#include "analyze/answers/accesses/simulated_rows.h"
#include "analyze/render/table.h"
#include "analyze/answers/text.h"

/* Returns whether the program records loads and stores. */
static bool has_hooks(const struct wm_rank *r)
{
	size_t n = r->exe.path ? strlen(r->exe.path) : 0;

	return n > 4 && !strcmp(r->exe.path + n - 4, ".wma");
}

void wm_accesses_none(const struct wm_analysis *a, struct wm_doc *d)
{
	if (!has_hooks(&a->ranks[a->chosen])) {
		wm_doc_print(d, "\n  There are no loads and stores in the "
				"trace: WMCC_ACCESS=1 makes app.wma, which "
				"records them.\n");
		return;
	}
	wm_doc_print(d,
		     "\n  The program has access hooks, but no load or store "
		     "with a hook ran (wmcc(1), EVERY LOAD AND STORE).\n");
	wm_accesses_limits(a, d);
}

void wm_accesses_limits(const struct wm_analysis *a, struct wm_doc *d)
{
	const char *only = a->ranks[a->chosen].access_only;
	const struct wm_bursts *t = &a->ranks[a->chosen].bursts;
	struct wm_figure b, c, e, f;

	if (wm_module_is_by(&a->ranks[a->chosen].exe, "clang"))
		wm_doc_print(d, "  accesses to long double are not recorded: "
				"clang has no hooks for them\n");
	if (a->ranks[a->chosen].samples)
		wm_doc_print(d, "  samples: only the first access to each page "
				"in each epoch (WM_ACCESS=pages)\n");
	if (only)
		wm_doc_print(d,
			     "  accesses are recorded only in these "
			     "functions: %s (WM_ACCESS_ONLY)\n",
			     only);
	if (t->burst)
		wm_doc_print(d,
			     "  only %s of every %s: %s of %s are recorded "
			     "(WM_ACCESS_BURST)\n",
			     wm_duration(&b, 1e-9 * (double)t->burst),
			     wm_duration(&c, 1e-9 * (double)t->every),
			     wm_duration(&e, 1e-9 * (double)t->recorded),
			     wm_duration(&f, 1e-9 * (double)t->elapsed));
}

void wm_accesses_bursts(const struct wm_rank *r, struct wm_json *j)
{
	const struct wm_bursts *t = &r->bursts;

	if (!t->burst)
		return;
	WM_JSON_OBJECT(j, "bursts",
		       "burst_s.3 every_s.3 recorded_s.6 elapsed_s.6",
		       1e-9 * (double)t->burst, 1e-9 * (double)t->every,
		       1e-9 * (double)t->recorded, 1e-9 * (double)t->elapsed);
}

bool wm_simulated_head(const struct wm_analysis *a, const char *what,
		       bool is_there, struct wm_doc *d)
{
	const struct wm_rank *r;
	struct wm_figure b;

	if (a->chosen == WM_ALL_RANKS) {
		wm_one_rank_only(a, what, d);
		return false;
	}
	wm_doc_title(d, "%s  run %s: %s of %s", a->name, a->id, what,
		     wm_chosen(&b, a));
	wm_text_notes(a, d);
	if (!is_there && a->ranks[a->chosen].samples) {
		wm_doc_print(d, "\n  The trace has only pages "
				"(WM_ACCESS=pages): --pages and --accesses "
				"report them.\n");
		return false;
	}
	if (!is_there) {
		wm_accesses_none(a, d);
		return false;
	}
	wm_accesses_limits(a, d);
	r = &a->ranks[a->chosen];
	if (r->accesses_lost)
		wm_doc_print(d, "  %s loads and stores were lost\n",
			     wm_count(&b, r->accesses_lost));
	return true;
}

void wm_one_rank_only(const struct wm_analysis *a, const char *what,
		      struct wm_doc *d)
{
	wm_doc_title(d, "%s  run %s: %s", a->name, a->id, what);
	wm_doc_print(
		d,
		"\n  This report is about one rank: add --rank N, max or min.\n");
}

enum wm_status wm_one_rank_check(const struct wm_opts *o, struct wm_err *err)
{
	if (o->request.choice != WM_RANK_ALL)
		return WM_OK;
	return wm_err_set(err, WM_USAGE,
			  "--%s is about one rank: add --rank N, max or min",
			  o->report->name);
}

void wm_simulated_name(struct wm_table *t, const struct wm_access_named *n)
{
	struct wm_page_site s = { .name = n->name,
				  .file = n->file,
				  .line = n->line };

	wm_page_site_name(t, &s);
}
