/* SPDX-License-Identifier: Apache-2.0 */
/* rANS: J.  Duda, "Asymmetric numeral systems", arXiv:1311.2540. */
#include "runtime/trace/plane.h"

#include <string.h>

#include "wm/varint.h"

#define TOTAL (1u << WM_PLANE_BITS)
#define LOW (1u << 16) /* least state */
/* Bytes of a plane in addition to table and words: its first byte, the number
 * of words, the states. */
#define BESIDES (1 + 5 + 4 * WM_PLANE_STATES)

enum { STORED, SAME, CODED };

/* In a single table, equal bytes would wait for each other. */
static void count_bytes(struct wm_plane_room *r, const uint8_t *p, size_t n)
{
	size_t i = 0;

	memset(r->count, 0, sizeof(r->count));
	for (; i + 4 <= n; i += 4) {
		r->count[0][p[i]]++;
		r->count[1][p[i + 1]]++;
		r->count[2][p[i + 2]]++;
		r->count[3][p[i + 3]]++;
	}
	for (; i < n; i++)
		r->count[0][p[i]]++;
	for (i = 0; i < 256; i++)
		r->count[0][i] += r->count[1][i] + r->count[2][i] +
				  r->count[3][i];
}

/* Computes frequencies with the sum TOTAL, at least 1 for bytes that occur. */
static void scale(struct wm_plane_room *r, size_t n)
{
	uint64_t part = ((uint64_t)TOTAL << 32) / n;
	uint32_t sum = 0, most = 0;

	for (unsigned i = 0; i < 256; i++) {
		uint32_t f = (uint32_t)(r->count[0][i] * part >> 32);

		if (r->count[0][i] && !f)
			f = 1;
		r->frequency[i] = (uint16_t)f;
		sum += f;
		if (f > r->frequency[most])
			most = i;
	}
	if (sum <= TOTAL)
		r->frequency[most] += (uint16_t)(TOTAL - sum);
	/* Some frequencies were raised to 1: the others are lowered in turn. */
	for (unsigned i = 0; sum > TOTAL; i = (i + 1) % 256)
		if (r->frequency[i] > 1) {
			r->frequency[i]--;
			sum--;
		}
}

/* Returns 256 * log2(@v), at most 2 too low.  @v is from 1 to TOTAL. */
static uint32_t logarithm(uint32_t v)
{
	uint32_t whole = 31 - (uint32_t)__builtin_clz(v);
	uint32_t part = ((v << 8) >> whole) - 256;

	return (whole << 8) + part + (part * (256 - part) * 22 >> 14);
}

/* Estimates the bytes of the whole plane.  The part for the table, which takes
 * two bytes for zeros in a row, is exact or too large. */
static uint64_t estimate(const struct wm_plane_room *r)
{
	uint64_t bits = 0, table = 0;
	uint32_t before = 1;

	for (unsigned i = 0; i < 256; i++) {
		uint32_t f = r->frequency[i];

		if (f) {
			table += f > 127 ? 2 : 1;
			bits += (uint64_t)r->count[0][i] *
				((WM_PLANE_BITS << 8) - logarithm(f));
		} else if (before) {
			table += 2;
		}
		before = f;
	}
	return bits / 8 / 256 + table + BESIDES;
}

/* Returns a symbol of frequency @f, after other symbols with the sum @start.
 * The upper half of a state times the inverse is the quotient, exactly if 32
 * bits are divided by 12.  For frequency 1 it is one too small, for which
 * `start` compensates. */
static struct wm_plane_symbol symbol(uint32_t f, uint32_t start)
{
	return (struct wm_plane_symbol){
		.inverse = f == 1 ? UINT64_MAX : UINT64_MAX / f + 1,
		.limit = f << (32 - WM_PLANE_BITS),
		.start = (uint16_t)(f == 1 ? start + TOTAL - 1 : start),
		.others = (uint16_t)(TOTAL - f),
	};
}

