/* SPDX-License-Identifier: Apache-2.0 */
/* --cache: the loads and stores that miss in caches of a given shape, by
 * variable, function and line. */
#include "analyze/answers/reports.h"

#include "analyze/answers/accesses/simulated_rows.h"
#include "analyze/render/table.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

#define ROWS_SHOWN 15

static uint64_t misses_of(const struct wm_cache_counts *c, unsigned level)
{
	return c->misses[0][level] + c->misses[1][level];
}

static void put_head(unsigned levels, struct wm_doc *d)
{
	wm_doc_print(d, "  The caches are simulated: the least recently used "
			"line of a set is replaced, a\n"
			"  store that misses loads its line, and nothing is "
			"prefetched.\n");
	if (levels == 1)
		wm_doc_print(d, "  Each thread has its own cache.\n");
	else
		wm_doc_print(d, "  All threads share the last level; each "
				"thread has its own levels before it.\n"
				"  The trace does not order the accesses of "
				"two threads between two events: the\n"
				"  simulation lets the threads take turns "
				"there.\n");
}

static void put_levels(const struct wm_cache_shape *s,
		       const struct wm_cache_counts *c, unsigned audience,
		       struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "level", "level", WM_UNIT_TEXT },
		{ "bytes", "size", WM_UNIT_BYTES },
		{ "ways", "ways", WM_UNIT_NUMBER },
		{ "line_bytes", "line", WM_UNIT_NUMBER },
		{ "shared", NULL, WM_UNIT_FLAG },
		{ "loads", "loads", WM_UNIT_COUNT },
		{ "load_misses", "misses", WM_UNIT_COUNT },
		{ "load_miss_percent", "%", WM_UNIT_PERCENT },
		{ "stores", "stores", WM_UNIT_COUNT },
		{ "store_misses", "misses", WM_UNIT_COUNT },
		{ "store_miss_percent", "%", WM_UNIT_PERCENT },
	};
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	t.spare = "line_bytes ways";
	for (unsigned i = 0; i < s->levels; i++) {
		wm_table_format(&t, "L%u", i + 1);
		WM_TABLE_ADD(&t, s->level[i].bytes, s->level[i].ways,
			     s->level[i].line, i && i + 1 == s->levels);
		for (unsigned k = 0; k < 2; k++) {
			uint64_t from = i ? c->misses[k][i - 1] : c->lines[k];

			WM_TABLE_ADD(&t, from, c->misses[k][i],
				     wm_share(c->misses[k][i], from));
		}
	}
	wm_doc_table(d, &t, "levels", 0, audience);
}

static const struct wm_table_column row_columns[] = {
	{ "name", NULL, WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ "kind", "kind", WM_UNIT_TEXT },
	{ "loads", "loads", WM_UNIT_COUNT },
	{ "stores", "stores", WM_UNIT_COUNT },
	{ ".l1", "L1 misses", WM_UNIT_COUNT },
	{ ".l1_percent", "%", WM_UNIT_PERCENT },
	{ "l1_load_misses", NULL, WM_UNIT_COUNT },
	{ "l1_store_misses", NULL, WM_UNIT_COUNT },
	{ ".l2", "L2 misses", WM_UNIT_COUNT },
	{ "l2_load_misses", NULL, WM_UNIT_COUNT },
	{ "l2_store_misses", NULL, WM_UNIT_COUNT },
	{ ".l3", "L3 misses", WM_UNIT_COUNT },
	{ "l3_load_misses", NULL, WM_UNIT_COUNT },
	{ "l3_store_misses", NULL, WM_UNIT_COUNT },
	{ ".l4", "L4 misses", WM_UNIT_COUNT },
	{ "l4_load_misses", NULL, WM_UNIT_COUNT },
	{ "l4_store_misses", NULL, WM_UNIT_COUNT },
	{ ".what", "what", WM_UNIT_TEXT },
};

