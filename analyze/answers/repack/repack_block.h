/* SPDX-License-Identifier: Apache-2.0 */
/* --repack: a block of a trace as it is joined with others. */
#pragma once

#include <stddef.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/octets.h"
#include "analyze/lib/trace/stream.h"

/* Packed columns are unpacked; a block of zeros is empty. */
struct wm_plain_block {
	struct wm_octets head, columns; /* one column after the other */
	size_t size[WM_MAX_COLUMNS]; /* of each */
};

/*
 * Replaces the contents of @b by the next block of @s.  An original block and
 * its joined form give the same contents.  Returns WM_BAD_INPUT if a column is
 * damaged.
 */
enum wm_status wm_plain_block_next(struct wm_plain_block *b,
				   struct wm_stream *s, struct wm_err *err);
void wm_plain_block_release(struct wm_plain_block *b);
