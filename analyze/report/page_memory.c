/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page: static memory, and what makes up resident memory. */
#include "analyze/report/page.h"

#include "analyze/report/report_static.h"

#define BOXES 2000 /* of the map of static memory, about */

/* Variables with @least bytes or more. */
static size_t count_rows(const struct wm_census *c, uint64_t least)
{
	size_t i, n = 0;

	for (i = 0; i < c->row_count; i++)
		n += c->rows[i].bytes >= least;
	return n;
}

/* From how many bytes on a variable has a box of its own.  An object file has
 * one if it has so many bytes, so that there are no more of these than whole
 * bytes have room for. */
static uint64_t smallest_box(const struct wm_census *c)
{
	uint64_t all = c->static_bytes + c->rodata + c->relro + c->other;
	uint64_t least = c->row_count > BOXES ? all / (4 * BOXES) : 0;

	while (count_rows(c, least) > BOXES)
		least = least ? 2 * least : 2;
	return least;
}

static enum wm_status put_static(struct wm_page *p, struct wm_err *err)
{
	const struct wm_census *c = wm_analysis_census(p->a, p->rank);
	struct wm_json *j = &p->d.data;
	enum wm_status s;
	uint64_t least;
	size_t hidden;

	if (!c) {
		wm_json_text(j, "static", NULL);
		return WM_OK;
	}
	least = smallest_box(c);
	hidden = c->row_count - count_rows(c, least);
	wm_json_object(j, "static");
	wm_json_text(j, "program", c->program);
	wm_json_uint(j, "bytes", c->static_bytes);
	s = wm_static_map(c, least, j, err);
	wm_json_end_object(j);
	if (hidden)
		wm_page_bound(p,
			      "%zu small variables are merged: wm-analyze "
			      "--static-report --json has all",
			      hidden);
	return s;
}

static void put_layers(struct wm_page *p)
{
	const struct wm_rank *r = &p->a->ranks[p->rank];
	const struct wm_census *c = wm_analysis_census(p->a, p->rank);
	const struct wm_family_use *heap = &r->family[WM_FAMILY_heap];
	struct wm_json *j = &p->d.data;
	size_t k;

	wm_json_object(j, "layers");
	wm_json_uint(j, "rank", r->rank);
	wm_json_uint(j, "high_water", r->peak_bytes);
	wm_json_uint(j, "heap", heap->at_peak_bytes);
	wm_json_object(j, "other");
	for (k = 0; k < WM_FAMILIES; k++)
		if (k != WM_FAMILY_heap)
			wm_json_uint(j, wm_family_name[k],
				     r->family[k].at_peak_bytes);
	wm_json_end_object(j);
	wm_json_known(j, "allocator", r->footprint_peak != 0,
		      r->footprint_peak > heap->peak_bytes ?
			      r->footprint_peak - heap->peak_bytes :
			      0);
	wm_json_known(j, "static", c != NULL, c ? c->static_bytes : 0);
	wm_json_known(j, "stack", r->usage.stack_peak != 0,
		      r->usage.stack_peak);
	wm_json_known(j, "tool", r->tool.resident != 0, r->tool.resident);
	wm_json_known(j, "resident", r->peak_rss != 0, r->peak_rss);
	wm_json_bool(j, "lower_bound", wm_rank_is_sampled(r));
	wm_json_end_object(j);
}

enum wm_status wm_page_memory(struct wm_page *p, struct wm_err *err)
{
	enum wm_status s = put_static(p, err);

	if (!s)
		put_layers(p);
	return s;
}
