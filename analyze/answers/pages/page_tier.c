/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/pages/page_tier.h"

#include <stdlib.h>
#include <string.h>

#include "wm/search.h"

/* Bytes that were never touched need no fast memory. */
static uint64_t used_bytes(const struct wm_page_site *s)
{
	return s->touched;
}

/* Returns the mean time for which a byte of the site was accessed. */
static double density(const struct wm_page_site *s)
{
	return s->byte_time / (double)used_bytes(s);
}

static int by_density(const void *a, const void *b)
{
	const struct wm_page_site *x = ((const struct wm_tier_site *)a)->site;
	const struct wm_page_site *y = ((const struct wm_tier_site *)b)->site;
	double p = density(x), q = density(y);

	return WM_KEYS(WM_ORDER(q, p), WM_ORDER(x, y));
}

static int by_accesses(const void *a, const void *b)
{
	const struct wm_tier_site *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->byte_time, x->byte_time),
		       WM_ORDER(x->site, y->site));
}

static void fill(struct wm_page_tier *t, uint64_t size)
{
	size_t i;

	for (i = 0; i < t->count && size; i++) {
		struct wm_tier_site *x = &t->site[i];
		uint64_t all = used_bytes(x->site);

		x->bytes = all < size ? all : size;
		x->byte_time = density(x->site) * (double)x->bytes;
		t->bytes += x->bytes;
		t->byte_time += x->byte_time;
		size -= x->bytes;
	}
	t->count = i;
}

enum wm_status wm_page_tier_make(struct wm_page_tier *t,
				 const struct wm_page_sites *l, uint64_t size,
				 struct wm_err *err)
{
	memset(t, 0, sizeof(*t));
	t->site = calloc(l->count + 1, sizeof(*t->site));
	if (!t->site)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < l->count; i++) {
		const struct wm_page_site *s = &l->site[i];

		if (!s->nobody && used_bytes(s) && s->page_epochs)
			t->site[t->count++].site = s;
	}
	WM_SORT(t->site, t->count, by_density);
	fill(t, size);
	WM_SORT(t->site, t->count, by_accesses);
	return WM_OK;
}

void wm_page_tier_release(struct wm_page_tier *t)
{
	free(t->site);
	memset(t, 0, sizeof(*t));
}
