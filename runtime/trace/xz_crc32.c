/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/xz_crc32.h"

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(crc32.h)

uint32_t __wrap_lzma_crc32(const uint8_t *p, size_t n, uint32_t crc)
{
	size_t whole = n & ~(size_t)15;

	if (whole < WM_CRC32_LEAST || !wm_crc32_is_quick())
		return __real_lzma_crc32(p, n, crc);
	crc = wm_crc32_quick(p, whole, crc);
	return n == whole ? crc : __real_lzma_crc32(p + whole, n - whole, crc);
}
