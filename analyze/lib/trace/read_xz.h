/* SPDX-License-Identifier: Apache-2.0 */
/* One .xz Stream of a trace, walked Block by Block (docs/trace-format.md, 2.3).
 * The sizes in a Block's header let a reader skip the Block without decoding
 * it.  wm_xz_next() returns WM_END only after it has compared the Stream's
 * Index and Footer with the walked Blocks.  A wm_xz borrows its source. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/source.h"

struct wm_xz_block {
	uint64_t offset; /* of the Block header in the file */
	uint32_t header_size;
	uint32_t dict_size;
	uint64_t packed; /* bytes, without padding and check */
	uint64_t size;
};

struct wm_xz_sizes {
	uint64_t unpadded, size;
};

struct wm_xz {
	struct wm_source *src;
	uint64_t start;
	uint64_t pos; /* next Block header; after WM_END: Stream's end */
	struct wm_xz_sizes *done;
	size_t count, cap;
	bool foreign; /* no trace: checksums hold, or there are none */
};

/* Begins to walk the Stream at @offset; @x is zeroed or was used before. */
enum wm_status wm_xz_begin(struct wm_xz *x, struct wm_source *src,
			   uint64_t offset, struct wm_err *err);
enum wm_status wm_xz_next(struct wm_xz *x, struct wm_xz_block *b,
			  struct wm_err *err);
void wm_xz_release(struct wm_xz *x);

/* Decodes @b into @out, which has space for b->size bytes, and checks it. */
enum wm_status wm_xz_decode(struct wm_source *src, const struct wm_xz_block *b,
			    uint8_t *out, struct wm_err *err);

/* crc32.c: the CRC32 of xz.  With tables it would take a tenth of the time of a
 * whole replay. */
uint32_t wm_crc32(const uint8_t *p, size_t n);
