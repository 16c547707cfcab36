/* SPDX-License-Identifier: Apache-2.0 */
/* The text of --pages for plans: checkpoints, and a fast memory. */
#include "analyze/answers/reports.h"

#include <inttypes.h>

#include "analyze/lib/base/units.h"
#include "analyze/answers/pages/page_tier.h"
#include "analyze/render/table.h"
#include "analyze/answers/text.h"
#include "input/path.h"

#define SHOWN 20

void wm_page_site_name(struct wm_table *t, const struct wm_page_site *s)
{
	if (s->file && s->line)
		wm_table_format(t, "%s  %s:%" PRIu32, s->name,
				wm_basename(s->file), s->line);
	else
		wm_table_text(t, s->name);
}

static void put_intervals(const struct wm_analysis *a, size_t top,
			  unsigned audience, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "from_s", "from", WM_UNIT_SECONDS },
		{ "to_s", "to", WM_UNIT_SECONDS },
		{ "epochs", "epochs", WM_UNIT_COUNT },
		{ "written_bytes", "written", WM_UNIT_BYTES },
	};
	uint64_t page = a->ranks[a->chosen].page_totals.page_bytes;
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	for (size_t i = 0; i < a->pages.intervals; i++) {
		const struct wm_page_interval *x = &a->pages.interval[i];

		WM_TABLE_ADD(&t, (double)x->from_ns * 1e-9,
			     (double)x->to_ns * 1e-9, x->epochs,
			     x->written * page);
	}
	wm_doc_table(d, &t, "checkpoints", top, audience);
}

static void put_tier_sites(const struct wm_page_tier *x, double all, size_t top,
			   unsigned audience, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "name", NULL, WM_UNIT_TEXT },
		{ "file", NULL, WM_UNIT_TEXT },
		{ "line", NULL, WM_UNIT_NUMBER },
		{ "kind", NULL, WM_UNIT_TEXT },
		{ "bytes", "bytes", WM_UNIT_BYTES },
		{ "of_bytes", "touched", WM_UNIT_BYTES },
		{ "share", "accesses", WM_UNIT_PERCENT },
		{ ".site", "site", WM_UNIT_TEXT },
	};
	uint64_t small = 0, rest = 0;
	struct wm_figure b, c;
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	for (size_t i = 0; i < x->count; i++) {
		const struct wm_page_site *s = x->site[i].site;

		if (top && 100 * x->site[i].byte_time < all) {
			small++;
			rest += x->site[i].bytes;
			continue;
		}

		WM_TABLE_ADD(&t, s->name, s->file, s->line, s->kind,
			     x->site[i].bytes, s->touched,
			     100 * x->site[i].byte_time / all);
		wm_page_site_name(&t, s);
	}
	wm_doc_table(d, &t, "sites", top, audience);
	if (small)
		wm_doc_print(d, "  %s more below 1 %%: %s (--top all)\n",
			     wm_count(&b, small), wm_bytes(&c, rest));
}

static void put_tier(const struct wm_page_tier *x, const struct wm_analysis *a,
		     const struct wm_opts *o, uint64_t size, unsigned audience,
		     struct wm_doc *d)
{
	const struct wm_page_totals *p = &a->ranks[a->chosen].page_totals;
	double all = p->accessed_time * (double)p->page_bytes;
	double share = all > 0 ? 100 * x->byte_time / all : 0;
	struct wm_figure b, c;

	if (audience == WM_FOR_DATA) {
		wm_json_object(&d->data, "tier");
		WM_JSON_ADD(&d->data, "size_bytes used_bytes share.3", size,
			    x->bytes, share);
		put_tier_sites(x, all, 0, audience, d);
		wm_json_end_object(&d->data);
		return;
	}
	wm_doc_heading(d, "In a fast memory of %s: %s, %.1f %% of all accesses",
		       wm_bytes(&b, size), wm_bytes(&c, x->bytes), share);
	put_tier_sites(x, all, wm_top(o, SHOWN), audience, d);
}

void wm_pages_plans(const struct wm_analysis *a, const struct wm_page_sites *l,
		    const struct wm_opts *o, unsigned audience,
		    struct wm_doc *d)
{
	struct wm_page_tier x;

	if (o->request.wish.checkpoint > 0) {
		if (audience == WM_FOR_TEXT)
			wm_doc_heading(d, "Written from one checkpoint to the "
					  "next");
		put_intervals(a, wm_top(o, SHOWN), audience, d);
	}
	if (!o->tier)
		return;
	if (wm_page_tier_make(&x, l, o->tier, d->err)) {
		d->status = WM_NO_MEMORY;
		return;
	}
	put_tier(&x, a, o, o->tier, audience, d);
	wm_page_tier_release(&x);
}
