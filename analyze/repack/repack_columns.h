/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: bytes that grow, and the columns of a block
 * (docs/trace-format.md, section 6).
 *
 * The caller owns the struct; contents are released with wm_octets_release().
 * One thread at a time.
 */
#ifndef WM_ANALYZE_REPACK_COLUMNS_H
#define WM_ANALYZE_REPACK_COLUMNS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"
#include "wm/trace_format.h"
#include "wm/varint.h"

struct wm_octets {
	uint8_t *p;
	size_t len, cap;
	int failed; /* memory was short: what was added since is lost */
};

/* Room for @n more bytes; NULL when memory is short. */
static inline uint8_t *wm_octets_room(struct wm_octets *b, size_t n)
{
	uint8_t *p = b->failed ? NULL : wm_grow(b->p, &b->cap, b->len + n, 1);

	if (!p) {
		b->failed = 1;
		return NULL;
	}
	b->p = p;
	return p + b->len;
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

static inline void wm_octets_byte(struct wm_octets *b, uint8_t v)
{
	wm_octets_add(b, &v, 1);
}

static inline void wm_octets_release(struct wm_octets *b)
{
	free(b->p);
	memset(b, 0, sizeof(*b));
}

/* By column number; an empty one is left out. */
struct wm_columns_out {
	struct wm_octets col[WMT_COL_LIMIT];
	uint8_t encoding[WMT_COL_LIMIT]; /* WMT_ENC_* */
};

#endif
