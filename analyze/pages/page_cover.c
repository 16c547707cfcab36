/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the bytes of owners in covered memory. */
#include "analyze/pages/page_use.h"

static void count_watched(struct wm_page_use *u,
			  const struct wm_page_stretch *s, uint64_t pages)
{
	const struct wm_page_part *p = s->part ? s->part : &s->one;

	for (uint32_t i = 0; i < s->parts; i++)
		u->owner[p[i].owner].counted += p[i].now * pages;
}

void wm_page_use_cover(struct wm_page_use *u, const struct wm_covered *covered,
		       size_t count)
{
	struct wm_page_place p = { 0, 0 };
	const struct wm_page_stretch *s;
	uint64_t pages;

	u->covered = covered;
	u->covered_count = count;
	for (size_t i = 0; i < count; i++) {
		struct wm_page_range left = covered[i].range;

		while ((s = wm_page_map_take(&u->map, &p, &left, &pages)))
			count_watched(u, s, pages);
	}
	for (size_t i = 0; i < u->owners; i++) {
		struct wm_page_owner *o = &u->owner[i];

		if (o->watched < o->counted)
			o->watched = o->counted;
		o->counted = 0;
	}
}
