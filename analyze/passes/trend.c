/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/trend.h"

#define LEAST 3 /* stretches with blocks */
#define LEAST_SPAN 4 /* stretches from the first to the last */
#define TWICE 4 /* in steps of wm_trend_size() */

static int first_of(uint16_t stretches)
{
	return __builtin_ctz(stretches);
}

static int last_of(uint16_t stretches)
{
	return 31 - __builtin_clz(stretches);
}

bool wm_trend_is_late(uint16_t stretches)
{
	return stretches && first_of(stretches) >= WM_STRETCHES * 3 / 4;
}

/* Returns the longest distance between neighbouring stretches. */
static int longest_step(uint16_t stretches)
{
	int longest = 0, from = first_of(stretches), k;

	for (k = from; k < WM_STRETCHES; k++) {
		if (!(stretches >> k & 1))
			continue;
		if (k - from > longest)
			longest = k - from;
		from = k;
	}
	return longest;
}

enum wm_trend wm_trend_of(uint16_t stretches)
{
	int span, after, longest;

	if (__builtin_popcount(stretches) < LEAST)
		return WM_TREND_ONCE;
	span = last_of(stretches) - first_of(stretches);
	after = WM_STRETCHES - 1 - last_of(stretches);
	longest = longest_step(stretches);
	if (span < LEAST_SPAN)
		return WM_TREND_ONCE;
	if (after <= longest || after * 3 <= span)
		return WM_TREND_GROWS;
	if (after > longest * 2 && after * 3 > span * 2)
		return WM_TREND_STOPPED;
	return WM_TREND_PAUSED;
}

uint8_t wm_trend_size(uint64_t bytes)
{
	int bits = bytes ? 63 - __builtin_clzll(bytes) : 0;

	return (uint8_t)(bits * TWICE + (int)((bits > 1 ? bytes >> (bits - 2) :
							  bytes << (2 - bits)) &
					      3));
}

static void raise(uint8_t *to, uint8_t x)
{
	*to = x > *to ? x : *to;
}

void wm_trend_join(struct wm_trend_marks *to, const struct wm_trend_marks *from)
{
	unsigned blocks = to->blocks + (unsigned)from->blocks;

	to->left |= from->left;
	to->moved |= from->moved;
	raise(&to->largest, from->largest);
	raise(&to->largest_left, from->largest_left);
	to->blocks = (uint8_t)(blocks < WM_TREND_LATE ? blocks : WM_TREND_LATE);
	to->brief |= from->brief;
	to->late |= from->late;
	to->cut |= from->cut;
}

/* Blocks of nearly the same time may be in two stretches. */
static bool is_late(const struct wm_trend_marks *m)
{
	return m->late ||
	       (m->blocks >= WM_TREND_LATE && wm_trend_is_late(m->left) &&
		last_of(m->left) - first_of(m->left) > 1 &&
		WM_STRETCHES - 1 - last_of(m->left) <=
			last_of(m->left) - first_of(m->left));
}

enum wm_trend wm_trend_judge(const struct wm_trend_marks *m)
{
	enum wm_trend trend = wm_trend_of(m->left), moved = WM_TREND_ONCE;

	if (m->brief)
		/* late frees may be of handles (answers/leaks/handles.h) */
		return m->blocks > 1 || m->moved ? WM_TREND_BRIEF :
						   WM_TREND_ONCE;
	if (m->largest_left + TWICE >= m->largest)
		moved = wm_trend_of(m->moved);
	if (moved > trend)
		trend = moved;
	return trend < WM_TREND_PAUSED && is_late(m) ? WM_TREND_LATE_BLOCKS :
						       trend;
}
