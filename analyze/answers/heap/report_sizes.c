/* SPDX-License-Identifier: Apache-2.0 */
/* --sizes: blocks by size, of all allocations and at the peak. */

#include "analyze/render/table.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

static const struct wm_table_column columns[] = {
	{ "from", "from", WM_UNIT_BYTES },
	{ "to", "to", WM_UNIT_BYTES },
	{ "blocks", "allocations", WM_UNIT_COUNT },
	{ "bytes", "their bytes", WM_UNIT_BYTES },
	{ "peak_blocks", "blocks at the peak", WM_UNIT_COUNT },
	{ "peak_bytes", "their bytes", WM_UNIT_BYTES },
};

/* Leaves out sizes without requests. */
static void add_rows(struct wm_table *t, const struct wm_analysis *a)
{
	size_t i, k;

	WM_TABLE_INIT(t, columns);
	for (k = 0; k < WM_SIZES; k++) {
		uint64_t from = k ? 1ull << (k - 1) : 0, sum[4] = { 0 };

		for (i = 0; i < a->rank_count; i++) {
			const struct wm_sizes *s = a->ranks[i].sizes;

			if (!s || (a->chosen != WM_ALL_RANKS && a->chosen != i))
				continue;
			sum[0] += s->blocks[k];
			sum[1] += s->bytes[k];
			sum[2] += s->peak_blocks[k];
			sum[3] += s->peak_bytes[k];
		}
		if (!sum[0])
			continue;
		WM_TABLE_ADD(t, from, k ? from + (from - 1) : 0);
		for (i = 0; i < 4; i++)
			wm_table_uint(t, sum[i]);
	}
}

static enum wm_status sizes_build(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err)
{
	struct wm_table t;
	struct wm_figure b;

	(void)err;
	wm_doc_title(d, "%s  run %s: blocks by size, %s", a->name, a->id,
		     wm_chosen(&b, a));
	wm_text_notes(a, d);
	wm_doc_print(d, "\n");
	add_rows(&t, a);
	wm_doc_table(d, &t, "sizes", wm_top(o, 0), WM_FOR_ALL);
	return WM_OK;
}

const struct wm_report wm_sizes_report = {
	.name = "sizes",
	.help = "blocks by size, of all allocations and at the peak",
	.needs = WM_NEEDS(heap) | WM_NEEDS(sizes),
	.build = sizes_build,
};
