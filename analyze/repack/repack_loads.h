/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: loads and stores as lists (docs/trace-format.md, 6.12), or their
 * tokens by LZMA2, as is smaller.
 *
 * The caller owns the struct, zeroed at first; one thread at a time.
 */
#ifndef WM_ANALYZE_REPACK_LOADS_H
#define WM_ANALYZE_REPACK_LOADS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/repack/repack_columns.h"
#include "analyze/repack/repack_stream.h"
#include "analyze/trace/access_lists.h"
#include "analyze/trace/head.h"

struct wm_loads {
	struct wm_access_lists unpacked;
	struct wm_octets lists;
	struct wm_packed sample;
};

/* The tokens of column @c, whose bytes are @data: *@n of them, until the next
 * call. */
enum wm_status wm_loads_tokens(struct wm_loads *l,
			       const struct wm_head_column *c,
			       const uint8_t *data, const uint8_t **tokens,
			       size_t *n, struct wm_err *err);
/* Column @c, LOADS that is not empty, to @to; its encoding to *@encoding. */
enum wm_status wm_loads_pack(struct wm_loads *l, const struct wm_head_column *c,
			     const uint8_t *data, struct wm_packed *to,
			     uint64_t *encoding, struct wm_err *err);
void wm_loads_release(struct wm_loads *l);

#endif
