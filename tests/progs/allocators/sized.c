/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 10 bytes and aligned_alloc of 128, freed with their sizes.
 * Used by t2010. */
#include <stdlib.h>
void free_sized(void *p, size_t n);
void free_aligned_sized(void *p, size_t a, size_t n);
int main(void)
{
	free_sized(malloc(10), 10);
	free_aligned_sized(aligned_alloc(64, 128), 64, 128);
	return 0;
}
