/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of replay, and the last stray release. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wm/trace_format.h"

/* A stray release: the last event of its thread, at an address without a live
 * block. */
struct wm_stray {
	uint64_t addr; /* 0: there is none */
	uint64_t time; /* ticks */
	uint32_t thread;
	uint8_t kind; /* WMT_EV_FREE, DELETE, REALLOC_OUT */
	bool owed; /* a release by another thread was just before it */
};

struct wm_tally {
	uint64_t kind[WMT_EV_LIMIT];
	uint64_t records;
	uint64_t unknown_free, conflicts, unpaired;
	uint64_t unrecorded; /* releases of blocks from a pause */
	struct wm_stray stray;
	uint64_t last_time; /* ticks, of the last event */
	uint64_t at_most;
};
