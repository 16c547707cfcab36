/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Varints of columns without a branch on their length.
 *
 * Pure functions; they read no byte behind the end that they are given.
 */
#ifndef WM_ANALYZE_DECODE_VARINT_H
#define WM_ANALYZE_DECODE_VARINT_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/base/le.h"
#include "wm/varint.h"

/* The seven low bits of each byte of @w, close together. */
static inline uint64_t wm_squeeze(uint64_t w)
{
	w = (w & 0x007f007f007f007f) | (w & 0x7f007f007f007f00) >> 1;
	w = (w & 0x00003fff00003fff) | (w & 0x3fff00003fff0000) >> 2;
	return (w & 0x0fffffff) | (w & 0x0fffffff00000000) >> 4;
}

/*
 * One varint.  @safe: at least WM_VARINT_MAX bytes are left at *@p, so that
 * nobody has to look; up to eight bytes then go without a branch on the
 * length, which is hard to predict.
 */
static inline bool wm_decode_varint(const uint8_t **p, const uint8_t *end,
				    bool safe, uint64_t *v)
{
	const uint8_t *q = *p;
	uint64_t w, last;

	if (safe) {
		w = wm_load_le64(q);
		last = ~w & 0x8080808080808080;
		if (__builtin_expect(last != 0, 1)) {
			/* all bits up to the top one of the last byte */
			*v = wm_squeeze(w & (last ^ (last - 1)));
			*p = q + (__builtin_ctzll(last) >> 3) + 1;
			return true;
		}
	}
	*p = wm_varint_get(q, end, v);
	return *p != NULL;
}

#endif
