/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page: the order of its parts, and other reports' data. */
#include "analyze/answers/page/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answers/summary/notes_json.h"
#include "analyze/answers/report.h"
#include "analyze/answers/reports.h"
#include "analyze/answers/static/report_static.h"
#include "analyze/answers/text.h"
#include "wm/search.h"
#include "wm/version.h"

#define NOTES 1000 /* rows of a list */
#define ROWS 500
#define ENDS 20 /* groups of ranks that ended alike; failed requests */
#define NODES 4096
#define VARIABLES 2000
#define CELLS 65536 /* about so many cells of the heat map */
#define MOST_COLUMNS (3 * WM_HEATMAP_BINS)
#define OTHERS 5 /* lines of ranks other than chosen, worst and best */
#define LONGEST_TEXT 1000

/* Returns the number of columns that fit, at least that of --imbalance. */
static size_t count_columns(size_t rows)
{
	size_t n = MOST_COLUMNS;

	if (rows > WM_PAGE_ROWS)
		rows = WM_PAGE_ROWS;
	while (n > WM_HEATMAP_BINS && n * rows > CELLS)
		n -= WM_HEATMAP_BINS;
	return n;
}

static enum wm_status put_imbalance(struct wm_page *p, struct wm_err *err)
{
	struct wm_imbalance m = { .nodes = 0 };
	enum wm_status s = wm_imbalance_make(&m, p->a, p->o->node_memory, err);

	free(m.map.cell);
	m.map.cell = NULL;
	if (!s)
		s = wm_heatmap_fill(&m.map, p->a,
				    count_columns(p->a->rank_count), err);
	p->d.most = NODES;
	if (!s)
		s = wm_imbalance_data(&m, p->a, p->o, &p->d, err);
	if (m.map.rows > WM_PAGE_ROWS)
		wm_texts_add(&p->bounds,
			     "%zu ranks share %d rows of the heat map, each "
			     "with the highest of its ranks",
			     m.map.rows, WM_PAGE_ROWS);
	p->d.most = 0;
	wm_page_left_out(p, "imbalance");
	wm_imbalance_release(&m);
	return s;
}

static enum wm_status put_notes(struct wm_page *p, struct wm_err *err)
{
	enum wm_status s;

	p->d.most = NOTES;
	wm_json_object(&p->d.data, "notes");
	s = wm_json_notes(p->a, &p->d, err);
	wm_json_end_object(&p->d.data);
	wm_page_left_out(p, "summary");
	return s;
}

static void put_line(struct wm_page *p, size_t rank)
{
	wm_json_object(&p->d.data, NULL);
	wm_timeline_data(p->a, rank, rank == p->rank || rank == p->a->max,
			 &p->d);
	wm_json_end_object(&p->d.data);
}

static int by_peak(const void *a, const void *b, void *ranks)
{
	const struct wm_rank *r = ranks;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;

	return WM_KEYS(WM_ORDER(r[k].in[WM_HOST].peak_bytes,
				r[i].in[WM_HOST].peak_bytes),
		       WM_ORDER(i, k));
}

/* Writes the timelines of the chosen rank, the worst, the best, and some ranks
 * between, spread evenly over the order of their peaks. */
static enum wm_status put_timeline(struct wm_page *p, struct wm_err *err)
{
	const struct wm_analysis *a = p->a;
	size_t n = a->rank_count, i;
	size_t *order = calloc(n, sizeof(*order)), last = p->rank;

	if (!order)
		return wm_no_memory(err, "curves");
	for (i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), by_peak, a->ranks);
	wm_json_array(&p->d.data, "timeline");
	put_line(p, p->rank);
	if (a->max != p->rank)
		put_line(p, a->max);
	if (a->min != p->rank && a->min != a->max)
		put_line(p, a->min);
	for (i = 1; i <= OTHERS; i++) {
		size_t rank = order[i * (n - 1) / (OTHERS + 1)];

		if (rank == last || rank == p->rank || rank == a->max ||
		    rank == a->min)
			continue;
		put_line(p, rank);
		last = rank;
	}
	wm_json_end_array(&p->d.data);
	free(order);
	wm_page_left_out(p, "timeline");
	return WM_OK;
}

/* Writes the data of other reports, with the keys of --json. */
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
		s = r->build(p->a, p->o, &p->d, err);
		wm_page_left_out(p, r->name);
	}
	wm_json_end_object(&p->d.data);
	return s ? s : p->d.status;
}

static enum wm_status put_static(struct wm_page *p, struct wm_err *err)
{
	const struct wm_census *c = wm_analysis_census(p->a, p->rank);

	if (c && c->row_count > VARIABLES)
		wm_texts_add(&p->bounds,
			     "%zu small variables are merged: wm-analyze "
			     "--static-report --json has all",
			     c->row_count - VARIABLES);
	return c ? wm_static_largest(c, VARIABLES, &p->d, err) : WM_OK;
}

static enum wm_status put_parts(struct wm_page *p, struct wm_err *err)
{
	struct wm_json *j = &p->d.data;
	enum wm_status s;

	wm_json_object(j, NULL);
	WM_JSON_ADD(j, "schema version directory", WM_PAGE_SCHEMA, WM_VERSION,
		    p->o->request.run_count ? p->o->request.runs[0] :
					      p->a->run.dirs[0]);
	wm_json_object(j, "run");
	wm_json_run(p->a, j);
	wm_json_end_object(j);
	wm_json_rank(j, p->a);
	if ((s = wm_json_sums(p->a, &p->d, err)) || (s = put_notes(p, err)))
		return s;
	p->d.most = ENDS;
	if ((s = wm_tell_deaths(p->a, 0, WM_FOR_DATA, &p->d, err)) ||
	    (s = wm_tell_failed(p->a, ENDS, WM_FOR_DATA, &p->d, err)) ||
	    (s = put_imbalance(p, err)) || (s = put_timeline(p, err)) ||
	    (s = wm_page_paths(p, err)) || (s = wm_page_sites(p, err)) ||
	    (s = put_static(p, err)) || (s = put_reports(p, err)))
		return s;
	j->seen = NULL;
	wm_bare_list_put(&p->bare, j);
	if (j->shortened)
		wm_texts_add(&p->bounds,
			     "the middle of %" PRIu64 " long names is left out",
			     j->shortened);
	WM_JSON_LIST(j, "bounds", i, p->bounds.count,
		     (const char *)p->bounds.text[i]);
	wm_json_end_object(j);
	return p->bounds.lost || p->bare.lost ? wm_no_memory(err, "the page") :
						WM_OK;
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
	enum wm_status s;

	wm_doc_init(&p.d, &wm_json_form, out, err);
	p.d.data.tight = true;
	p.d.data.longest = LONGEST_TEXT;
	p.d.data.seen = wm_bare_list_add;
	p.d.data.of = &p.bare;
	s = wm_doc_end(&p.d, put_parts(&p, err));
	wm_texts_release(&p.bounds);
	wm_bare_list_release(&p.bare);
	free(p.row_of);
	wm_small_tree_release(&p.tree);
	return s;
}
