/* SPDX-License-Identifier: Apache-2.0 */
/* CRC32 by carry-less multiplication. */
#pragma once

#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The least number of bytes: for fewer, the last reduction costs more than is
 * saved. */
#define WM_CRC32_LEAST 64

/* Bits of the polynomial in reverse, as CRC32 has them, and powers of x
 * modulo it, by which a part is moved over those that follow: Gopal et al.,
 * "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
 * Instruction", Intel 2009. */
static const uint64_t over_four[2] = { 0x154442bd4, 0x1c6e41596 };
static const uint64_t over_one[2] = { 0x1751997d0, 0x0ccaa009e };
static const uint64_t over_half[2] = { 0x163cd6124, 0 };
static const uint64_t polynomial[2] = { 0x1db710641, 0x1f7011641 };

#define with_pclmul __attribute__((target("pclmul,sse4.1")))

static inline with_pclmul __m128i load(const void *p)
{
	return _mm_loadu_si128(p);
}

/* Returns @part, moved by @by, added to @there. */
static inline with_pclmul __m128i fold(__m128i part, __m128i by, __m128i there)
{
	__m128i low = _mm_clmulepi64_si128(part, by, 0x00);
	__m128i high = _mm_clmulepi64_si128(part, by, 0x11);

	return _mm_xor_si128(_mm_xor_si128(low, high), there);
}

/* Barrett's method. */
static with_pclmul uint32_t reduce(__m128i x)
{
	const __m128i word = _mm_set_epi32(0, -1, 0, -1);
	const __m128i p = load(polynomial);
	__m128i q;

	x = _mm_xor_si128(_mm_srli_si128(x, 8),
			  _mm_clmulepi64_si128(x, load(over_one), 0x10));
	q = _mm_clmulepi64_si128(_mm_and_si128(x, word), load(over_half), 0x00);
	x = _mm_xor_si128(_mm_srli_si128(x, 4), q);
	q = _mm_clmulepi64_si128(_mm_and_si128(x, word), p, 0x10);
	q = _mm_clmulepi64_si128(_mm_and_si128(q, word), p, 0x00);
	return (uint32_t)_mm_extract_epi32(_mm_xor_si128(x, q), 1);
}

/* Continues @crc over the @n bytes at @p.  @n is a multiple of 16 and at least
 * WM_CRC32_LEAST. */
static with_pclmul uint32_t wm_crc32_quick(const uint8_t *p, size_t n,
					   uint32_t crc)
{
	const __m128i four = load(over_four), one = load(over_one);
	__m128i x[4];

	for (int i = 0; i < 4; i++)
		x[i] = load(p + 16 * i);
	x[0] = _mm_xor_si128(x[0], _mm_cvtsi32_si128((int)~crc));
	for (p += 64, n -= 64; n >= 64; p += 64, n -= 64)
		for (int i = 0; i < 4; i++)
			x[i] = fold(x[i], four, load(p + 16 * i));
	for (int i = 1; i < 4; i++)
		x[i] = fold(x[i - 1], one, x[i]);
	for (; n; p += 16, n -= 16)
		x[3] = fold(x[3], one, load(p));
	return ~reduce(x[3]);
}

static bool wm_crc32_is_quick(void)
{
	static int known; /* 0: unknown, else 1 more than the answer */
	unsigned a, b, c = 0, d;

	if (!known) {
		known = 1 + (__get_cpuid(1, &a, &b, &c, &d) && c & bit_PCLMUL &&
			     c & bit_SSE4_1);
	}
	return known == 2;
}
