/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/page_ranges.h"

#include <string.h>

#include "runtime/base/pool.h"
#include "wm/search.h"

static struct wm_buf list;

struct wm_watched_range *wm_ranges_at(size_t i)
{
	return (struct wm_watched_range *)(void *)list.p + i;
}

size_t wm_ranges_count(void)
{
	return list.len / sizeof(struct wm_watched_range);
}

size_t wm_ranges_from(uint64_t at)
{
	return WM_FIRST(i, wm_ranges_count(), wm_ranges_at(i)->end > at);
}

static bool make_room(size_t i)
{
	if (wm_buf_reserve(&list, sizeof(struct wm_watched_range)))
		return false;
	memmove(wm_ranges_at(i + 1), wm_ranges_at(i),
		(wm_ranges_count() - i) * sizeof(struct wm_watched_range));
	list.len += sizeof(struct wm_watched_range);
	return true;
}

bool wm_ranges_reserve(void)
{
	return wm_buf_reserve(&list, 8 * sizeof(struct wm_watched_range)) == 0;
}

static void take_away(size_t i, size_t n)
{
	memmove(wm_ranges_at(i), wm_ranges_at(i + n),
		(wm_ranges_count() - i - n) * sizeof(struct wm_watched_range));
	list.len -= n * sizeof(struct wm_watched_range);
}

static bool is_continued(const struct wm_watched_range *a,
			 const struct wm_watched_range *b)
{
	return a->end == b->start && a->shift == b->shift &&
	       a->kind == b->kind && a->state == b->state && a->lock == b->lock;
}

bool wm_ranges_add(const struct wm_watched_range *r)
{
	size_t i = wm_ranges_from(r->start);

	if (i > 0 && is_continued(wm_ranges_at(i - 1), r)) {
		struct wm_watched_range *before = wm_ranges_at(i - 1);

		before->end = r->end;
		if (i < wm_ranges_count() &&
		    is_continued(before, wm_ranges_at(i))) {
			before->end = wm_ranges_at(i)->end;
			take_away(i, 1);
		}
		return true;
	}
	if (i < wm_ranges_count() && is_continued(r, wm_ranges_at(i))) {
		wm_ranges_at(i)->start = r->start;
		return true;
	}
	if (!make_room(i))
		return false;
	*wm_ranges_at(i) = *r;
	return true;
}

bool wm_ranges_split(uint64_t at)
{
	size_t i = wm_ranges_from(at);

	if (i == wm_ranges_count() || wm_ranges_at(i)->start >= at)
		return true;
	if (!make_room(i))
		return false;
	*wm_ranges_at(i) = *wm_ranges_at(i + 1);
	wm_ranges_at(i)->end = wm_ranges_at(i + 1)->start = at;
	return true;
}

void wm_ranges_remove(uint64_t start, uint64_t end)
{
	size_t i = wm_ranges_from(start), n = 0;

	while (i + n < wm_ranges_count() && wm_ranges_at(i + n)->start < end)
		n++;
	take_away(i, n);
}

void wm_ranges_join(void)
{
	size_t n = wm_ranges_count(), kept = 0;

	for (size_t i = 1; i < n; i++) {
		struct wm_watched_range *last = wm_ranges_at(kept);

		if (is_continued(last, wm_ranges_at(i)))
			last->end = wm_ranges_at(i)->end;
		else
			*wm_ranges_at(++kept) = *wm_ranges_at(i);
	}
	list.len = n ? (kept + 1) * sizeof(struct wm_watched_range) : 0;
}

bool wm_ranges_use(uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < wm_ranges_count(); i++) {
		const struct wm_watched_range *r = wm_ranges_at(i);

		if (r->start + (uint64_t)r->shift < end &&
		    start < r->end + (uint64_t)r->shift)
			return true;
	}
	return false;
}
