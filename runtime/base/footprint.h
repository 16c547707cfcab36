/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes that the C library's allocator has from the system: a sum and its
 * peak.  Any thread may call these functions; they take no lock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Notes that the allocator got @bytes, or gave them back if negative. */
void wm_footprint_grow(int64_t bytes) wm_hidden;
/* Notes that a change was not seen: the sum is not known from now on. */
void wm_footprint_end(void) wm_hidden;
/* Stores the bytes now and at most.  False: not known in this program. */
bool wm_footprint(uint64_t *now, uint64_t *peak) wm_hidden;
