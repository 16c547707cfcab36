/* SPDX-License-Identifier: Apache-2.0 */
/* The time-stamp counter, and the processor that a thread is on. */
#pragma once

#include <cpuid.h>
#include <stdbool.h>
#include <stdint.h>

static inline uint64_t wm_counter(void)
{
	uint64_t lo, hi; /* their upper halves are zero */

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return hi << 32 | lo;
}

/* CPUID leaf 80000007H, EDX bit 8: invariant TSC. */
static inline bool wm_counter_is_steady(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
}

/* CPUID leaf 80000001H, EDX bit 27: rdtscp. */
static inline bool wm_counter_has_processor(void)
{
	uint32_t a = 0x80000000u, b, c = 0, d;

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	if (a < 0x80000001u)
		return false;
	a = 0x80000001u;
	c = 0;
	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return d >> 27 & 1;
}

/* Linux keeps the processor's number in the low 12 bits of the value that
 * rdtscp reads beside the counter. */
static inline uint64_t wm_counter_and_processor(unsigned *processor)
{
	uint32_t lo, hi, aux;

	__asm__ volatile("rdtscp" : "=a"(lo), "=d"(hi), "=c"(aux));
	*processor = aux & 0xfff;
	return (uint64_t)hi << 32 | lo;
}
