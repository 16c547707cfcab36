/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/regions.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "wm/search.h"

void wm_regions_release(struct wm_regions *r)
{
	free(r->region);
	memset(r, 0, sizeof(*r));
}

/* Returns the first region that begins behind @addr. */
static size_t place_behind(const struct wm_regions *r, uint64_t addr)
{
	return WM_FIRST(i, r->count, r->region[i].span.start > addr);
}

/* Updates the reach of the regions from number @i on. */
static void set_reach(struct wm_regions *r, size_t i)
{
	uint64_t reach = i ? r->region[i - 1].reach : 0;

	for (; i < r->count; i++) {
		const struct wm_span *s = &r->region[i].span;

		wm_raise(&reach, s->start + s->bytes);
		r->region[i].reach = reach;
	}
}

const struct wm_region *wm_regions_find(const struct wm_regions *r,
					uint64_t addr)
{
	size_t i = place_behind(r, addr);

	while (i-- && r->region[i].reach > addr)
		if (addr - r->region[i].span.start < r->region[i].span.bytes)
			return &r->region[i];
	return NULL;
}

const struct wm_region *wm_regions_around(const struct wm_regions *r,
					  uint64_t addr, uint64_t *lo,
					  uint64_t *end)
{
	size_t i = place_behind(r, addr);
	const struct wm_span *s;

	*lo = 0;
	*end = i < r->count ? r->region[i].span.start : UINT64_MAX;
	while (i-- && r->region[i].reach > addr) {
		s = &r->region[i].span;
		if (addr - s->start < s->bytes) {
			wm_raise(lo, s->start);
			wm_lower(end, s->start + s->bytes);
			return &r->region[i];
		}
		/* an inner region before @addr may have ended */
		wm_raise(lo, s->start + s->bytes);
	}
	/* all regions that began before have ended */
	if (i != SIZE_MAX)
		wm_raise(lo, r->region[i].reach);
	return NULL;
}

static void take_out(struct wm_regions *r, size_t i, struct wm_region *gone)
{
	*gone = r->region[i];
	r->count--;
	memmove(r->region + i, r->region + i + 1,
		(r->count - i) * sizeof(*r->region));
	set_reach(r, i);
}

static enum wm_status begin(struct wm_regions *r, const struct wm_mark *m,
			    struct wm_region *gone, struct wm_err *err)
{
	uint64_t number = r->begun++;
	size_t i = place_behind(r, m->span.start);

	if (i && r->region[i - 1].span.start == m->span.start)
		take_out(r, --i, gone);
	if (r->count == WM_REGIONS)
		return WM_OK;
	if (!WM_ROOM(r->region, r->cap, r->count + 1))
		return wm_no_memory(err, "regions");
	memmove(r->region + i + 1, r->region + i,
		(r->count - i) * sizeof(*r->region));
	r->count++;
	r->region[i] = (struct wm_region){
		.span = m->span,
		.name = m->name,
		.since = m->time,
		.number = number,
	};
	set_reach(r, i);
	return WM_OK;
}

enum wm_status wm_regions_take(struct wm_regions *r, const struct wm_mark *m,
			       struct wm_region *gone, struct wm_err *err)
{
	const struct wm_region *x;

	*gone = (struct wm_region){ .name = 0 };
	if (m->kind == WM_MARK_REGION)
		return begin(r, m, gone, err);
	x = m->kind == WM_MARK_REGION_END ? wm_regions_find(r, m->span.start) :
					    NULL;
	if (x)
		take_out(r, (size_t)(x - r->region), gone);
	return WM_OK;
}
