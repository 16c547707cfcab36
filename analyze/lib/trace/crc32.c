/* SPDX-License-Identifier: Apache-2.0 */
/* Uses carry-less multiplication where the processor has it: 64 bytes are
 * folded into the next 64 (V. Gopal et al., "Fast CRC Computation for Generic
 * Polynomials Using PCLMULQDQ Instruction", Intel 2009), until 16 bytes with
 * the same remainder are left, whose CRC liblzma computes. */
#include "analyze/lib/trace/read_xz.h"

#include <lzma.h>

#ifdef __SSE2__
#include <immintrin.h>

/* x^n modulo the polynomial, reflected.  For FAR, n is 4 * 128 + 32 and 4 * 128
 * - 32; for NEAR, n is 128 + 32 and 128 - 32. */
#define FAR_HIGH 0x1c6e41596
#define FAR_LOW 0x154442bd4
#define NEAR_HIGH 0xccaa009e
#define NEAR_LOW 0x1751997d0

__attribute__((target("pclmul,sse4.1"))) static inline __m128i
fold(__m128i x, __m128i by, __m128i next)
{
	__m128i low = _mm_clmulepi64_si128(x, by, 0x00);
	__m128i high = _mm_clmulepi64_si128(x, by, 0x11);

	return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

static inline __m128i load_16(const uint8_t *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* @n is at least 64, and a multiple of 16. */
__attribute__((target("pclmul,sse4.1"))) static uint32_t
folded(const uint8_t *p, size_t n)
{
	const __m128i far = _mm_set_epi64x(FAR_HIGH, FAR_LOW);
	const __m128i near = _mm_set_epi64x(NEAR_HIGH, NEAR_LOW);
	__m128i a = load_16(p), b = load_16(p + 16);
	__m128i c = load_16(p + 32), d = load_16(p + 48);
	uint8_t rest[16];

	/* the state before the first byte: all ones */
	a = _mm_xor_si128(a, _mm_cvtsi32_si128(-1));
	for (p += 64, n -= 64; n >= 64; p += 64, n -= 64) {
		a = fold(a, far, load_16(p));
		b = fold(b, far, load_16(p + 16));
		c = fold(c, far, load_16(p + 32));
		d = fold(d, far, load_16(p + 48));
	}
	a = fold(a, near, b);
	a = fold(a, near, c);
	a = fold(a, near, d);
	for (; n >= 16; p += 16, n -= 16)
		a = fold(a, near, load_16(p));
	_mm_storeu_si128((__m128i *)(void *)rest, a);
	/* liblzma inverts before and after: this is a state of zero */
	return lzma_crc32(rest, sizeof(rest), UINT32_MAX);
}

uint32_t wm_crc32(const uint8_t *p, size_t n)
{
	size_t whole = n & ~(size_t)15;

	if (n < 128 || !__builtin_cpu_supports("pclmul") ||
	    !__builtin_cpu_supports("sse4.1"))
		return lzma_crc32(p, n, 0);
	return lzma_crc32(p + whole, n - whole, folded(p, whole));
}
#else
uint32_t wm_crc32(const uint8_t *p, size_t n)
{
	return lzma_crc32(p, n, 0);
}
#endif
