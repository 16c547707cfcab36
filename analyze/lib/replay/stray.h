/* SPDX-License-Identifier: Apache-2.0 */
/* A stray release: the last event of its thread, at an address without a live
 * block. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct wm_stray {
	uint64_t addr; /* 0: there is none */
	uint64_t time; /* ticks */
	uint32_t thread;
	uint8_t kind; /* WMT_EV_FREE, DELETE, REALLOC_OUT */
	bool owed; /* a release by another thread was just before it */
};
