/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One block of a trace: its head, and whether its columns are what a reader
 * can use.
 *
 * For reader.c.  Buffers are the caller's and grow; one thread at a time.
 */
#ifndef WM_ANALYZE_BLOCK_H
#define WM_ANALYZE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/trace/head.h"
#include "analyze/trace/source.h"
#include "analyze/trace/xz.h"
#include "wm/trace_format.h"

/* Decode @b into *@buf, which grows. */
enum wm_status wm_block_decode(struct wm_source *src,
			       const struct wm_xz_block *b, uint8_t **buf,
			       size_t *cap, struct wm_err *err);
/* Begin the block at @offset: its Stream and its head. */
enum wm_status wm_block_head(struct wm_source *src, struct wm_xz *xz,
			     uint64_t offset, struct wm_head *head,
			     uint8_t **buf, size_t *cap, struct wm_err *err);
/* Step over the columns that head @h announces, if they are possible: @at has
 * the xz Block of each that this reader knows, of size 0 where there is none. */
enum wm_status wm_block_columns(struct wm_xz *xz, const struct wm_head *h,
				struct wm_xz_block at[WMT_COL_LIMIT],
				struct wm_err *err);
bool wm_block_is_event_column(uint64_t id);
/* The encoding of a column's bytes, which may be packed. */
static inline uint64_t wm_block_encoding(const struct wm_head_column *c)
{
	return c->encoding & ~(uint64_t)WMT_ENC_PACKED;
}
/* That of column @id; 0: there is none. */
static inline uint64_t wm_block_column_encoding(const struct wm_head *h,
						enum wmt_column id)
{
	for (size_t i = 0; i < h->columns; i++)
		if (h->column[i].id == id)
			return wm_block_encoding(&h->column[i]);
	return 0;
}
static inline bool wm_block_is_packed(const struct wm_head_column *c)
{
	return (c->encoding & WMT_ENC_PACKED) != 0;
}
/* No event needs more than this many bytes in any one column. */
static inline uint64_t wm_block_most(const struct wm_head *h)
{
	return 20 * wm_head_uint(h, WMT_F_EVENTS) + 32;
}

#endif
