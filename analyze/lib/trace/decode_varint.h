/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes varints without a branch on their length: it is hard to predict. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/le.h"

/* Returns the seven low bits of each byte of @w, close together. */
static inline uint64_t wm_squeeze(uint64_t w)
{
	w = (w & 0x007f007f007f007f) | (w & 0x7f007f007f007f00) >> 1;
	w = (w & 0x00003fff00003fff) | (w & 0x3fff00003fff0000) >> 2;
	return (w & 0x0fffffff) | (w & 0x0fffffff00000000) >> 4;
}

/* A number and the byte behind it, or NULL. */
struct wm_decoded {
	const uint8_t *p;
	uint64_t v;
};

/* Decodes a varint of up to eight bytes; eight must be readable at @p. */
static inline struct wm_decoded wm_decode_short(const uint8_t *p)
{
	uint64_t w = wm_load_le64(p), last = ~w & 0x8080808080808080;

	if (__builtin_expect(last == 0, 0))
		return (struct wm_decoded){ NULL, 0 };
	/* all bits up to the top bit of the varint's last byte */
	return (struct wm_decoded){ p + (__builtin_ctzll(last) >> 3) + 1,
				    wm_squeeze(w & (last ^ (last - 1))) };
}
