/* SPDX-License-Identifier: Apache-2.0 */
/* Growing bytes.  A zeroed struct is empty.  One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "wm/varint.h"

struct wm_octets {
	uint8_t *p;
	size_t len, cap;
	bool failed; /* memory was short: bytes added since are lost */
};

/* Returns space for @n more bytes, or NULL without memory. */
static inline uint8_t *wm_octets_room(struct wm_octets *b, size_t n)
{
	b->failed = b->failed || !WM_ROOM(b->p, b->cap, b->len + n);
	return b->failed ? NULL : b->p + b->len;
}

static inline void wm_octets_add(struct wm_octets *b, const void *data,
				 size_t n)
{
	uint8_t *to = wm_octets_room(b, n);

	if (to && n)
		memcpy(to, data, n);
	if (to)
		b->len += n;
}

static inline void wm_octets_varint(struct wm_octets *b, uint64_t v)
{
	uint8_t *to = wm_octets_room(b, WM_VARINT_MAX);

	if (to)
		b->len += (size_t)(wm_varint_put(to, v) - to);
}

static inline void wm_octets_release(struct wm_octets *b)
{
	free(b->p);
	memset(b, 0, sizeof(*b));
}
