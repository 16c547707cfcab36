/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes alone, where memory cannot be followed (dynamic programs, limits that
 * would not hold): private memory stays as it is, and is watched for writes.
 *
 * What is mapped is looked up at the end of each epoch.  Memory that came and
 * went within one epoch is not seen; what mremap has moved counts as written.
 *
 * For the service thread alone.
 */
#ifndef WM_RUNTIME_WRITTEN_H
#define WM_RUNTIME_WRITTEN_H

#include "runtime/base/pool.h"
#include "runtime/hooks.h"

/* Add the pages that were written since the last call to @runs; the list of
 * ranges becomes what is watched. */
int wm_written_gather(struct wm_buf *runs) wm_hidden;
/* Pages of private memory that exist. */
uint64_t wm_written_resident(void) wm_hidden;

#endif
