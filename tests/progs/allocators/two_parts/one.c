/* SPDX-License-Identifier: Apache-2.0 */
/* malloc, free and realloc of the program, from an array; more() calls that
 * malloc here.  With two.c one object of two sources.
 * Used by t1210. */
#include <stddef.h>
static char heap[1 << 20];
static size_t at;
void *malloc(size_t n)
{
	char *p = heap + at;

	at += (n + 31) & ~(size_t)15;
	return p;
}
void free(void *p) { (void)p; }
void *realloc(void *p, size_t n) { return p ? p : malloc(n); }
void *more(void) { return malloc(1); }
