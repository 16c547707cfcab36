/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page: the order of its parts, and what other reports tell. */
#include "analyze/report/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/queries/functions.h"
#include "analyze/report/json_notes.h"
#include "analyze/report/report.h"
#include "analyze/report/reports.h"
#include "analyze/report/text.h"
#include "wm/version.h"

#define NOTES 1000 /* rows of a list */
#define ROWS 500
#define FAILED 20
#define DEATHS 20
#define LONGEST_TEXT 1000

static void put_run(struct wm_page *p)
{
	const struct wm_analysis *a = p->a;
	struct wm_json *j = &p->d.data;
	uint64_t start = UINT64_MAX;
	size_t i;

	wm_json_object(j, "run");
	wm_json_run(a, j);
	for (i = 0; i < a->rank_count; i++)
		if (a->ranks[i].start_ns && a->ranks[i].start_ns < start)
			start = a->ranks[i].start_ns;
	wm_json_known(j, "start_ns", start != UINT64_MAX, start);
	wm_json_uint(j, "duration_ns", wm_page_ns(p->a->seconds));
	wm_json_text(j, "directory",
		     p->o->request.run_count ? p->o->request.runs[0] :
					       a->run.dirs[0]);
	wm_json_end_object(j);
}

static void put_choice(struct wm_page *p)
{
	const struct wm_analysis *a = p->a;
	struct wm_json *j = &p->d.data;

	wm_json_known(j, "chosen", a->chosen != WM_ALL_RANKS,
		      a->ranks[p->rank].rank);
	wm_json_uint(j, "worst", a->ranks[a->max].rank);
	wm_json_uint(j, "best", a->ranks[a->min].rank);
}

static enum wm_status put_mpi(struct wm_page *p, struct wm_err *err)
{
	struct wm_functions f;
	enum wm_status s = wm_functions_make(&f, p->a, WM_AT_PEAK, err);

	if (!s)
		s = wm_mpi_share_json(p->a, &f, &p->d.data, err);
	wm_functions_release(&f);
	return s;
}

static enum wm_status put_summary(struct wm_page *p, struct wm_err *err)
{
	const struct wm_analysis *a = p->a;
	struct wm_json *j = &p->d.data;
	enum wm_status s;
	char key[8];
	size_t i;

	wm_json_object(j, "summary");
	s = wm_json_sums(a, false, &p->d, err);
	if (!s)
		s = put_mpi(p, err);
	wm_json_paused(a, j);
	wm_json_object(j, "unfreed");
	wm_json_uint(j, "bytes", a->end_bytes);
	wm_json_uint(j, "blocks", a->end_blocks);
	wm_json_uint(j, "held_bytes", a->held_bytes);
	wm_json_uint(j, "held_blocks", a->held_blocks);
	wm_json_end_object(j);
	wm_json_object(j, "percentiles");
	for (i = 0; i < WM_PERCENTILES; i++) {
		snprintf(key, sizeof(key), "%u", wm_percentile[i]);
		wm_json_uint(j, key, p->m.percentile[i]);
	}
	wm_json_end_object(j);
	wm_imbalance_put_working_sets(&p->m, a, j);
	wm_json_end_object(j);
	return s;
}

