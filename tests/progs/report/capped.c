/* SPDX-License-Identifier: Apache-2.0 */
/* 2000 malloc of 64 bytes, freed at the end; meanwhile 4000000 malloc of up
 * to 16128 bytes and free.
 * Used by t5851. */
#include <stdlib.h>
static void *p[2000], *volatile q;
int main(void)
{
	int i;

	for (i = 0; i < 2000; i++)
		p[i] = malloc(64);
	for (i = 0; i < 4000000; i++)
		free(q = malloc(i % 1009 * 16));
	for (i = 0; i < 2000; i++)
		free(p[i]);
	return 0;
}
