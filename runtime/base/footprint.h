/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the C library's allocator has from the system: a sum and its peak.  Any
 * thread, no lock.
 */
#ifndef WM_RUNTIME_FOOTPRINT_H
#define WM_RUNTIME_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/hooks.h"

/* @bytes more, or less. */
void wm_footprint_grow(int64_t bytes) wm_hidden;
/* Something was not seen: there is no sum any more. */
void wm_footprint_end(void) wm_hidden;
/* Bytes now and at most; false: not to be seen in this program. */
bool wm_footprint(uint64_t *now, uint64_t *peak) wm_hidden;

#endif
