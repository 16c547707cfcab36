/* SPDX-License-Identifier: Apache-2.0 */
/* Packs tokens of loads and stores, within a share of the elapsed time.  The
 * caller holds the writer lock. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Returns the @n bytes of tokens at @p as lists of *@size bytes, valid until
 * the next compression.  Returns NULL if lists are not smaller, or there is no
 * time or memory. */
const uint8_t *wm_access_pack(const uint8_t *p, size_t n,
			      size_t *size) wm_hidden;
