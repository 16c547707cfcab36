/* SPDX-License-Identifier: Apache-2.0 */
/* WM_UNWIND=fp: walks along frame pointers, for programs with them and without
 * tables.  Any thread, any stack; no lock, no allocation, never a fault. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Stores the return addresses from @frame outwards, innermost first, and
 * returns their number, from 1 to @room.  May overwrite the page at @page. */
size_t wm_frames_walk(const uintptr_t *frame, void *page, void **ips,
		      size_t room) wm_hidden;
