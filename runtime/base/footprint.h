/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes that the C library's allocator has from the system: their sum and
 * its peak.  Any thread may call these functions; they take no lock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

void wm_footprint_grow(int64_t bytes) wm_hidden;
/* Marks the sum as unknown, because a change was missed. */
void wm_footprint_end(void) wm_hidden;
/* Stores the sum and its peak.  Returns false if they are not known. */
bool wm_footprint(uint64_t *now, uint64_t *peak) wm_hidden;
