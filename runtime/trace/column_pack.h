/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packs columns of events by the frequencies of their bytes, where LZMA2 is not
 * used now (docs/trace-format.md, 6.8).
 *
 * Used only by the holder of the writer lock.  Its time is part of the share of
 * time that compression has (xz.h).
 */
#ifndef WM_RUNTIME_COLUMN_PACK_H
#define WM_RUNTIME_COLUMN_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* Replaces the bytes of @column, one of events, by a packed form, if there is
 * time and that is smaller; returns whether it did. */
bool wm_column_pack(unsigned column, struct wm_buf *b) wm_hidden;
/* An estimate of the packed size of @column. */
size_t wm_column_packed(unsigned column, const struct wm_buf *b) wm_hidden;

#endif
