/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides when to read the resident memory of a process that shares some
 * memory.
 *
 * Each look finds the private part of that memory.  Between two looks the
 * private part was at most the part at the later look plus the memory released
 * in between (5.11 in docs/trace-format.md).  So the runtime looks before large
 * blocks, mappings and shared memory are released, and records the result
 * there.
 */
#pragma once

#include "runtime/base/attributes.h"

/* Called when a block of WM_MEMORY_LEAST bytes or more was recorded. */
void wm_looks_gain(unsigned kind, const void *p) wm_hidden;
/* With WM_SLOW_LOOKS: called before the release of @p is recorded. */
void wm_looks_release(const void *p) wm_hidden;
