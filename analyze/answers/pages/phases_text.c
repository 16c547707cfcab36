/* SPDX-License-Identifier: Apache-2.0 */
/* Working sets by phase, for --pages. */
#include "analyze/answers/reports.h"

#include <stdlib.h>

#include "analyze/render/table.h"

/* Sums over the epochs that ended in one phase, in pages. */
struct sums {
	uint64_t epochs, most;
	double accessed, written, time; /* weighted by the epochs */
};

/* Returns the number of the phase at @seconds, or @none.  Calls come in order
 * of time: *@at keeps the stretch at which the next call begins to look. */
static size_t phase_at(const struct wm_annotations *n, double seconds,
		       size_t *at, size_t none)
{
	while (*at < n->stretch_count && n->stretch[*at].to < seconds)
		++*at;
	if (*at == n->stretch_count || n->stretch[*at].from >= seconds)
		return none;
	return n->stretch[*at].phase;
}

const char *wm_pages_phase(const struct wm_annotations *n, double seconds)
{
	size_t at = 0, phase;

	if (seconds < 0)
		return NULL;
	phase = phase_at(n, seconds, &at, n->phase_count);
	return phase < n->phase_count ? n->phase[phase].name : NULL;
}

static void add_epochs(struct sums *sum, const struct wm_analysis *a)
{
	const struct wm_annotations *n = &a->annotations;
	size_t at = 0;

	for (size_t i = 0; i < a->pages.epochs; i++) {
		const struct wm_page_epoch *e = &a->pages.epoch[i];
		struct sums *s = &sum[phase_at(n, (double)e->end_ns * 1e-9, &at,
					       n->phase_count)];

		s->epochs++;
		s->accessed += (double)e->accessed * (double)e->weight;
		s->written += (double)e->written * (double)e->weight;
		s->time += (double)e->weight;
		if (s->most < e->accessed)
			s->most = e->accessed;
	}
}

static void put_table(const struct wm_analysis *a, const struct sums *sum,
		      size_t top, unsigned audience, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "name", "phase", WM_UNIT_TEXT },
		{ "epochs", "epochs", WM_UNIT_COUNT },
		{ "accessed_most_bytes", "highest", WM_UNIT_BYTES },
		{ "accessed_mean_bytes", "mean", WM_UNIT_BYTES },
		{ "written_mean_bytes", "written", WM_UNIT_BYTES },
	};
	uint64_t page = a->ranks[a->chosen].page_totals.page_bytes;
	const struct wm_annotations *n = &a->annotations;
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	for (size_t i = 0; i <= n->phase_count; i++) {
		const char *name = i < n->phase_count ? n->phase[i].name : NULL;
		const struct sums *s = &sum[i];

		if (!name && audience == WM_FOR_TEXT)
			name = "(in none)";
		if (s->epochs)
			WM_TABLE_ADD(&t, name, s->epochs, s->most * page,
				     (uint64_t)(s->accessed / s->time) * page,
				     (uint64_t)(s->written / s->time) * page);
	}
	if (audience == WM_FOR_TEXT)
		wm_doc_heading(d, "Working sets of the phases");
	wm_doc_table(d, &t, "phases", top, audience);
}

void wm_pages_phases(const struct wm_analysis *a, size_t top, unsigned audience,
		     struct wm_doc *d)
{
	struct sums *sum;

	if (!a->annotations.phase_count && audience == WM_FOR_TEXT)
		return;
	sum = calloc(a->annotations.phase_count + 1, sizeof(*sum));
	if (!sum) {
		d->status = wm_no_memory(d->err, NULL);
		return;
	}
	add_epochs(sum, a);
	put_table(a, sum, top, audience, d);
	free(sum);
}
