/* SPDX-License-Identifier: Apache-2.0 */
/* Turns tokens of loads and stores into lists (docs/trace-format.md, 6.12):
 * equal parts of the tokens are put side by side and take as few bits as their
 * frequency allows.  The caller holds the writer lock. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

size_t wm_access_lists_room(size_t n) wm_hidden;
/* Makes lists of the @n bytes of tokens at @p and stores their size in *@size.
 * Returns NULL if the lists would not be smaller. */
const uint8_t *wm_access_lists_make(const uint8_t *p, size_t n, void *room,
				    size_t *size) wm_hidden;
