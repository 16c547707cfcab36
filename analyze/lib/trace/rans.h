/* SPDX-License-Identifier: Apache-2.0 */
/* Packed columns: bytes coded by their frequencies in the column
 * (docs/trace-format.md, 6.8).  Where bytes do not depend on the bytes before
 * them, packed columns are about as small as with LZMA2 and many times as fast
 * to read.  Pure functions; no byte outside the caller's bytes is read or
 * written. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define WM_RANS_BITS 12 /* log2 of the sum of frequencies */
#define WM_RANS_TOTAL (1u << WM_RANS_BITS)
#define WM_RANS_LOW (1u << 16) /* least state */
#define WM_RANS_STATES 8

enum { WM_PLANE_STORED, WM_PLANE_SAME, WM_PLANE_CODED };

/* Returns the unpacked size of the @n bytes at @p, or UINT64_MAX. */
uint64_t wm_rans_length(const uint8_t *p, size_t n);
/* Unpacks to @out, which has space for that size.  Returns -1 if malformed. */
int wm_rans_unpack(const uint8_t *p, size_t n, uint8_t *out);
/* Unpacks one plane of @n bytes from @p on, and returns its end in the input,
 * or NULL if the plane is malformed or reaches behind @end. */
const uint8_t *wm_rans_plane(const uint8_t *p, const uint8_t *end, uint8_t *out,
			     size_t n);
