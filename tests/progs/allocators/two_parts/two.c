/* SPDX-License-Identifier: Apache-2.0 */
/* calloc of 3 x 5 bytes once, in main; it calls malloc of one.c.
 * Used by t1210. */
#include <stddef.h>
void *malloc(size_t n);
__attribute__((noinline)) void *calloc(size_t n, size_t size)
{
	return malloc(n * size);
}
int main(void)
{
	return !calloc(3, 5);
}
