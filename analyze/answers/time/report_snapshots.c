/* SPDX-License-Identifier: Apache-2.0 */
/* Holders of the heap when the program called wm_snapshot(): text and JSON. */

#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

#define FUNCTIONS_SHOWN 10
#define PATHS_SHOWN 3

static const char *phase_of(const struct wm_analysis *a,
			    const struct wm_snapshot *s)
{
	return s->phase != WM_NO_PHASE ? a->annotations.phase[s->phase].name :
					 NULL;
}

static enum wm_status put_snapshot(const struct wm_analysis *a,
				   const struct wm_snapshot *s,
				   const struct wm_opts *o, struct wm_doc *d,
				   struct wm_err *err)
{
	char name[4 * 40 + 1], cut[4 * 40 + 1];
	const char *phase = phase_of(a, s);
	struct wm_functions f;
	struct wm_figure b, c, e;
	enum wm_status r;

	if (phase)
		phase = wm_cut(phase, 40, cut);
	wm_doc_heading(d, "Snapshot%s%s%s at %s%s%s%s: %s in %s",
		       s->name ? " '" : "",
		       s->name ? wm_cut(s->name, 40, name) : "",
		       s->name ? "'" : "", wm_instant(&b, s->seconds),
		       phase ? " in phase '" : "", phase ? phase : "",
		       phase ? "'" : "", wm_bytes(&c, s->bytes),
		       wm_blocks(&e, s->blocks));
	if (!s->listed) {
		wm_doc_print(d, "  the holders of this snapshot are not "
				"listed: there are too many snapshots\n");
		return WM_OK;
	}
	if (s->named_count) {
		wm_tell_named(a, s, WM_FOR_TEXT, d);
		wm_doc_print(d, "\n");
	}
	r = wm_functions_snapshot(&f, a, s, err);
	if (r)
		return r;
	wm_text_functions(a, &f, wm_top(o, FUNCTIONS_SHOWN), PATHS_SHOWN, d);
	wm_functions_release(&f);
	return WM_OK;
}

/* Writes snapshots.  JSON has them in every report (notes_json.c). */
static enum wm_status snapshots_build(const struct wm_analysis *a,
				      const struct wm_opts *o, struct wm_doc *d,
				      struct wm_err *err)
{
	const struct wm_annotations *n = &a->annotations;
	enum wm_status s = WM_OK;
	struct wm_figure b;

	if (!wm_doc_wants(d, WM_FOR_TEXT))
		return WM_OK;
	wm_doc_title(d, "%s  run %s: %zu snapshot%s of %s", a->name, a->id,
		     n->snapshot_count, n->snapshot_count == 1 ? "" : "s",
		     wm_chosen(&b, a));
	wm_text_notes(a, d);
	if (a->chosen == WM_ALL_RANKS)
		wm_doc_print(d, "\n  Snapshots are listed for one rank at a "
				"time: add --rank N, max or min\n");
	else if (!n->snapshot_count)
		wm_doc_print(d, "\n  The program did not call wm_snapshot() in "
				"this rank; see wmtrace(3).\n");
	for (size_t i = 0; i < n->snapshot_count && !s; i++)
		s = put_snapshot(a, &n->snapshot[i], o, d, err);
	return s;
}

const struct wm_report wm_snapshots_report = {
	.name = "snapshots",
	.help = "holders of the heap at each call of wm_snapshot()",
	.needs = WM_NEEDS(heap),
	.build = snapshots_build,
	.forms = WM_NO_CSV,
};
