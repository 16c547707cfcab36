/* SPDX-License-Identifier: Apache-2.0 */
/*
 * WM_UNWIND=fp: a walk along frame pointers, for programs that were built with
 * them (-fno-omit-frame-pointer) and have no tables.
 *
 * Any thread, any stack; no locks, no allocation, never a fault.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Stores the return addresses from @frame outwards in @ips, innermost first,
 * and returns their number, at most @room.  @room is at least 1.  @page points
 * to a page that the function may overwrite. */
size_t wm_frames_walk(const uintptr_t *frame, void *page, void **ips,
		      size_t room) wm_hidden;
