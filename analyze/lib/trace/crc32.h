/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CRC32 of a column, as in xz: besides a copy the only work for a stored
 * column, and with tables a tenth of the time of a whole replay.
 *
 * A pure function; any thread.
 */
#ifndef WM_ANALYZE_CRC32_H
#define WM_ANALYZE_CRC32_H

#include <stddef.h>
#include <stdint.h>

uint32_t wm_crc32(const uint8_t *p, size_t n);

#endif
