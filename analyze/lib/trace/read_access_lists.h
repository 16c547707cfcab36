/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks the tokens of loads and stores from their lists
 * (docs/trace-format.md, 6.12).  No byte outside the given bytes is read or
 * written. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

struct wm_access_lists {
	uint8_t *tokens;
	size_t token_cap;
	uint8_t *lists;
	size_t list_cap;
};

static inline size_t wm_access_lists_memory(const struct wm_access_lists *l)
{
	return l->token_cap + l->list_cap;
}
void wm_access_lists_release(struct wm_access_lists *l);
/* Unpacks the @n bytes of a column at @p to *@size bytes of l->tokens. */
enum wm_status wm_access_lists_unpack(struct wm_access_lists *l,
				      const uint8_t *p, size_t n, size_t *size,
				      struct wm_err *err);
