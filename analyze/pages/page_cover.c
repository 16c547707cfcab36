/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of owners in covered memory. */
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
	struct wm_page_stretch *s;

	u->covered = covered;
	u->covered_count = count;
	for (size_t i = 0; i < count; i++) {
		struct wm_page_range r = covered[i].range;

		p = wm_page_map_seek(&u->map, p, r.first);
		for (; (s = wm_page_map_at(&u->map, p)) && s->first < r.end;
		     p = wm_page_map_next(&u->map, p)) {
			uint64_t first = s->first > r.first ? s->first :
							      r.first;
			uint64_t end = s->end < r.end ? s->end : r.end;

			count_watched(u, s, end - first);
			if (s->end > r.end)
				break; /* the next range may be in it, too */
		}
	}
	for (size_t i = 0; i < u->owners; i++) {
		struct wm_page_owner *o = &u->owner[i];

		if (o->watched < o->counted)
			o->watched = o->counted;
		o->counted = 0;
	}
}
