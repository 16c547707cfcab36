/* SPDX-License-Identifier: Apache-2.0 */
/* --reuse: how many other cache lines are used between two accesses to the same
 * line, and the misses that follow from this for each size of cache. */
#include "analyze/answers/reports.h"

#include "analyze/answers/accesses/simulated_rows.h"
#include "analyze/render/table.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

#define ROWS_SHOWN 15

static unsigned last_bin(const struct wm_reuse_counts *c)
{
	unsigned k = WM_REUSE_BINS - 1;

	while (k && !c->bin[k])
		k--;
	return k;
}

static void put_curve(const struct wm_reuse_counts *c, uint64_t line,
		      unsigned audience, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "distance", "distance up to", WM_UNIT_COUNT },
		{ "cache_bytes", "      cache", WM_UNIT_BYTES },
		{ "touches", "        touches", WM_UNIT_COUNT },
		{ "percent", "      %", WM_UNIT_PERCENT },
		{ "misses", "  its misses", WM_UNIT_COUNT },
		{ "miss_percent", "      %", WM_UNIT_PERCENT },
		{ ".bar", "                    ", WM_UNIT_BAR },
	};
	uint64_t all = wm_reuse_lines(c);
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	for (unsigned k = 0; k <= last_bin(c); k++) {
		uint64_t misses = wm_reuse_misses(c, k);

		WM_TABLE_ADD(&t, UINT64_C(1) << k, line << k, c->bin[k],
			     wm_share(c->bin[k], all), misses,
			     wm_share(misses, all),
			     all ? (double)misses / (double)all : 0);
	}
	wm_doc_table(d, &t, "curve", 0, audience);
}

/* Cache sizes in bytes; the titles of columns have the same sizes. */
static const uint64_t sizes[] = { 32 << 10, 1 << 20, 32 << 20 };
#define SIZES (sizeof(sizes) / sizeof(*sizes))

static const struct wm_table_column row_columns[] = {
	{ "name", NULL, WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ "kind", "kind", WM_UNIT_TEXT },
	{ "touches", "touches", WM_UNIT_COUNT },
	{ "first_touches", "first touches", WM_UNIT_COUNT },
	{ "distances", NULL, WM_UNIT_COUNT },
	{ ".m0", "misses at 32 KiB", WM_UNIT_PERCENT },
	{ ".m1", "at 1 MiB", WM_UNIT_PERCENT },
	{ ".m2", "at 32 MiB", WM_UNIT_PERCENT },
	{ ".what", "what", WM_UNIT_TEXT },
};

/* Returns the bin of the largest distance that a cache of @bytes holds. */
static unsigned bin_of(uint64_t bytes, uint64_t line)
{
	unsigned k = 0;

	while (line << (k + 1) <= bytes)
		k++;
	return k;
}

static void put_row(struct wm_table *t, const struct wm_simulated_row *r,
		    uint64_t line)
{
	uint64_t all = wm_reuse_lines(&r->reuse);

	WM_TABLE_ADD(t, r->what.name, r->what.file, wm_nonzero(r->what.line),
		     r->what.kind, all, r->reuse.first);
	wm_table_numbers(t, r->reuse.bin, WM_REUSE_BINS);
	for (size_t i = 0; i < SIZES; i++)
		WM_TABLE_ADD(t,
			     wm_share(wm_reuse_misses(&r->reuse,
						      bin_of(sizes[i], line)),
				      all));
	wm_simulated_name(t, &r->what);
}

static void put_rows(const struct wm_simulated_rows *l, uint64_t line,
		     const char *key, size_t top, unsigned audience,
		     struct wm_doc *d)
{
	struct wm_table t;

	WM_TABLE_INIT(&t, row_columns);
	t.csv_view = "name file line kind touches first_touches";
	wm_table_level(&t, "touches first_touches .m0 .m1 .m2 .what", 0, NULL);
	t.spare = ".m1 first_touches";
	for (size_t i = 0; i < l->count; i++)
		put_row(&t, &l->row[i], line);
	wm_doc_table(d, &t, key, top, audience);
}

static enum wm_status put_lists(const struct wm_analysis *a,
				const struct wm_access_names *n,
				const struct wm_opts *o, struct wm_doc *d,
				struct wm_err *err)
{
	static const char *const keys[] = { "variables", "functions", "lines" };
	static const char *const headings[] = { "By variable", "By function",
						"By line" };
	uint64_t line = a->simulated.line;

	for (int by = 0; by <= WM_SIMULATED_LINE; by++) {
		struct wm_simulated_rows l;
		enum wm_status s =
			wm_simulated_rows_make(&l, a, n,
					       (enum wm_simulated_by)by, err);

		if (s)
			return s;
		if (by == WM_SIMULATED_VARIABLE) {
			put_curve(&l.all.reuse, line, WM_FOR_TEXT, d);
			WM_JSON_ADD(&d->data, "touches first_touches",
				    wm_reuse_lines(&l.all.reuse),
				    l.all.reuse.first);
			put_curve(&l.all.reuse, line, WM_FOR_DATA | WM_FOR_CSV,
				  d);
		}
		wm_doc_heading(d, "%s", headings[by]);
		put_rows(&l, line, NULL, wm_top(o, ROWS_SHOWN), WM_FOR_TEXT, d);
		put_rows(&l, line, keys[by], 0, WM_FOR_DATA, d);
		wm_simulated_rows_release(&l);
	}
	return WM_OK;
}

static enum wm_status reuse_build(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err)
{
	const struct wm_simulated *x = &a->simulated;
	struct wm_access_names n;
	struct wm_figure b;
	enum wm_status s;

	if (!wm_simulated_head(a, "reuse distances", x->reuse != NULL, d)) {
		struct wm_reuse_counts none = { .first = 0 };

		wm_json_text(&d->data, "reuse", NULL);
		put_curve(&none, 0, WM_FOR_CSV, d);
		return WM_OK;
	}
	s = wm_access_names_make(&n, a, err);
	if (s)
		return s;
	wm_doc_print(d,
		     "  Reuse distance: the number of different lines of %u "
		     "bytes that a thread touches\n"
		     "  from one access to a line to the next access to the "
		     "same line. Misses are\n"
		     "  those of a fully associative cache of that size that "
		     "only this thread uses.\n",
		     x->line);
	if (x->reuse_left_out)
		wm_doc_print(d,
			     "  %s more touches are left out: this report has "
			     "no memory for all of their\n"
			     "  lines; a larger --line makes fewer lines\n",
			     wm_count(&b, x->reuse_left_out));
	wm_json_object(&d->data, "reuse");
	WM_JSON_ADD(&d->data, "rank line_bytes no_room",
		    a->ranks[a->chosen].rank, x->line, x->reuse_left_out);
	s = put_lists(a, &n, o, d, err);
	wm_json_end_object(&d->data);
	wm_access_names_release(&n);
	return s;
}

const struct wm_report wm_reuse_report = {
	.name = "reuse",
	.help = "reuse distances, and misses in caches of each size\n"
		"(app.wma)",
	.needs = WM_NEEDS(heap) | WM_NEEDS(accesses) | WM_NEEDS(reuse),
	.usual_rank = WM_RANK_ACCESSES,
	.build = reuse_build,
	.check = wm_one_rank_check,
};
