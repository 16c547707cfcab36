/* Calls: malloc 1002, free 501, realloc 1: small blocks that make the heap
 * grow and shrink by sbrk, and large ones of their own mappings.  Prints what
 * mallinfo2() says that malloc has from the system at the end. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *volatile p[1000];

int main(void)
{
	char text[64];
	struct mallinfo2 m;
	void *volatile big = malloc(10 << 20), *volatile last;
	int i, n;

	for (i = 0; i < 1000; i++)
		p[i] = malloc(5000);
	for (i = 500; i < 1000; i++)
		free(p[i]);
	big = realloc(big, 30 << 20);
	free(big);
	last = malloc(3 << 20);
	m = mallinfo2();
	n = snprintf(text, sizeof(text), "%zu\n", m.arena + m.hblkhd);
	return !last || write(1, text, (size_t)n) != n;
}
