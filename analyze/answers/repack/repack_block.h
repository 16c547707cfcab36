/* SPDX-License-Identifier: Apache-2.0 */
/* --repack: a block of a trace that is open as a Stream. */
#ifndef WM_ANALYZE_REPACK_BLOCK_H
#define WM_ANALYZE_REPACK_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/octets.h"
#include "analyze/lib/trace/stream.h"

/* A field of a head. */
struct wm_repack_field {
	uint64_t tag;
	const uint8_t *at, *data; /* its tag; its value */
	size_t size;
};

/* The next field at *@at of a head that was parsed; false: no more, and *@at is
 * at the 0. */
bool wm_repack_field(const uint8_t **at, const uint8_t *end,
		     struct wm_repack_field *f);
/* The first field of the block's head, and the 0 behind the last one. */
const uint8_t *wm_repack_fields(const struct wm_stream *s, const uint8_t **end);
/*
 * Column number @i of the block replaces what is in @out: the bytes that it
 * stands for where it is packed.  *@encoding is what these have.
 */
enum wm_status wm_repack_plain(struct wm_stream *s, size_t i,
			       struct wm_octets *out, uint64_t *encoding,
			       struct wm_err *err);

#endif
