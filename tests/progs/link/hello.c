/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 10 bytes, freed; prints "hello 1".
 * Used by `sources` of wmcc-lib.sh. */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	void *volatile p = malloc(10);

	printf("hello %d\n", p != NULL);
	free(p);
	return 0;
}
