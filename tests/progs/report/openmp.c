/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1000 bytes in grab() in each of 4 threads and of 500 in main;
 * with -DGIVEN omp_alloc of 300; all kept.
 * Used by t5852. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static void *volatile kept[8], *volatile last;
__attribute__((noinline)) static void grab(int t)
{
	kept[t] = malloc(1000);
}
int main(void)
{
#pragma omp parallel num_threads(4)
	grab(omp_get_thread_num());
	last = malloc(500);
#ifdef GIVEN
	last = omp_alloc(300, omp_default_mem_alloc);
#endif
	return 0;
}
