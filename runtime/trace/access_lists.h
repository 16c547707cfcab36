/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tokens of loads and stores as lists (docs/trace-format.md, 6.12): equal parts
 * are side by side and take as few bits as their frequency allows.
 *
 * Called with the writer lock; in memory of the caller.
 */
#ifndef WM_RUNTIME_ACCESS_LISTS_H
#define WM_RUNTIME_ACCESS_LISTS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Bytes that the work on @n bytes takes. */
size_t wm_access_lists_room(size_t n) wm_hidden;
/* Makes lists of the @n bytes of tokens at @p, in @room; *@size: their bytes.
 * NULL: they would be longer. */
const uint8_t *wm_access_lists_make(const uint8_t *p, size_t n, void *room,
				    size_t *size) wm_hidden;

#endif
