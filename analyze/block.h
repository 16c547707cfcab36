/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One block of a trace: its head, and whether its columns are what a reader
 * can use.
 *
 * For reader.c.  Buffers are the caller's and grow; one thread at a time.
 */
#ifndef WM_ANALYZE_BLOCK_H
#define WM_ANALYZE_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/error.h"
#include "analyze/head.h"
#include "analyze/source.h"
#include "analyze/xz.h"

/* Decode @b into *@buf, which grows. */
enum wm_status wm_block_decode(struct wm_source *src,
			       const struct wm_xz_block *b, uint8_t **buf,
			       size_t *cap, struct wm_err *err);
/* Begin the block at @offset: its Stream and its head. */
enum wm_status wm_block_head(struct wm_source *src, struct wm_xz *xz,
			     uint64_t offset, struct wm_head *head,
			     uint8_t **buf, size_t *cap, struct wm_err *err);
/* The encodings and sizes that the head announces are possible. */
enum wm_status wm_block_check(const struct wm_head *h, struct wm_err *err);
/* The xz Block of column @c, which the head announced. */
enum wm_status wm_block_column(struct wm_xz *xz,
			       const struct wm_head_column *c,
			       struct wm_xz_block *b, struct wm_err *err);
int wm_block_is_event_column(uint64_t id);

#endif
