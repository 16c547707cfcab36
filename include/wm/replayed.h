/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the end-of-run summary asks of the analyzer's reader, a copy of which
 * is part of every runtime object (contract; docs/design.md, "The summary").
 *
 * In the traced process, in one thread at a time, with all signals blocked
 * and the rounding and traps of floating point as a process begins with.
 * Memory, files and time come from the runtime (runtime/replay_glue.c), which
 * sets the limits; nothing is kept afterwards.
 */
#ifndef WM_REPLAYED_H
#define WM_REPLAYED_H

#include <stdint.h>

/* Live bytes over time: highest and last ones of each bin. */
#define WM_CURVE_BINS 48

/*
 * Bin i is CLOCK_MONOTONIC >> shift == first + i.  A node's ranks have that
 * clock in common, so bins of one width lie at the same times, and pairs of
 * them make those of the next width.
 */
struct wm_curve {
	uint64_t first;
	uint32_t shift, count;
	struct {
		uint64_t max, end;
	} bin[WM_CURVE_BINS];
};

struct wm_replayed {
	uint64_t peak_bytes; /* requested, as wm-analyze counts them */
	uint64_t events;
	struct wm_curve curve;
};

enum wm_replay_result {
	WM_REPLAY_DONE = 0,
	WM_REPLAY_SHORT, /* the memory allowed is too little */
	WM_REPLAY_LATE, /* the time allowed is too short */
	WM_REPLAY_BAD, /* the trace can not be read, or not all of it */
	WM_REPLAY_NONE, /* there is no trace */
	WM_REPLAY_RESULTS
};

/* analyze/inside: replay the file at @path as far as it goes. */
enum wm_replay_result wm_replay_trace(const char *path,
				      struct wm_replayed *out)
	__attribute__((visibility("hidden")));

/* runtime: 1 when the time allowed is over. */
int wm_replay_is_late(void) __attribute__((visibility("hidden")));

/* Make the bins of @c twice as wide. */
static inline void wm_curve_widen(struct wm_curve *c)
{
	uint64_t base = c->first >> 1;
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t to = (uint32_t)(((c->first + i) >> 1) - base);

		if (to >= n) {
			c->bin[to] = c->bin[i];
			n = to + 1;
			continue;
		}
		if (c->bin[i].max > c->bin[to].max)
			c->bin[to].max = c->bin[i].max;
		c->bin[to].end = c->bin[i].end;
	}
	c->first = base;
	c->shift++;
	c->count = n;
}

#endif
