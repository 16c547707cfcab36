/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the memory that --leaks lists grows, in words. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/passes/lifetime.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/render/doc.h"

/* Sums over call paths, by trend. */
struct wm_leak_growth {
	uint64_t bytes[WM_TREND_GROWS + 1];
	double last[WM_TREND_GROWS + 1]; /* last allocation, in seconds */
	bool any[WM_TREND_GROWS + 1]; /* true for handles without memory, too */
	enum wm_trend most;
};

/* Returns "grows", "unknown", "stopped" or "once". */
const char *wm_leak_growth_word(enum wm_trend trend);
/* @trend is by path of @a (trends.h). */
struct wm_leak_growth wm_leak_growth_of(const struct wm_functions *f,
					const uint8_t *trend,
					const struct wm_analysis *a);
/* Prints a sentence for each trend that occurs.  @all: bytes of the list. */
void wm_leak_growth_print(const struct wm_leak_growth *g, uint64_t all,
			  struct wm_doc *d);
