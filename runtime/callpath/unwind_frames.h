/* SPDX-License-Identifier: Apache-2.0 */
/*
 * WM_UNWIND=fp: a walk along frame pointers, for programs that were built with
 * them (-fno-omit-frame-pointer) and have no tables.
 *
 * Any thread, any stack; no locks, no allocation, never a fault.
 */
#ifndef WM_RUNTIME_UNWIND_FRAMES_H
#define WM_RUNTIME_UNWIND_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Stores the return addresses from @frame outwards, innermost first, at most
 * @room (at least 1); returns their number.  @page: a page that the caller
 * lends. */
size_t wm_frames_walk(const uintptr_t *frame, void *page, void **ips,
		      size_t room) wm_hidden;

#endif
