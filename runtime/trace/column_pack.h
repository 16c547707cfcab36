/* SPDX-License-Identifier: Apache-2.0 */
/* Packs columns of events by the frequencies of their bytes when LZMA2 is not
 * used (docs/trace-format.md, 6.8).  The caller holds the writer lock.  The
 * time is part of the share of compression (xz.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* Replaces the bytes of @column, a column of events, by a packed form if there
 * is time and the packed form is smaller.  Returns whether it did. */
bool wm_column_pack(unsigned column, struct wm_buf *b) wm_hidden;
/* Returns an estimate. */
size_t wm_column_packed(unsigned column, const struct wm_buf *b) wm_hidden;
