/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CRC32 by which liblzma protects its data.  It takes one instruction for
 * each byte if the processor multiplies without carries; with liblzma's tables
 * it takes three.
 *
 * The linker's --wrap puts this function before liblzma's own.  It has no
 * state; any thread may call it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* As lzma_crc32(): of @n bytes behind those whose CRC32 is @crc, or 0. */
uint32_t __wrap_lzma_crc32(const uint8_t *p, size_t n, uint32_t crc) wm_hidden;
uint32_t __real_lzma_crc32(const uint8_t *p, size_t n, uint32_t crc);
