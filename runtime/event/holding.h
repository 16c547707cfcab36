/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which variables point at large blocks: when to look, and its records.
 *
 * The address of a block is in its variable some time after the allocation,
 * and until the release: so when large blocks have come since the last look,
 * static memory is looked at before the release of a large block, after many
 * other releases, and at snapshots; besides when twice as many have come as at
 * such a look before, and at the end.  Not under WM_PAGES, where to look would be an access.
 */
#ifndef WM_RUNTIME_HOLDING_H
#define WM_RUNTIME_HOLDING_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

/* wm_rec_mark(), which stands above this. */
typedef void wm_holding_put(unsigned kind, const void *p, uint64_t extra);

#define WM_HOLDING_LEAST ((size_t)64 << 10) /* bytes of a large block */

/* A large block at @p has been recorded, and its caller does not know it yet. */
void wm_holding_gain(unsigned kind, const void *p,
		     wm_holding_put *put) wm_hidden;
/* While WM_SLOW_HOLDERS: @p is about to be released, and has no record of it. */
void wm_holding_release(const void *p, wm_holding_put *put) wm_hidden;
/* Large blocks may have come since the last look. */
void wm_holding_snapshot(wm_holding_put *put) wm_hidden;
void wm_holding_end(wm_holding_put *put) wm_hidden;

#endif
