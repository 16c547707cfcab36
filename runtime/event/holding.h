/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides when to look for variables that point at large blocks, and records
 * them.
 *
 * A variable contains the address of a block from some time after the
 * allocation until the release.  So if there are new large blocks since the
 * last look, static memory is searched before a large block is released, after
 * many other releases, at snapshots and at the end.  There are no looks under
 * WM_PAGES, where a look would be an access.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

#define WM_HOLDING_LEAST ((size_t)64 << 10)

/* Called when a large block was recorded; no variable points at @p yet. */
void wm_holding_gain(unsigned kind, const void *p) wm_hidden;
/* With WM_SLOW_HOLDERS: called before the release of @p is recorded. */
void wm_holding_release(const void *p) wm_hidden;
void wm_holding_snapshot(void) wm_hidden;
void wm_holding_end(void) wm_hidden;
