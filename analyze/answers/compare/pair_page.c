/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/compare/pair_page.h"

#include <stdlib.h>

#include "analyze/answers/ranks/imbalance.h"
#include "analyze/answers/reports.h"
#include "analyze/render/bare_names.h"
#include "analyze/render/page_bundle.h"
#include "analyze/render/html.h"
#include "analyze/render/packed.h"
#include "wm/version.h"

#define ROWS 5000 /* rows of a list, at most */
#define LONGEST_TEXT 4000
#define WIDTH 960
#define HEIGHT 260
#define COLUMNS 400 /* columns of the curve of all ranks */

/* Returns the rank with the curve that is drawn; for all ranks, the worst
 * rank. */
static const struct wm_rank *drawn_rank(const struct wm_half *h)
{
	const struct wm_analysis *a = &h->a;

	return &a->ranks[a->chosen == WM_ALL_RANKS ? a->max : a->chosen];
}

/* Writes the memory of all ranks together: in each column, the sum of their
 * highest. */
static enum wm_status put_total(const struct wm_half *h, struct wm_json *j,
				struct wm_err *err)
{
	struct wm_heatmap map = { 0 };
	enum wm_status s = wm_heatmap_fill(&map, &h->a, COLUMNS, err);
	size_t i, k;

	wm_json_object(j, NULL);
	wm_json_uint(j, "ranks", h->a.rank_count);
	wm_json_real(j, "bin_s", map.bin, 12);
	wm_json_array(j, "max_bytes");
	for (k = 0; !s && k < map.bins; k++) {
		uint64_t sum = 0;

		for (i = 0; i < map.rows; i++) {
			uint64_t v = map.cell[i * map.bins + k];

			sum += v == WM_NO_CELL ? 0 : v;
		}
		wm_json_uint(j, NULL, sum);
	}
	wm_json_end_array(j);
	wm_json_end_object(j);
	free(map.cell);
	return s;
}

static enum wm_status put_data(const struct wm_pair_page *p, FILE *out,
			       struct wm_err *err)
{
	struct wm_bare_list bare = { .count = 0 };
	enum wm_status s = WM_OK;
	struct wm_doc d;

	wm_doc_init(&d, &wm_json_form, out, err);
	d.data.seen = wm_bare_list_add;
	d.data.of = &bare;
	d.data.tight = true;
	d.data.longest = LONGEST_TEXT;
	d.most = ROWS;
	wm_json_object(&d.data, NULL);
	WM_JSON_ADD(&d.data, "schema version", WM_PAIR_PAGE_SCHEMA, WM_VERSION);
	WM_JSON_LIST(&d.data, "given", i, 2, p->o->request.runs[i]);
	p->data(p->told, &d);
	d.data.seen = NULL;
	wm_bare_list_put(&bare, &d.data);
	if (bare.lost)
		wm_doc_no_memory(&d);
	wm_bare_list_release(&bare);
	wm_json_array(&d.data, "timeline");
	for (size_t i = 0; i < 2; i++) {
		const struct wm_analysis *a = &p->half[i].a;

		wm_json_object(&d.data, NULL);
		wm_timeline_data(a,
				 (size_t)(drawn_rank(&p->half[i]) - a->ranks),
				 false, &d);
		wm_json_end_object(&d.data);
	}
	wm_json_end_array(&d.data);
	wm_json_array(&d.data, "totals");
	for (size_t i = 0; i < 2 && !s; i++)
		s = put_total(&p->half[i], &d.data, err);
	wm_json_end_array(&d.data);
	WM_JSON_ADD(&d.data, "rows_left_out shortened", d.left_out,
		    d.data.shortened);
	wm_json_end_object(&d.data);
	return wm_doc_end(&d, s);
}

static uint64_t highest(const struct wm_pair_page *p)
{
	uint64_t a = drawn_rank(&p->half[0])->in[WM_HOST].peak_bytes;
	uint64_t b = drawn_rank(&p->half[1])->in[WM_HOST].peak_bytes;

	return a > b ? a : b > 0 ? b : 1;
}

/* Draws both curves for readers without scripts, each from its start to its
 * end. */
static void put_picture(const struct wm_pair_page *p, FILE *out)
{
	static const char *const style[] = {
		"stroke=\"#5b646e\" stroke-dasharray=\"6 4\"",
		"stroke=\"#1d5f91\" stroke-width=\"2\"",
	};
	double top = (double)highest(p);

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
		"aria-label=\"both over time\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	for (size_t i = 0; i < 2; i++) {
		const struct wm_timeline *t =
			&drawn_rank(&p->half[i])->timeline;

		fprintf(out, "<polyline fill=\"none\" %s points=\"", style[i]);
		for (size_t k = 0; k < t->count; k++)
			fprintf(out, "%.1f,%.1f ",
				WIDTH * ((double)k + .5) / (double)t->count,
				HEIGHT - 4 -
					(HEIGHT - 8) * (double)t->bin[k].max /
						top);
		fputs("\"/>\n", out);
	}
	fputs("</svg>\n"
	      "<p>The dashed line is A, the solid line B; each runs from its "
	      "own start to its own end.</p>\n",
	      out);
}

static enum wm_status put_plain(const struct wm_pair_page *p, FILE *out,
				struct wm_err *err)
{
	enum wm_status s;
	struct wm_doc d;

	wm_html_plain_begin(p->half[1].a.name, out);
	put_picture(p, out);
	wm_doc_init(&d, &wm_page_form, out, err);
	d.top_given = p->o->top_given;
	p->text(p->told, p->o, &d);
	s = wm_doc_end(&d, WM_OK);
	wm_html_plain_end(out);
	return s;
}

enum wm_status wm_pair_page_put(const struct wm_pair_page *p, FILE *out,
				struct wm_err *err)
{
	enum wm_status s;
	FILE *packed;

	wm_html_begin(p->half[1].a.name, out);
	s = put_plain(p, out, err);
	packed = s ? NULL : wm_packed_open(out);
	if (!packed)
		return s ? s : wm_no_memory(err, "the page");
	wm_html_data_begin(out);
	s = put_data(p, packed, err);
	if (fclose(packed) && !s)
		s = wm_no_memory(err, "the page");
	wm_html_data_end(out);
	wm_html_end(wm_bundle_compare, out);
	return s;
}
