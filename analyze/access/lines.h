/* SPDX-License-Identifier: Apache-2.0 */
/* The lines that an access touches. */
#pragma once

#include <stdint.h>

/* Further bytes of an access do not count, as a file may have any number. */
#define WM_ACCESS_MOST (UINT64_C(1) << 34)

/* Returns the address of the last of @bytes bytes at @addr; an access never
 * goes beyond the address space. */
static inline uint64_t wm_access_last(uint64_t addr, uint64_t bytes)
{
	uint64_t n = bytes ? bytes - 1 : 0;

	if (n >= WM_ACCESS_MOST)
		n = WM_ACCESS_MOST - 1;
	return addr + n < addr ? UINT64_MAX : addr + n;
}

/* @v is a power of two. */
static inline unsigned wm_log2(uint64_t v)
{
	return (unsigned)__builtin_ctzll(v);
}
