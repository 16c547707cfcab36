/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: columns become one .xz Stream in memory, each as small as a few
 * settings of LZMA2 make it (docs/trace-format.md, 2.3).
 *
 * The caller owns the bytes.  One thread at a time per struct.
 */
#ifndef WM_ANALYZE_REPACK_STREAM_H
#define WM_ANALYZE_REPACK_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/repack/repack_columns.h"

/* One xz Block. */
struct wm_packed {
	struct wm_octets block;
	uint64_t unpadded, size; /* for the Index */
};

/* What is remembered of columns that are alike; zeroed at first. */
struct wm_like {
	uint8_t setting, again;
};

/* @data as an xz Block, replacing what was in @to. */
enum wm_status wm_pack_column(struct wm_packed *to, const uint8_t *data,
			      size_t n, struct wm_err *err);
/*
 * The same for one column of many that are alike: mostly only the setting that
 * was best for one before.
 */
enum wm_status wm_pack_like(struct wm_packed *to, struct wm_like *like,
			    const uint8_t *data, size_t n, struct wm_err *err);
/* By quick looks for what repeats: not as small as it could be. */
enum wm_status wm_pack_quickly(struct wm_packed *to, const uint8_t *data,
			       size_t n, struct wm_err *err);
/* The same without a try to make it smaller. */
enum wm_status wm_pack_stored(struct wm_packed *to, const uint8_t *data,
			      size_t n, struct wm_err *err);
/* A Stream of these Blocks, appended to @out. */
enum wm_status wm_pack_stream(struct wm_octets *out,
			      const struct wm_packed *const *block, size_t n,
			      struct wm_err *err);
void wm_packed_release(struct wm_packed *p);

#endif
