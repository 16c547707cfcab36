/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 10 bytes, freed; has functions of the names lzma_code,
 * unw_backtrace and lzma_index_init itself, and prints "1 2 3" by them.
 * Used by t3000. */
#include <stdio.h>
#include <stdlib.h>
int lzma_code(int x) { return x + 1; }
int unw_backtrace(void **p, int n) { (void)p; return n + 2; }
int lzma_index_init(int x) { return x + 3; }
int main(void)
{
	void *volatile p = malloc(10);
	free(p);
	printf("%d %d %d\n", lzma_code(0), unw_backtrace(0, 0),
	       lzma_index_init(0));
	return 0;
}
