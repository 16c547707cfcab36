/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/levels.h"

#include <string.h>

void wm_levels_init(struct wm_levels *l, uint64_t ticks)
{
	l->now = ticks;
}

void wm_levels_reach(struct wm_levels *l, uint64_t live)
{
	while (live >> l->shift >= WM_LEVELS) {
		for (size_t i = 0; i < WM_LEVELS / 2; i++)
			l->ticks[i] = l->ticks[2 * i] + l->ticks[2 * i + 1];
		memset(l->ticks + WM_LEVELS / 2, 0, sizeof(l->ticks) / 2);
		l->shift++;
	}
}

uint64_t wm_levels_above(const struct wm_levels *l, uint64_t peak,
			 unsigned percent)
{
	/* rounded up, so that 90 % of 11 bytes are 10 bytes */
	uint64_t least = peak / 100 * percent +
			 (peak % 100 * percent + 99) / 100,
		 sum = 0;

	for (size_t i = least >> l->shift; i < WM_LEVELS; i++)
		sum += l->ticks[i];
	return sum;
}
