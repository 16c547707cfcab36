/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/footprint.h"

#include <stdatomic.h>

/* May be negative at first, when memory is freed that was allocated before. */
static _Atomic int64_t footprint, footprint_peak;
static _Atomic int lossy;

void wm_footprint_grow(int64_t bytes)
{
	int64_t now = atomic_fetch_add_explicit(&footprint, bytes,
						memory_order_relaxed) +
		      bytes;
	int64_t peak = atomic_load_explicit(&footprint_peak,
					    memory_order_relaxed);

	while (now > peak &&
	       !atomic_compare_exchange_weak_explicit(&footprint_peak, &peak,
						      now, memory_order_relaxed,
						      memory_order_relaxed))
		;
}

void wm_footprint_end(void)
{
	atomic_store_explicit(&lossy, 1, memory_order_relaxed);
}

bool wm_footprint(uint64_t *now, uint64_t *peak)
{
	int64_t n = atomic_load_explicit(&footprint, memory_order_relaxed);
	int64_t p = atomic_load_explicit(&footprint_peak, memory_order_relaxed);

	if (p <= 0 || atomic_load_explicit(&lossy, memory_order_relaxed))
		return false;
	*now = n > 0 ? (uint64_t)n : 0;
	*peak = (uint64_t)p;
	return true;
}
