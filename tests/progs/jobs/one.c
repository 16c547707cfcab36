/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1111 bytes, kept; with -DTWO three of 222.
 * Used by t6500. */
#include <stdlib.h>
static void *volatile kept;
int main(void)
{
#ifdef TWO
	for (int i = 0; i < 3; i++)
		kept = malloc(222);
#else
	kept = malloc(1111);
#endif
	return 0;
}
