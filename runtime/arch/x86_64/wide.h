/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations on 16 bytes. */
#pragma once

#include <stdint.h>

__extension__ typedef unsigned __int128 wm_wide;

/* Returns the previous value of *@p.  Compilers would call libatomic for this,
 * which may be absent. */
static inline wm_wide wm_wide_compare(volatile wm_wide *p, wm_wide want,
				      wm_wide v)
{
	uint64_t low = (uint64_t)want, high = (uint64_t)(want >> 64);

	__asm__ volatile("lock cmpxchg16b %0"
			 : "+m"(*p), "+a"(low), "+d"(high)
			 : "b"((uint64_t)v), "c"((uint64_t)(v >> 64))
			 : "cc", "memory");
	return (wm_wide)high << 64 | low;
}
