/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1000 bytes, freed; an addition of int overflows, for a sanitizer
 * to find.  Prints "wrapped 1".
 * Used by t1242. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int *volatile p = malloc(1000);

	(void)argv;
	*p = INT_MAX - 1 + argc;
	*p += argc;
	printf("wrapped %d\n", *p == INT_MIN);
	free(p);
	return 0;
}
