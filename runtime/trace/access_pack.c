/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/access_pack.h"

#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/state.h"
#include "runtime/trace/access_lists.h"
#include "runtime/trace/cpu_budget.h"
#include "runtime/trace/xz.h"

#define SHARE 8 /* one part in 8 of the elapsed time */
#define LEAST 4096 /* bytes; fewer take little time even by LZMA2 */

static struct wm_budget budget = { WM_BUDGET_START, 0, SHARE };
static struct wm_packing packing;

const uint8_t *wm_access_pack(const uint8_t *p, size_t n, size_t *size)
{
	const uint8_t *lists;
	uint64_t since;
	void *room;

	if (n < LEAST)
		return NULL;
	wm_budget_fill(&budget);
	if (wm_options.compress < 0 && !wm_budget_affords(&budget, &packing, n))
		return NULL;
	room = wm_xz_scratch(wm_access_lists_room(n));
	if (!room || wm_packing_skips(&packing))
		return NULL;
	since = wm_clock_ns(CLOCK_MONOTONIC);
	lists = wm_access_lists_make(p, n, room, size);
	wm_budget_spend(&budget, &packing, n, n, lists ? *size : n, since);
	return lists;
}
