/* SPDX-License-Identifier: Apache-2.0 */
/* 1000000 malloc of 24 bytes, written to, kept; with an argument also one of
 * 40000000 bytes that is never touched.
 * Used by t5860. */
#include <stdlib.h>
#include <string.h>
static void *p[1000000], *volatile big;
int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 1000000; i++)
		memset(p[i] = malloc(24), 1, 24);
	if (argc > 1)
		big = malloc(40000000);
	return 0;
}
