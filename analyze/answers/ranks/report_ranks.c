/* SPDX-License-Identifier: Apache-2.0 */
/* A row for each rank. */
#include "analyze/answers/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answers/ranks/imbalance.h"
#include "wm/search.h"

/* Text has at most so many ranks: those with the highest peaks. */
#define RANKS_SHOWN 16

#define FAMILY(name, ...)                                                      \
	{ #name "_peak_bytes", NULL, WM_UNIT_BYTES },                          \
		{ #name "_at_peak_bytes", NULL, WM_UNIT_BYTES },               \
		{ #name "_unfreed_bytes", NULL, WM_UNIT_BYTES },               \
		{ #name "_unfreed_blocks", NULL, WM_UNIT_COUNT },

static const struct wm_table_column columns[] = {
	{ "rank", "  rank", WM_UNIT_NUMBER },
	{ "node", "node          ", WM_UNIT_TEXT },
	{ "start_s", NULL, WM_UNIT_SECONDS },
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
	{ "end_rss_bytes", NULL, WM_UNIT_BYTES },
	{ "threads", NULL, WM_UNIT_COUNT },
	{ "time_s", NULL, WM_UNIT_SECONDS },
	{ "static_bytes", NULL, WM_UNIT_BYTES },
	{ "stack_bytes", NULL, WM_UNIT_BYTES },
	{ "footprint_peak_bytes", NULL, WM_UNIT_BYTES },
	{ "footprint_end_bytes", NULL, WM_UNIT_BYTES },
	{ "tool_bytes", NULL, WM_UNIT_BYTES },
	{ "tool_resident_bytes", NULL, WM_UNIT_BYTES },
	{ "lower_bound", NULL, WM_UNIT_FLAG },
	{ "working_set_bytes", NULL, WM_UNIT_BYTES },
	{ "at_node_peak_bytes", NULL, WM_UNIT_BYTES },
	{ "node_peak_bytes", NULL, WM_UNIT_BYTES },
	WM_FAMILY_LIST(FAMILY){ ".held", "", WM_UNIT_WORDS },
};

static void add_rank(struct wm_table *t, const struct wm_analysis *a, size_t i)
{
	const struct wm_census *c = wm_analysis_census(a, i);
	const struct wm_rank *r = &a->ranks[i];
	bool cut = wm_rank_is_cut(r), is;
	uint64_t bytes;

	wm_table_uint(t, r->rank);
	wm_table_text_or(t, r->host, "?");
	WM_TABLE_ADD(t, r->begin, r->in[WM_HOST].peak_bytes,
		     r->in[WM_HOST].peak_at_most, r->in[WM_HOST].peak_seconds,
		     r->in[WM_HOST].peak_99_seconds,
		     r->in[WM_HOST].peak_90_seconds, r->peak_phase,
		     wm_calls_total(r->tally.kind), r->in[WM_HOST].end_bytes,
		     r->in[WM_HOST].end_blocks, cut != 0,
		     wm_nonzero(r->peak_rss), wm_nonzero(r->usage.rss_end),
		     r->threads, r->seconds,
		     wm_known(c != NULL, c ? c->static_bytes : 0),
		     wm_nonzero(r->usage.stack_peak),
		     wm_nonzero(r->footprint_peak),
		     wm_known(r->footprint_peak != 0, r->footprint),
		     wm_nonzero(r->tool.memory), wm_nonzero(r->tool.resident),
		     wm_rank_is_sampled(r));
	is = wm_working_set(&r->page_totals, &bytes);
	WM_TABLE_ADD(t, wm_known(is, bytes));
	is = wm_rank_at_node_peak(a, r, &bytes);
	WM_TABLE_ADD(t, wm_known(is, bytes),
		     wm_known(is, is ? a->node[r->node].high : 0));
	for (size_t k = 0; k < WM_FAMILIES; k++) {
		WM_TABLE_ADD(t, r->family[k].peak_bytes,
			     r->family[k].at_peak_bytes, r->family[k].end_bytes,
			     r->family[k].end_blocks);
	}
	wm_table_text(t, cut ? "(held when its trace ended)" : NULL);
}

static int by_peak(const void *a, const void *b)
{
	const struct wm_rank *x = *(const struct wm_rank *const *)a;
	const struct wm_rank *y = *(const struct wm_rank *const *)b;

	return WM_KEYS(WM_ORDER(y->in[WM_HOST].peak_bytes,
				x->in[WM_HOST].peak_bytes),
		       WM_ORDER(x, y));
}

static enum wm_status
add_highest(struct wm_table *t, const struct wm_analysis *a, struct wm_err *err)
{
	const struct wm_rank **r = calloc(a->rank_count, sizeof(*r));

	if (!r)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < a->rank_count; i++)
		r[i] = &a->ranks[i];
	WM_SORT(r, a->rank_count, by_peak);
	for (size_t i = 0; i < RANKS_SHOWN; i++)
		add_rank(t, a, (size_t)(r[i] - a->ranks));
	free(r);
	return WM_OK;
}

enum wm_status wm_tell_ranks(const struct wm_analysis *a, bool all,
			     unsigned audience, struct wm_doc *d,
			     struct wm_err *err)
{
	enum wm_status s = WM_OK;
	struct wm_table t;

	if (!wm_doc_wants(d, audience))
		return WM_OK;
	all |= a->rank_count <= RANKS_SHOWN || audience != WM_FOR_TEXT;
	if (audience == WM_FOR_TEXT && all)
		wm_doc_heading(d, "Ranks");
	else if (audience == WM_FOR_TEXT)
		wm_doc_heading(d, "The %d ranks with the highest peaks",
			       RANKS_SHOWN);
	WM_TABLE_INIT(&t, columns);
	t.spare = "events node";
	if (d->data.tight)
		t.data_view = "rank node peak_bytes peak_time_s events "
			      "unfreed_bytes held peak_rss_bytes static_bytes "
			      "stack_bytes footprint_peak_bytes "
			      "tool_resident_bytes lower_bound "
			      "working_set_bytes heap_peak_bytes "
			      "heap_at_peak_bytes mapped_at_peak_bytes "
			      "shm_at_peak_bytes mpi_at_peak_bytes "
			      "stacks_at_peak_bytes";
	t.csv_view = "rank node peak_bytes peak_time_s peak_phase events "
		     "unfreed_bytes unfreed_blocks peak_rss_bytes threads "
		     "time_s static_bytes stack_bytes footprint_peak_bytes "
		     "footprint_end_bytes tool_bytes";
	if (!all)
		s = add_highest(&t, a, err);
	for (size_t i = 0; all && i < a->rank_count; i++)
		add_rank(&t, a, i);
	wm_doc_table(d, &t, "ranks", 0, audience);
	return s;
}

#define COLUMNS (sizeof(columns) / sizeof(*columns))
#define KEY 24

/* Makes the columns of a rank, then one for each bin, named after its start. */
static struct wm_table_column *make_columns(const struct wm_heatmap *h)
{
	size_t n = COLUMNS + h->bins, i;
	struct wm_table_column *c = calloc(1, n * sizeof(*c) + h->bins * KEY);
	char *key;

	if (!c)
		return NULL;
	key = (char *)(c + n);
	memcpy(c, columns, COLUMNS * sizeof(*c));
	for (i = COLUMNS; i < n; i++, key += KEY) {
		snprintf(key, KEY, "at_%.9f_s", (double)(i - COLUMNS) * h->bin);
		c[i].key = key;
		c[i].unit = WM_UNIT_BYTES;
	}
	return c;
}

enum wm_status wm_tell_ranks_over_time(const struct wm_analysis *a,
				       const struct wm_heatmap *h,
				       struct wm_doc *d, struct wm_err *err)
{
	struct wm_table_column *c = make_columns(h);
	struct wm_table t;
	size_t i, k;

	if (!c)
		return wm_no_memory(err, NULL);
	wm_table_init(&t, c, COLUMNS + h->bins);
	for (i = 0; i < a->rank_count; i++) {
		add_rank(&t, a, i);
		for (k = 0; k < h->bins; k++) {
			uint64_t v = h->cell[i * h->bins + k];

			WM_TABLE_ADD(&t, wm_known(v != WM_NO_CELL, v));
		}
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
	free(c);
	return WM_OK;
}
