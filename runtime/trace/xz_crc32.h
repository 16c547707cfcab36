/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CRC32 of .xz, by which liblzma protects its data: one instruction a byte
 * where the processor multiplies without carries, three with liblzma's tables.
 *
 * The linker's --wrap puts it before liblzma's own.  No state; any thread.
 */
#ifndef WM_RUNTIME_XZ_CRC32_H
#define WM_RUNTIME_XZ_CRC32_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* As lzma_crc32(): of @n bytes behind those whose CRC32 is @crc, or 0. */
uint32_t __wrap_lzma_crc32(const uint8_t *p, size_t n, uint32_t crc) wm_hidden;
uint32_t __real_lzma_crc32(const uint8_t *p, size_t n, uint32_t crc);

#endif
