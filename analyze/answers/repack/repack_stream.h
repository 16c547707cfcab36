/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: columns become one .xz Stream in memory (docs/trace-format.md, 2.3).
 *
 * The caller owns the bytes.  One thread at a time per struct.
 */
#ifndef WM_ANALYZE_REPACK_STREAM_H
#define WM_ANALYZE_REPACK_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/octets.h"

/* One xz Block. */
struct wm_packed {
	struct wm_octets block;
	uint64_t unpadded, size; /* for the Index */
};

/*
 * An xz Block replaces what was in @to: of @plain, as small as a few settings
 * of LZMA2 make it; or of @was, stored, where that is not a tenth larger.  That
 * is read many times as fast.  @far: what repeats may lie farther apart than a
 * sample shows.  *@stays: it is @was.
 */
enum wm_status wm_pack_column(struct wm_packed *to,
			      const struct wm_octets *plain,
			      const struct wm_octets *was, bool far,
			      bool *stays, struct wm_err *err);
/* A Stream of @n Blocks replaces what was in @out. */
enum wm_status wm_pack_stream(struct wm_octets *out,
			      const struct wm_packed *const *block, size_t n,
			      struct wm_err *err);
void wm_packed_release(struct wm_packed *p);

#endif
