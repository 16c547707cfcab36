/* SPDX-License-Identifier: Apache-2.0 */
/* free_sized and free_aligned_sized of an allocator, for sized.c: two frees.
 * Used by t2010. */
#include <stdlib.h>
void free_sized(void *p, size_t n) { (void)n; free(p); }
void free_aligned_sized(void *p, size_t a, size_t n)
{
	(void)a;
	(void)n;
	free(p);
}
