/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds only writes, where memory cannot be followed (dynamic programs, limits
 * that would no longer hold): private memory is watched as it is.  Mappings are
 * read at the end of each epoch: memory that is unmapped before that is not
 * seen, and memory that mremap has moved counts as written.
 *
 * Only for the service thread.
 */
#pragma once

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* Adds the pages that were written since the last call to @runs, and makes the
 * ranges those of the memory that is watched now. */
int wm_written_gather(struct wm_buf *runs) wm_hidden;
uint64_t wm_written_resident(void) wm_hidden;
