/* SPDX-License-Identifier: Apache-2.0 */
/* rANS (J. Duda, "Asymmetric numeral systems", arXiv:1311.2540) with static
 * frequencies, eight states in turn, and words of 16 bits. */
#include "analyze/lib/trace/rans.h"

#include <stdbool.h>
#include <string.h>

#include "analyze/lib/base/le.h"
#include "wm/varint.h"

struct plane {
	/* by the low bits of a state: 8 bits of symbol, 12 of its frequency -
	 * 1, 12 of the distance to its first place */
	uint32_t at[WM_RANS_TOTAL];
	const uint8_t *p, *end;
};

static inline uint32_t get_le16(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8;
}

/* Reads the frequencies; each 0 is followed by the number of further zeros. */
static int read_table(struct plane *t)
{
	uint32_t sum = 0, symbol = 0, i;
	uint64_t f;

	while (sum < WM_RANS_TOTAL) {
		t->p = wm_varint_get(t->p, t->end, &f);
		if (!t->p || f > WM_RANS_TOTAL - sum || symbol > 255)
			return -1;
		for (i = 0; i < f; i++)
			t->at[sum + i] = symbol | ((uint32_t)f - 1) << 8 |
					 i << 20;
		sum += (uint32_t)f;
		symbol++;
		if (f)
			continue;
		if (t->p == t->end)
			return -1;
		symbol += *t->p++;
	}
	return 0;
}

/* Returns the next symbol of state @x; reads a word from *@p if needed. */
static inline uint32_t next_symbol(const struct plane *t, uint32_t *x,
				   const uint8_t **p)
{
	uint32_t e = t->at[*x & (WM_RANS_TOTAL - 1)];
	uint32_t y = ((e >> 8 & 0xfff) + 1) * (*x >> WM_RANS_BITS) + (e >> 20);
	uint32_t more = y < WM_RANS_LOW;

	*x = more ? y << 16 | get_le16(*p) : y;
	*p += 2 * more;
	return e;
}

/* Makes the rounds that surely fit; returns the number of bytes made. */
static size_t fast_rounds(struct plane *t, uint32_t state[WM_RANS_STATES],
			  uint8_t *out, size_t n)
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
	const uint8_t *p = t->p;
	size_t i = 0;

	for (; i + 8 <= n && t->end - p >= 16; i += 8, out += 8) {
		out[0] = (uint8_t)next_symbol(t, &a, &p);
		out[1] = (uint8_t)next_symbol(t, &b, &p);
		out[2] = (uint8_t)next_symbol(t, &c, &p);
		out[3] = (uint8_t)next_symbol(t, &d, &p);
		out[4] = (uint8_t)next_symbol(t, &e, &p);
		out[5] = (uint8_t)next_symbol(t, &f, &p);
		out[6] = (uint8_t)next_symbol(t, &g, &p);
		out[7] = (uint8_t)next_symbol(t, &h, &p);
	}
	state[0] = a;
	state[1] = b;
	state[2] = c;
	state[3] = d;
	state[4] = e;
	state[5] = f;
	state[6] = g;
	state[7] = h;
	t->p = p;
	return i;
}

static int read_coded(struct plane *t, uint8_t *out, size_t n)
{
	uint32_t state[WM_RANS_STATES], bad = 0;
	const uint8_t *end = t->end;
	uint64_t words;
	size_t i;

	if (read_table(t))
		return -1;
	t->p = wm_varint_get(t->p, end, &words);
	if (!t->p || end - t->p < 4 * WM_RANS_STATES ||
	    words > (uint64_t)(end - t->p - 4 * WM_RANS_STATES) / 2)
		return -1;
	for (i = 0; i < WM_RANS_STATES; i++, t->p += 4) {
		state[i] = wm_load_le32(t->p);
		bad |= state[i] < WM_RANS_LOW;
	}
	t->end = t->p + 2 * words;
	i = fast_rounds(t, state, out, n);
	for (; i < n; i++) {
		const uint8_t *at = t->p;
		uint8_t zero[2] = { 0 };
		/* without a word left, the state must not need one */
		bool dry = t->end - at < 2;
		const uint8_t *from = dry ? zero : at, *was = from;

		out[i] = (uint8_t)next_symbol(t, &state[i % WM_RANS_STATES],
					      &from);
		if (dry && from != was)
			return -1;
		t->p += from - was;
	}
	for (i = 0; i < WM_RANS_STATES; i++)
		bad |= state[i] != WM_RANS_LOW;
	bad |= t->p != t->end;
	t->end = end;
	return bad ? -1 : 0;
}

static int read_plane(struct plane *t, uint8_t *out, size_t n)
{
	uint8_t how;

	if (t->p == t->end)
		return -1;
	how = *t->p++;
	if (how == WM_PLANE_CODED)
		return read_coded(t, out, n);
	if (how > WM_PLANE_SAME ||
	    (size_t)(t->end - t->p) < (how == WM_PLANE_SAME ? 1 : n))
		return -1;
	if (how == WM_PLANE_SAME)
		memset(out, *t->p, n);
	else if (n)
		memcpy(out, t->p, n);
	t->p += how == WM_PLANE_SAME ? 1 : n;
	return 0;
}

uint64_t wm_rans_length(const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n;
	uint64_t length;

	p = wm_varint_get(p, end, &length);
	return p ? length : UINT64_MAX;
}

const uint8_t *wm_rans_plane(const uint8_t *p, const uint8_t *end, uint8_t *out,
			     size_t n)
{
	struct plane t;

	t.p = p;
	t.end = end;
	return read_plane(&t, out, n) ? NULL : t.p;
}

int wm_rans_unpack(const uint8_t *p, size_t n, uint8_t *out)
{
	const uint8_t *end = p + n;
	uint64_t length;

	p = wm_varint_get(p, end, &length);
	return p && wm_rans_plane(p, end, out, (size_t)length) == end ? 0 : -1;
}
