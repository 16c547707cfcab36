/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much memory this process and its neighbours may still take.
 *
 * Any thread; reads files of /proc and /sys, so for cold paths only.
 */
#ifndef WM_RUNTIME_MEMORY_LEFT_H
#define WM_RUNTIME_MEMORY_LEFT_H

#include <stdint.h>

#include "runtime/hooks.h"

/*
 * Bytes up to the limit of the control group that has the least (version 1 or
 * 2; what the kernel can drop from its file cache at once counts as free), and
 * at most what the node has.  UINT64_MAX: not told.
 */
uint64_t wm_memory_left(void) wm_hidden;

#endif