static void put_row(struct wm_table *t, const struct wm_simulated_row *r,
		    unsigned levels)
{
	const struct wm_cache_counts *c = &r->cache;

	WM_TABLE_ADD(t, r->what.name, r->what.file, wm_nonzero(r->what.line),
		     r->what.kind, c->lines[0], c->lines[1]);
	for (unsigned i = 0; i < WM_CACHE_LEVELS; i++) {
		WM_TABLE_ADD(t, wm_known(i < levels, misses_of(c, i)));
		if (!i)
			WM_TABLE_ADD(t, wm_share(misses_of(c, 0), r->lines));
		WM_TABLE_ADD(t, wm_known(i < levels, c->misses[0][i]),
			     wm_known(i < levels, c->misses[1][i]));
	}
	wm_simulated_name(t, &r->what);
}

static void put_rows(const struct wm_simulated_rows *l, unsigned levels,
		     const char *key, size_t top, unsigned audience,
		     struct wm_doc *d)
{
	static const char *const views[WM_CACHE_LEVELS] = {
		"loads stores .l1 .l1_percent .what",
		"loads stores .l1 .l1_percent .l2 .what",
		"loads stores .l1 .l1_percent .l2 .l3 .what",
		"loads stores .l1 .l1_percent .l2 .l3 .l4 .what",
	};
	struct wm_table t;

	WM_TABLE_INIT(&t, row_columns);
	wm_table_level(&t, views[levels - 1], 0, NULL);
	t.spare = ".l2 .l1_percent .l3";
	for (size_t i = 0; i < l->count; i++)
		put_row(&t, &l->row[i], levels);
	wm_doc_table(d, &t, key, top, audience);
}

static enum wm_status put_list(const struct wm_analysis *a,
			       const struct wm_access_names *n,
			       enum wm_simulated_by by, const struct wm_opts *o,
			       struct wm_doc *d, struct wm_err *err)
{
	static const char *const keys[] = { "variables", "functions", "lines" };
	static const char *const headings[] = { "By variable", "By function",
						"By line" };
	unsigned levels = a->simulated.caches.levels;
	struct wm_simulated_rows l;
	enum wm_status s = wm_simulated_rows_make(&l, a, n, by, err);

	if (s)
		return s;
	if (by == WM_SIMULATED_VARIABLE) {
		put_levels(&a->simulated.caches, &l.all.cache, WM_FOR_TEXT, d);
		put_levels(&a->simulated.caches, &l.all.cache, WM_FOR_DATA, d);
		put_rows(&l, levels, NULL, 0, WM_FOR_CSV, d);
	}
	wm_doc_heading(d, "%s", headings[by]);
	put_rows(&l, levels, NULL, wm_top(o, ROWS_SHOWN), WM_FOR_TEXT, d);
	put_rows(&l, levels, keys[by], 0, WM_FOR_DATA, d);
	wm_simulated_rows_release(&l);
	return WM_OK;
}

static enum wm_status cache_build(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err)
{
	struct wm_access_names n;
	enum wm_status s;

	if (!wm_simulated_head(a, "loads and stores in caches",
			       a->simulated.cache != NULL, d)) {
		struct wm_simulated_rows none = { .count = 0 };

		wm_json_text(&d->data, "cache", NULL);
		put_rows(&none, 1, NULL, 0, WM_FOR_CSV, d);
		return WM_OK;
	}
	s = wm_access_names_make(&n, a, err);
	if (s)
		return s;
	put_head(a->simulated.caches.levels, d);
	wm_json_object(&d->data, "cache");
	wm_json_uint(&d->data, "rank", a->ranks[a->chosen].rank);
	for (int by = 0; by <= WM_SIMULATED_LINE && !s; by++)
		s = put_list(a, &n, (enum wm_simulated_by)by, o, d, err);
	wm_json_end_object(&d->data);
	wm_access_names_release(&n);
	return s;
}

static enum wm_status cache_asks(const struct wm_opts *o, struct wm_wish *w,
				 struct wm_err *err)
{
	return wm_cache_shape_parse(&w->caches, o->report_value, err);
}

const struct wm_report wm_cache_report = {
	.name = "cache",
	.help = "accesses that miss in caches such as L1=32K/8/64,L2=1M/16\n"
		"(app.wma)",
	.needs = WM_NEEDS(heap) | WM_NEEDS(accesses) | WM_NEEDS(cache),
	.usual_rank = WM_RANK_ACCESSES,
	.build = cache_build,
	.check = wm_one_rank_check,
	.asks = cache_asks,
	.value = "CACHES",
};