static uint8_t *put_table(uint8_t *to, struct wm_plane_room *r)
{
	uint32_t sum = 0;

	for (unsigned i = 0; sum < TOTAL; i++) {
		uint32_t f = r->frequency[i];
		uint8_t zeros = 0;

		to = wm_varint_put(to, f);
		if (f) {
			r->symbol[i] = symbol(f, sum);
			sum += f;
			continue;
		}
		for (; !r->frequency[i + 1]; i++)
			zeros++;
		*to++ = zeros;
	}
	return to;
}

static inline void store_le16(uint8_t *p, uint32_t v)
{
	uint16_t word = (uint16_t)v;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap16(word);
#endif
	memcpy(p, &word, sizeof(word));
}

__extension__ typedef unsigned __int128 wide;

/* Returns the next state; the words that it gives grow downwards from *@at. */
static inline __attribute__((always_inline)) uint32_t
code(uint32_t x, const struct wm_plane_symbol *s, uint8_t **at)
{
	uint32_t out = x >= s->limit, quotient;

	store_le16(*at - 2, x);
	*at -= 2 * out;
	x >>= 16 * out;
	quotient = (uint32_t)((wide)x * s->inverse >> 64);
	return x + s->start + quotient * s->others;
}

/* Codes by all states in turn, in whole rounds, from @p[n - 1] down to *@p. */
static uint8_t *code_rounds(uint32_t x[WM_PLANE_STATES], const uint8_t *p,
			    size_t n, const struct wm_plane_symbol *s,
			    uint8_t *at)
{
	uint32_t a = x[0], b = x[1], c = x[2], d = x[3];
	uint32_t e = x[4], f = x[5], g = x[6], h = x[7];

	for (const uint8_t *q = p + n; q != p;) {
		q -= WM_PLANE_STATES;
		h = code(h, &s[q[7]], &at);
		g = code(g, &s[q[6]], &at);
		f = code(f, &s[q[5]], &at);
		e = code(e, &s[q[4]], &at);
		d = code(d, &s[q[3]], &at);
		c = code(c, &s[q[2]], &at);
		b = code(b, &s[q[1]], &at);
		a = code(a, &s[q[0]], &at);
	}
	x[0] = a;
	x[1] = b;
	x[2] = c;
	x[3] = d;
	x[4] = e;
	x[5] = f;
	x[6] = g;
	x[7] = h;
	return at;
}

/* The byte that a reader takes first is coded last. */
static uint8_t *put_words(uint8_t *to, const uint8_t *p, size_t n,
			  const struct wm_plane_room *r)
{
	uint8_t *end = r->words + 2 * n + 2, *at = end;
	uint32_t x[WM_PLANE_STATES];

	for (unsigned k = 0; k < WM_PLANE_STATES; k++)
		x[k] = LOW;
	for (; n % WM_PLANE_STATES; n--)
		x[(n - 1) % WM_PLANE_STATES] =
			code(x[(n - 1) % WM_PLANE_STATES], &r->symbol[p[n - 1]],
			     &at);
	at = code_rounds(x, p, n, r->symbol, at);
	to = wm_varint_put(to, (uint64_t)(end - at) / 2);
	for (unsigned k = 0; k < WM_PLANE_STATES; k++, to += 4) {
		store_le16(to, x[k]);
		store_le16(to + 2, x[k] >> 16);
	}
	memcpy(to, at, (size_t)(end - at));
	return to + (end - at);
}

uint8_t *wm_plane_put(uint8_t *to, const uint8_t *p, size_t n,
		      struct wm_plane_room *room)
{
	uint8_t *start = to;

	count_bytes(room, p, n);
	if (room->count[0][*p] == n) {
		*to++ = SAME;
		*to++ = *p;
		return to;
	}
	scale(room, n);
	/* 3 % are not worth the time */
	if (estimate(room) < n - n / 32) {
		*to++ = CODED;
		to = put_words(put_table(to, room), p, n, room);
		return to;
	}
	to = start;
	*to++ = STORED;
	memcpy(to, p, n);
	return to + n;
}
