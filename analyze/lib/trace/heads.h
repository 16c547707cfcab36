/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Column HEADS: the heads of the blocks that --repack joined
 * (docs/trace-format.md, 6.7).
 *
 * A wm_heads borrows the column and owns nothing.  One thread at a time.
 */
#ifndef WM_ANALYZE_HEADS_H
#define WM_ANALYZE_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/octets.h"
#include "wm/trace_format.h"

struct wm_heads {
	const uint8_t *p, *end;
	uint64_t last[WMT_HEADS_TAGS][3]; /* numbers of the field before */
};

void wm_heads_begin(struct wm_heads *h, const uint8_t *data, size_t size);
/* The next head as its block had it replaces what is in @out; false: the column
 * is malformed, or out->failed. */
bool wm_heads_next(struct wm_heads *h, struct wm_octets *out);

#endif
