/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/base/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 64

/* First bits of the fractional parts of the cube roots of primes. */
/* clang-format off */
static const uint32_t constants[BLOCK] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
	0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
	0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
	0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
	0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
/* clang-format on */

static uint32_t turn_right(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static void spread_block(uint32_t w[BLOCK], const uint8_t *p)
{
	for (size_t i = 0; i < 16; i++, p += 4)
		w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
		       (uint32_t)p[2] << 8 | p[3];
	for (size_t i = 16; i < BLOCK; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + w[i - 7] +
		       (turn_right(a, 7) ^ turn_right(a, 18) ^ a >> 3) +
		       (turn_right(b, 17) ^ turn_right(b, 19) ^ b >> 10);
	}
}

static void add_block(uint32_t h[8], const uint8_t *p)
{
	uint32_t w[BLOCK], v[8];

	spread_block(w, p);
	memcpy(v, h, sizeof(v));
	for (size_t i = 0; i < BLOCK; i++) {
		uint32_t e = v[4], a = v[0];
		uint32_t one = v[7] + constants[i] + w[i] +
			       (turn_right(e, 6) ^ turn_right(e, 11) ^
				turn_right(e, 25)) +
			       ((e & v[5]) ^ (~e & v[6]));
		uint32_t two = (turn_right(a, 2) ^ turn_right(a, 13) ^
				turn_right(a, 22)) +
			       ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += one;
		v[0] = one + two;
	}
	for (size_t i = 0; i < 8; i++)
		h[i] += v[i];
}

void wm_sha256(const void *bytes, size_t size, char hex[WM_SHA256_DIGITS + 1])
{
	/* first bits of the fractional parts of the square roots of primes */
	uint32_t h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	uint8_t last[2 * BLOCK] = { 0 };
	const uint8_t *p = bytes;
	size_t left, n;

	for (left = size; left >= BLOCK; left -= BLOCK, p += BLOCK)
		add_block(h, p);
	if (left)
		memcpy(last, p, left);
	last[left] = 0x80;
	n = left < BLOCK - 8 ? BLOCK : 2 * BLOCK;
	for (size_t i = 0; i < 8; i++)
		last[n - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
	for (size_t i = 0; i < n; i += BLOCK)
		add_block(h, last + i);
	for (size_t i = 0; i < 8; i++)
		sprintf(hex + 8 * i, "%08x", (unsigned)h[i]);
}
