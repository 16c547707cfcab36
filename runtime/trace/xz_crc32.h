/* SPDX-License-Identifier: Apache-2.0 */
/* The CRC32 of liblzma, one instruction for each byte if the processor
 * multiplies without carries (liblzma's tables take three).  The linker's
 * --wrap puts this function before liblzma's.  Any thread may call it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Returns the CRC32 of bytes whose CRC32 is @crc (0: none) and the @n bytes at
 * @p. */
uint32_t __wrap_lzma_crc32(const uint8_t *p, size_t n, uint32_t crc) wm_hidden;
uint32_t __real_lzma_crc32(const uint8_t *p, size_t n, uint32_t crc);
