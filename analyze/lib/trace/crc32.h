/* SPDX-License-Identifier: Apache-2.0 */
/* The CRC32 of a column, as in xz.  With tables it would take a tenth of the
 * time of a whole replay.  Pure; any thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint32_t wm_crc32(const uint8_t *p, size_t n);
