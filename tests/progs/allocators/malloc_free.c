/* SPDX-License-Identifier: Apache-2.0 */
/* Brings malloc and free, which takes nothing back, and nothing else; with
 * -DFREE_ALONE only free.  malloc of 10 bytes once.
 * Used by t1050, t6700. */
#include <stdlib.h>
#ifndef FREE_ALONE
static char heap[1 << 20], *top = heap;
void *malloc(size_t n)
{
	char *p = top;

	top += (n + 15) & ~(size_t)15;
	return p;
}
#endif
void free(void *p)
{
	(void)p;
}
int main(void)
{
	return malloc(10) == NULL;
}
