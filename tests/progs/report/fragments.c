/* SPDX-License-Identifier: Apache-2.0 */
/* 4000 malloc of 1000 bytes, written to and freed but for the last; static
 * memory 332000 bytes, stack 200000.  Prints what malloc has from the system.
 * Used by t5190. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char *volatile p[4000];
static char table[300000];
int main(void)
{
	volatile char deep[200000];
	char text[64];
	struct mallinfo2 m;
	int i, n;

	memset((char *)deep, 1, sizeof(deep));
	for (i = 0; i < 4000; i++) {
		p[i] = malloc(1000);
		memset(p[i], 1, 1000);
	}
	for (i = 0; i < 3999; i++)
		free(p[i]);
	table[5] = deep[3];
	m = mallinfo2();
	n = snprintf(text, sizeof(text), "%zu\n", m.arena + m.hblkhd);
	return write(1, text, (size_t)n) != n;
}