static void put_snapshots(struct wm_page *p)
{
	const struct wm_annotations *n = &p->a->annotations;
	struct wm_json *j = &p->d.data;
	size_t i;

	wm_json_array(j, "snapshots");
	for (i = 0; i < n->snapshot_count && i < NOTES; i++) {
		const struct wm_snapshot *s = &n->snapshot[i];

		wm_json_object(j, NULL);
		wm_json_text(j, "name", s->name);
		wm_json_real(j, "time_s", s->seconds, 6);
		wm_json_text(j, "phase",
			     s->phase != WM_NO_PHASE ? n->phase[s->phase].name :
						       NULL);
		wm_json_uint(j, "bytes", s->bytes);
		wm_json_uint(j, "blocks", s->blocks);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	if (n->snapshot_count > NOTES)
		wm_page_bound(
			p, "%zu snapshots are left out: the first %d are here",
			n->snapshot_count - NOTES, NOTES);
}

static void put_notes(struct wm_page *p)
{
	struct wm_json *j = &p->d.data;

	p->d.most = NOTES;
	p->d.left_out = 0;
	wm_json_object(j, "notes");
	wm_tell_phases(p->a, 0, WM_FOR_DATA, &p->d);
	wm_tell_names(p->a, 0, WM_FOR_DATA, &p->d);
	wm_tell_marks(p->a, 0, WM_FOR_DATA, &p->d);
	wm_tell_regions(p->a, 0, WM_FOR_DATA, &p->d);
	put_snapshots(p);
	wm_json_end_object(j);
	if (p->d.left_out)
		wm_page_bound(p,
			      "%" PRIu64 " phases, names, marks and regions "
			      "are left out: %d of each are here",
			      p->d.left_out, NOTES);
}

/* What other reports tell, with the keys of --json. */
static enum wm_status put_reports(struct wm_page *p, struct wm_err *err)
{
	static const char *const names[] = {
		"leaks", "temporaries", "sizes", "libraries", "files",
		"pages", "accesses",	"cache", "reuse",     "false-sharing",
	};
	const struct wm_report *r;
	enum wm_status s = WM_OK;
	size_t i, k;

	p->d.most = ROWS;
	wm_json_object(&p->d.data, "reports");
	for (i = 0; (r = p->o->reports[i]) && !s; i++) {
		for (k = 0; k < sizeof(names) / sizeof(*names); k++)
			if (strcmp(names[k], r->name) == 0)
				break;
		if (k == sizeof(names) / sizeof(*names))
			continue;
		p->d.left_out = 0;
		s = r->build(p->a, p->o, &p->d, err);
		if (p->d.left_out)
			wm_page_bound(p,
				      "%" PRIu64 " rows of %s are left out: "
				      "wm-analyze --%s --json has all",
				      p->d.left_out, r->name, r->name);
	}
	wm_json_end_object(&p->d.data);
	return s ? s : p->d.status;
}

static void put_bounds(struct wm_page *p)
{
	struct wm_json *j = &p->d.data;
	size_t i;

	if (j->shortened)
		wm_page_bound(p,
			      "the middle of %" PRIu64 " long names is left "
			      "out",
			      j->shortened);
	wm_json_array(j, "bounds");
	for (i = 0; i < p->bounds.count; i++)
		wm_json_text(j, NULL, p->bounds.text[i]);
	wm_json_end_array(j);
}

static enum wm_status put_parts(struct wm_page *p, struct wm_err *err)
{
	struct wm_json *j = &p->d.data;
	enum wm_status s;

	wm_json_object(j, NULL);
	wm_json_text(j, "schema", WM_PAGE_SCHEMA);
	wm_json_text(j, "version", WM_VERSION);
	put_run(p);
	put_choice(p);
	if ((s = put_summary(p, err)))
		return s;
	put_notes(p);
	if ((s = wm_page_deaths(p->a, DEATHS, j, err)) ||
	    (s = wm_tell_failed(p->a, FAILED, WM_FOR_DATA, &p->d, err)) ||
	    (s = wm_page_ranks(p, err)) || (s = wm_page_time(p, err)) ||
	    (s = wm_page_paths(p, err)) || (s = wm_page_sites(p, err)) ||
	    (s = wm_page_memory(p, err)) || (s = put_reports(p, err)))
		return s;
	put_bounds(p);
	wm_json_end_object(j);
	return p->short_of_memory ? wm_no_memory(err, "the page") : WM_OK;
}

enum wm_status wm_page_data(const struct wm_analysis *a,
			    const struct wm_opts *o, FILE *out,
			    struct wm_err *err)
{
	struct wm_page p = {
		.a = a,
		.o = o,
		.rank = a->chosen == WM_ALL_RANKS ? a->max : a->chosen,
	};
	enum wm_status s = wm_imbalance_make(&p.m, a, wm_node_memory(o), err);
	size_t i;

	wm_doc_init(&p.d, &wm_json_form, out, err);
	p.d.data.tight = true;
	p.d.data.longest = LONGEST_TEXT;
	if (!s)
		s = wm_doc_end(&p.d, put_parts(&p, err));
	for (i = 0; i < p.bounds.count; i++)
		free(p.bounds.text[i]);
	free(p.bounds.text);
	free(p.row_of);
	wm_small_tree_release(&p.tree);
	wm_imbalance_release(&p.m);
	return s;
}
