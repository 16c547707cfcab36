/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: bytes become a packed column (analyze/trace/rans.h).
 *
 * The caller owns the bytes.  Any thread.
 */
#ifndef WM_ANALYZE_REPACK_RANS_H
#define WM_ANALYZE_REPACK_RANS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/repack/repack_columns.h"

/* @data in @planes planes, replacing what was in @to; to->failed: no memory. */
void wm_rans_pack(struct wm_octets *to, const uint8_t *data, size_t n,
		  size_t planes);
/* @n bytes, 1 and more, as one plane behind what is in @to. */
void wm_rans_put_plane(struct wm_octets *to, const uint8_t *data, size_t n);

#endif
