/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/read_usage.h"

#include <stdlib.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"

#define SAMPLES 2048 /* even */

static bool add_sample(struct wm_usage *u, uint64_t ticks, uint64_t bytes)
{
	struct wm_resident *rss = WM_ROOM(u->rss, u->rss_cap, u->rss_count + 1);

	if (!rss)
		return false;
	if (!u->rss_stride)
		u->rss_stride = 1;
	if (++u->rss_skipped < u->rss_stride)
		return true;
	u->rss_skipped = 0;
	if (u->rss_count == SAMPLES) {
		for (size_t i = 0; i < SAMPLES / 2; i++)
			u->rss[i] = u->rss[2 * i];
		u->rss_count = SAMPLES / 2;
		u->rss_stride *= 2;
	}
	u->rss[u->rss_count++] = (struct wm_resident){ ticks, bytes };
	return true;
}

static void take_parts(struct wm_usage *u, const struct wm_head *h)
{
	wm_raise(&u->file_peak, wm_head_uint(h, WMT_F_RSS_FILE));
	wm_head_set(&u->thread_stacks, h, WMT_F_THREAD_STACKS);
	if (!wm_head_has(h, WMT_F_SHARED_PEAK))
		return;
	u->has_shared = true;
	u->shared_peak = wm_head_uint(h, WMT_F_SHARED_PEAK);
	u->shared_part = wm_head_uint(h, WMT_F_SHARED_PART);
	u->private_peak = wm_head_uint(h, WMT_F_PRIVATE_PEAK);
	u->has_private = wm_head_has(h, WMT_F_PRIVATE);
	u->private_end = wm_head_uint(h, WMT_F_PRIVATE);
	u->private_most = wm_head_uint(h, WMT_F_PRIVATE_MOST);
	u->touched = wm_head_uint(h, WMT_F_TOUCHED);
	u->shared_more = wm_head_uint(h, WMT_F_SHARED_MORE);
}

/* Takes the facts about children, which only END has. */
static void take_children(struct wm_usage *u, const struct wm_head *h)
{
	if (wm_head_has(h, WMT_F_CHILD_PEAK)) {
		u->child_peak = wm_head_uint(h, WMT_F_CHILD_PEAK);
		u->child_faults = wm_head_uint(h, WMT_F_CHILD_FAULTS);
		u->fault_bytes = wm_head_uint(h, WMT_F_FAULT_BYTES);
		u->huge_faults = wm_head_uint(h, WMT_F_HUGE_FAULTS);
	}
	u->forked |= wm_head_uint(h, WMT_F_FORKED) != 0;
	wm_head_set(&u->children_left, h, WMT_F_CHILDREN_LEFT);
	wm_head_set(&u->faulted, h, WMT_F_FAULTED);
	wm_head_set(&u->faults, h, WMT_F_FAULTS);
}

bool wm_usage_take(struct wm_usage *u, const struct wm_head *h, uint64_t ticks)
{
	wm_head_set(&u->rss_peak, h, WMT_F_PEAK_RSS);
	take_children(u, h);
	wm_head_set(&u->stack_peak, h, WMT_F_STACK_PEAK);
	wm_head_set(&u->mapped_peak, h, WMT_F_MAPPED_PEAK);
	take_parts(u, h);
	if (wm_head_has(h, WMT_F_CAPPED)) {
		u->capped = wm_head_uint(h, WMT_F_CAPPED);
		u->not_written = wm_head_uint(h, WMT_F_NOT_WRITTEN);
	}
	if (wm_head_has(h, WMT_F_USABLE_PEAK)) {
		u->has_usable = true;
		u->usable_live = wm_head_uint(h, WMT_F_USABLE_LIVE);
		u->usable_peak = wm_head_uint(h, WMT_F_USABLE_PEAK);
		u->usable_total = wm_head_uint(h, WMT_F_USABLE_TOTAL);
	}
	if (!wm_head_has(h, WMT_F_RSS))
		return true;
	u->rss_last_ns = ticks;
	u->rss_end = wm_head_uint(h, WMT_F_RSS);
	return add_sample(u, ticks, u->rss_end);
}

void wm_usage_release(struct wm_usage *u)
{
	free(u->rss);
	u->rss = NULL;
	u->rss_count = u->rss_cap = 0;
}
