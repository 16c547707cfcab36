/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of each rank, as a row. */
#include "analyze/report/text.h"

#include <stdbool.h>
#include <stdlib.h>

#include "wm/search.h"

/* Ranks that people see at most; of more, those with the highest peak. */
#define RANKS_SHOWN 16

static const struct wm_table_column columns[] = {
	{ "rank", "  rank", WM_UNIT_NUMBER },
	{ "node", "node          ", WM_UNIT_TEXT },
	{ "peak_bytes", "  heap peak", WM_UNIT_BYTES },
	{ "peak_at_most_bytes", NULL, WM_UNIT_BYTES },
	{ "peak_time_s", "           at", WM_UNIT_SECONDS },
	{ "peak_99_s", NULL, WM_UNIT_SECONDS },
	{ "peak_90_s", NULL, WM_UNIT_SECONDS },
	{ "peak_phase", NULL, WM_UNIT_TEXT },
	{ "events", "       events", WM_UNIT_COUNT },
	{ "unfreed_bytes", "never freed", WM_UNIT_BYTES },
	{ "unfreed_blocks", NULL, WM_UNIT_COUNT },
	{ "held", NULL, WM_UNIT_FLAG },
	{ "peak_rss_bytes", NULL, WM_UNIT_BYTES },
	{ "threads", NULL, WM_UNIT_COUNT },
	{ "time_s", NULL, WM_UNIT_SECONDS },
	{ "static_bytes", NULL, WM_UNIT_BYTES },
	{ "stack_bytes", NULL, WM_UNIT_BYTES },
	{ "footprint_peak_bytes", NULL, WM_UNIT_BYTES },
	{ "footprint_end_bytes", NULL, WM_UNIT_BYTES },
	{ "tool_bytes", NULL, WM_UNIT_BYTES },
	{ ".held", "", WM_UNIT_WORDS },
	{ NULL, NULL, 0 },
};

static void add_rank(struct wm_table *t, const struct wm_analysis *a, size_t i)
{
	const struct wm_census *c = wm_analysis_census(a, i);
	const struct wm_rank *r = &a->ranks[i];
	bool cut = wm_rank_is_cut(r);

	wm_table_uint(t, r->rank);
	wm_table_text_or(t, r->host, "?");
	wm_table_uint(t, r->peak_bytes);
	wm_table_uint(t, r->peak_at_most);
	wm_table_real(t, r->peak_seconds);
	wm_table_real(t, r->peak_99_seconds);
	wm_table_real(t, r->peak_90_seconds);
	wm_table_text(t, r->peak_phase);
	wm_table_uint(t, wm_calls_total(r->tally.kind));
	wm_table_uint(t, r->end_bytes);
	wm_table_uint(t, r->end_blocks);
	wm_table_uint(t, cut != 0);
	wm_table_uint(t, r->peak_rss);
	wm_table_uint(t, r->threads);
	wm_table_real(t, r->seconds);
	wm_table_known(t, c != NULL, c ? c->static_bytes : 0);
	wm_table_known(t, r->usage.stack_peak != 0, r->usage.stack_peak);
	wm_table_known(t, r->footprint_peak != 0, r->footprint_peak);
	wm_table_known(t, r->footprint_peak != 0, r->footprint);
	wm_table_known(t, r->tool.memory != 0, r->tool.memory);
	wm_table_text(t, cut ? "(held when its trace ended)" : NULL);
}

struct order {
	uint64_t peak;
	size_t rank;
};

static int by_peak(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->peak, x->peak), WM_ORDER(x->rank, y->rank));
}

/* Of those with the highest peaks, these first. */
static enum wm_status
add_highest(struct wm_table *t, const struct wm_analysis *a, struct wm_err *err)
{
	struct order *o = calloc(a->rank_count, sizeof(*o));
	size_t i;

	if (!o)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	for (i = 0; i < a->rank_count; i++)
		o[i] = (struct order){ a->ranks[i].peak_bytes, i };
	qsort(o, a->rank_count, sizeof(*o), by_peak);
	for (i = 0; i < RANKS_SHOWN; i++)
		add_rank(t, a, o[i].rank);
	free(o);
	return WM_OK;
}

enum wm_status wm_tell_ranks(const struct wm_analysis *a, bool all,
			     unsigned audience, struct wm_doc *d,
			     struct wm_err *err)
{
	enum wm_status s = WM_OK;
	struct wm_table t;
	size_t i;

	if (!wm_doc_wants(d, audience))
		return WM_OK;
	all |= a->rank_count <= RANKS_SHOWN || audience != WM_FOR_TEXT;
	if (audience == WM_FOR_TEXT && all)
		wm_doc_heading(d, "Ranks");
	else if (audience == WM_FOR_TEXT)
		wm_doc_heading(d, "The %d ranks with the highest peaks",
			       RANKS_SHOWN);
	wm_table_init(&t, columns);
	t.spare = "events node";
	t.data_view = "rank node peak_bytes peak_at_most_bytes peak_time_s "
		      "peak_99_s peak_90_s peak_phase events unfreed_bytes "
		      "unfreed_blocks held peak_rss_bytes threads time_s";
	t.csv_view = "rank node peak_bytes peak_time_s peak_phase events "
		     "unfreed_bytes unfreed_blocks peak_rss_bytes threads "
		     "time_s static_bytes stack_bytes footprint_peak_bytes "
		     "footprint_end_bytes tool_bytes";
	if (!all)
		s = add_highest(&t, a, err);
	for (i = 0; all && i < a->rank_count; i++)
		add_rank(&t, a, i);
	wm_doc_table(d, &t, "per_rank", 0, audience);
	return s;
}
