/* SPDX-License-Identifier: Apache-2.0 */
/* Brings malloc, free, calloc and realloc, and no malloc_usable_size; nothing
 * is taken back.  Allocates nothing itself: for runtime/churn.c.
 * Used by t3060. */
#include <stddef.h>
#include <unistd.h>
static _Alignas(16) char heap[1 << 20];
static size_t used;
void *malloc(size_t n)
{
	char *p = heap + used;
	used = (used + n + 16) & ~(size_t)15;
	if (used > sizeof(heap) / 2)
		used = sizeof(heap) / 4; /* what libc has is further down */
	return p;
}
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t s) { return malloc(n * s); }
void *realloc(void *p, size_t n) { (void)p; return malloc(n); }
