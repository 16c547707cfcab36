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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* The type of wm_rec_mark(), which is in a layer above. */
typedef void wm_looks_put(unsigned kind, const void *p, uint64_t extra);

/* Called when a block of WM_MEMORY_LEAST bytes or more was recorded. */
void wm_looks_gain(unsigned kind, const void *p) wm_hidden;
/* Called after @bytes that may be shared were mapped, before they have a
 * record.  From now on page faults may bring such bytes. */
void wm_looks_comes(size_t bytes, wm_looks_put *put) wm_hidden;
/* With WM_SLOW_LOOKS: called before the release of @p is recorded. */
void wm_looks_release(const void *p, wm_looks_put *put) wm_hidden;
/* Called before @bytes that may be shared are unmapped; SIZE_MAX: not known. */
void wm_looks_goes(size_t bytes, wm_looks_put *put) wm_hidden;
/* Called before a call that frees @bytes without a release in the trace.  If it
 * returns true, wm_looks_now() has to be called after that call. */
bool wm_looks_fades(size_t bytes, wm_looks_put *put) wm_hidden;
void wm_looks_now(wm_looks_put *put) wm_hidden;
