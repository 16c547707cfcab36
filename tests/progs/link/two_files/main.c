/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 2 bytes, freed; two() of two.c says how many.
 * Used by t1010. */
#include <stdlib.h>
int two(void);
int main(void)
{
	void *volatile p = malloc(two());

	free(p);
	return 0;
}
