/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the C library's allocator has from the system, for the writer.  Any
 * thread, no lock.
 */
#ifndef WM_RUNTIME_FOOTPRINT_H
#define WM_RUNTIME_FOOTPRINT_H

#include <stdint.h>

#include "runtime/hooks.h"

/* Bytes now and at most; 0: not to be seen in this program. */
int wm_footprint(uint64_t *now, uint64_t *peak) wm_hidden;

#endif
