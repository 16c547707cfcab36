/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/replay/levels.h"

#include <string.h>

void wm_levels_init(struct wm_levels *l, uint64_t ticks)
{
	l->now = ticks;
}

/* Pairs of levels become one until @live has a level. */
static void rescale(struct wm_levels *l, uint64_t live)
{
	size_t i;

	while (live >> l->shift >= WM_LEVELS) {
		for (i = 0; i < WM_LEVELS / 2; i++)
			l->ticks[i] = l->ticks[2 * i] + l->ticks[2 * i + 1];
		memset(l->ticks + WM_LEVELS / 2, 0, sizeof(l->ticks) / 2);
		l->shift++;
	}
}

/* @all: every change is of memory that is in peaks. */
static inline __attribute__((always_inline)) void
take(struct wm_levels *l, const struct wm_changes *c, int all)
{
	uint64_t live = l->live, now = l->now;
	uint64_t top = (uint64_t)WM_LEVELS << l->shift;
	size_t i;

	for (i = 0; i < c->count; i++) {
		uint64_t minus = -(uint64_t)(c->who[i] >> 31);

		if (!all && !wm_family_in_peak[c->family[i]])
			continue;
		/* many changes have the same time */
		if (c->time[i] > now) {
			l->ticks[live >> l->shift] += c->time[i] - now;
			now = c->time[i];
		}
		live += (c->bytes[i] ^ minus) - minus;
		if (__builtin_expect(live >= top, 0)) {
			rescale(l, live);
			top = (uint64_t)WM_LEVELS << l->shift;
		}
	}
	l->live = live;
	l->now = now;
}

void wm_levels_take(struct wm_levels *l, const struct wm_changes *c)
{
	const uint8_t *f = c->family;

	if (c->count && wm_family_in_peak[*f] &&
	    memcmp(f, f + 1, c->count - 1) == 0)
		take(l, c, 1);
	else
		take(l, c, 0);
}

void wm_levels_end(struct wm_levels *l, uint64_t ticks)
{
	if (ticks > l->now)
		l->ticks[l->live >> l->shift] += ticks - l->now;
}

uint64_t wm_levels_above(const struct wm_levels *l, uint64_t peak,
			 unsigned percent)
{
	/* rounded up: 90 % of 11 bytes are 10 */
	uint64_t least = peak / 100 * percent +
			 (peak % 100 * percent + 99) / 100, sum = 0;
	size_t i;

	for (i = least >> l->shift; i < WM_LEVELS; i++)
		sum += l->ticks[i];
	return sum;
}
