/* SPDX-License-Identifier: Apache-2.0 */
/* Packs columns within a share of the elapsed time.  Under the writer lock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* Replaces the bytes of @column, a column of events, by a form that is packed
 * by their frequencies (docs/trace-format.md, 6.8).  Returns false if there is
 * no time, or the packed form is not smaller. */
bool wm_column_pack(unsigned column, struct wm_buf *b) wm_hidden;
/* Returns an estimate of the packed size. */
size_t wm_column_packed(unsigned column, const struct wm_buf *b) wm_hidden;
/* Returns the @n bytes of tokens at @p as lists of *@size bytes, valid until
 * the next compression.  Returns NULL if lists are not smaller, or there is no
 * time or memory. */
const uint8_t *wm_column_pack_loads(const uint8_t *p, size_t n,
				    size_t *size) wm_hidden;
