/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variable-length integers.
 *
 * Unsigned LEB128: seven bits a byte, least significant first, the top bit set
 * on every byte but the last; at most WM_VARINT_MAX bytes.  Signed values are
 * mapped by zigzag (0, -1, 1, -2 ... -> 0, 1, 2, 3 ...) first.  Pure functions
 * on caller-owned memory.
 */
#ifndef WM_VARINT_H
#define WM_VARINT_H

#include <stddef.h>
#include <stdint.h>

#define WM_VARINT_MAX 10

/* Writes @v at @p, which has room for WM_VARINT_MAX bytes; returns the end. */
static inline uint8_t *wm_varint_put(uint8_t *p, uint64_t v)
{
	while (v >= 0x80) {
		*p++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return p;
}

/* Reads one value from [@p, @end) into @v.  Returns the byte after the value,
 * or NULL if the value is cut off or does not fit 64 bits. */
static inline const uint8_t *wm_varint_get(const uint8_t *p, const uint8_t *end,
					   uint64_t *v)
{
	uint64_t r = 0;
	unsigned shift = 0;

	while (p < end) {
		uint64_t b = *p++;

		if (shift == 63 && b > 1)
			return NULL;
		r |= (b & 0x7f) << shift;
		if (!(b & 0x80)) {
			*v = r;
			return p;
		}
		shift += 7;
		if (shift > 63)
			return NULL;
	}
	return NULL;
}

static inline uint64_t wm_zigzag(int64_t v)
{
	return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);
}

static inline int64_t wm_unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

#endif
