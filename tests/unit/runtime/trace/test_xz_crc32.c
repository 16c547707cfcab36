/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime's CRC32 against liblzma's: lengths around what is done at a time,
 * at all places of memory, and in parts. */
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>

#include "runtime/trace/xz_crc32.h"
#include "tests/unit/random.h"
#include "tests/unit/tap.h"

uint32_t __real_lzma_crc32(const uint8_t *p, size_t n, uint32_t crc)
{
	return lzma_crc32(p, n, crc);
}

int main(void)
{
	static uint8_t data[70000];
	size_t wrong = 0, parts = 0;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)rnd();
	tap_plan(4);
	for (size_t n = 0; n < 600; n++)
		for (size_t at = 0; at < 17; at++)
			wrong += __wrap_lzma_crc32(data + at, n, 0) !=
				 lzma_crc32(data + at, n, 0);
	ok(wrong == 0, "lengths from 0 to 599 at 17 places");
	ok(__wrap_lzma_crc32(data, sizeof(data), 0) ==
		   lzma_crc32(data, sizeof(data), 0),
	   "70,000 bytes");
	for (size_t n = 0; n <= 1000; n++) {
		uint32_t crc = __wrap_lzma_crc32(data, n, 0);

		crc = __wrap_lzma_crc32(data + n, 1000 - n, crc);
		parts += crc != lzma_crc32(data, 1000, 0);
	}
	ok(parts == 0, "1,000 bytes in two parts, cut anywhere");
	ok(__wrap_lzma_crc32((const uint8_t *)"123456789", 9, 0) == 0xCBF43926,
	   "the check value of CRC32");
	return tap_done();
}
