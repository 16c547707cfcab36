/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/replay/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/vec.h"

void wm_ranges_release(struct wm_ranges *r)
{
	free(r->at);
	memset(r, 0, sizeof(*r));
}

size_t wm_ranges_find(const struct wm_ranges *r, uint64_t addr)
{
	size_t low = 0, high = r->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->at[middle].end > addr)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

int wm_ranges_touch(const struct wm_ranges *r, uint64_t start, uint64_t end)
{
	size_t i = wm_ranges_find(r, start);

	return i < r->count && r->at[i].start < end;
}

int wm_ranges_replace(struct wm_ranges *r, size_t i, size_t old,
		      const struct wm_range *with, size_t count)
{
	struct wm_range *at = wm_grow(r->at, &r->cap, r->count - old + count,
				      sizeof(*at));

	if (!at)
		return -1;
	r->at = at;
	memmove(at + i + count, at + i + old,
		(r->count - i - old) * sizeof(*at));
	if (count)
		memcpy(at + i, with, count * sizeof(*at));
	r->count = r->count - old + count;
	return 0;
}
