/* SPDX-License-Identifier: Apache-2.0 */
/* WM_UNWIND=fp: walks along frame pointers, for programs that were built with
 * them (-fno-omit-frame-pointer) and have no tables.  Any thread may call this
 * on any stack: it takes no lock, allocates nothing, and never faults. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Stores the return addresses from @frame outwards in @ips, innermost first,
 * and returns their number, at most @room.  @room is at least 1.  The function
 * may overwrite the page at @page. */
size_t wm_frames_walk(const uintptr_t *frame, void *page, void **ips,
		      size_t room) wm_hidden;
