/* SPDX-License-Identifier: Apache-2.0 */
/* CRC32 against liblzma's, of all lengths and alignments. */
#include "analyze/lib/trace/read_xz.h"

#include <lzma.h>

#include "tests/unit/random.h"
#include "tests/unit/tap.h"

int main(void)
{
	static uint8_t p[70000];
	size_t i, n, at, bad = 0;

	tap_plan(2);
	for (i = 0; i < sizeof(p); i++)
		p[i] = (uint8_t)rnd();
	for (n = 0; n < 700; n++)
		for (at = 0; at < 20; at++)
			bad += wm_crc32(p + at, n) != lzma_crc32(p + at, n, 0);
	ok(!bad, "short ones");
	for (n = 60000; n < 60100; n++)
		bad += wm_crc32(p + n % 64, n) != lzma_crc32(p + n % 64, n, 0);
	ok(!bad, "long ones");
	return tap_done();
}
