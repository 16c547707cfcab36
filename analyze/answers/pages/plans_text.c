/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of --pages for plans: checkpoints, and the best content of a fast
 * memory of a given size: the sites whose bytes are accessed for most of the
 * time, as long as there is room.  Bytes that were never touched need none.
 */
#include "analyze/answers/reports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/units.h"
#include "analyze/answers/pages/page_sites.h"
#include "analyze/render/table.h"
#include "analyze/answers/text.h"
#include "input/path.h"
#include "wm/search.h"

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

struct tier_site {
	const struct wm_page_site *site;
	uint64_t bytes; /* bytes in fast memory: all, but for the last site */
	/* sum over these bytes of the time in ns in which each was accessed */
	double byte_time;
};

struct tier {
	struct tier_site *site; /* most byte_time first */
	size_t count;
	uint64_t bytes; /* of all of them */
	double byte_time;
};

/* Returns the mean time for which a byte of the site was accessed. */
static double density(const struct wm_page_site *s)
{
	return s->byte_time / (double)s->touched;
}

static int by_density(const void *a, const void *b)
{
	const struct wm_page_site *x = ((const struct tier_site *)a)->site;
	const struct wm_page_site *y = ((const struct tier_site *)b)->site;
	double p = density(x), q = density(y);

	return WM_KEYS(WM_ORDER(q, p), WM_ORDER(x, y));
}

static int by_accesses(const void *a, const void *b)
{
	const struct tier_site *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->byte_time, x->byte_time),
		       WM_ORDER(x->site, y->site));
}

static void fill(struct tier *t, uint64_t size)
{
	size_t i;

	for (i = 0; i < t->count && size; i++) {
		struct tier_site *x = &t->site[i];
		uint64_t all = x->site->touched;

		x->bytes = all < size ? all : size;
		x->byte_time = density(x->site) * (double)x->bytes;
		t->bytes += x->bytes;
		t->byte_time += x->byte_time;
		size -= x->bytes;
	}
	t->count = i;
}

static enum wm_status make_tier(struct tier *t, const struct wm_page_sites *l,
				uint64_t size, struct wm_err *err)
{
	memset(t, 0, sizeof(*t));
	t->site = calloc(l->count + 1, sizeof(*t->site));
	if (!t->site)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < l->count; i++) {
		const struct wm_page_site *s = &l->site[i];

		if (!s->nobody && s->touched && s->page_epochs)
			t->site[t->count++].site = s;
	}
	WM_SORT(t->site, t->count, by_density);
	fill(t, size);
	WM_SORT(t->site, t->count, by_accesses);
	return WM_OK;
}

static void put_tier_sites(const struct tier *x, double all, size_t top,
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

static void put_tier(const struct tier *x, const struct wm_analysis *a,
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
	struct tier x;

	if (o->request.wish.checkpoint > 0) {
		if (audience == WM_FOR_TEXT)
			wm_doc_heading(d, "Written from one checkpoint to the "
					  "next");
		put_intervals(a, wm_top(o, SHOWN), audience, d);
	}
	if (!o->tier)
		return;
	if (make_tier(&x, l, o->tier, d->err)) {
		d->status = WM_NO_MEMORY;
		return;
	}
	put_tier(&x, a, o, o->tier, audience, d);
	free(x.site);
}
