/* Calls: malloc 3 (100, 0, 4096), calloc 2 (7x11=77, and one that fails),
 * realloc 5 (NULL->50, 50->5000, 5000->5, (p,0) frees, reallocarray 3x40),
 * free 9, aligned 5 (posix_memalign 64/300, aligned_alloc 128/256,
 * memalign 32/33, valloc 10, pvalloc 20), failed 3 (calloc, reallocarray
 * overflow, malloc of PTRDIFF_MAX+1).  Peak of live bytes: 10012, unfreed: one
 * block of 4096 from leak(). */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

static volatile size_t huge = (size_t)PTRDIFF_MAX + 1;
static void *volatile kept;

__attribute__((noinline)) static void leak(void)
{
	kept = malloc(4096);
}

int main(void)
{
	void *volatile a = malloc(100);
	void *volatile zero = malloc(0);
	void *volatile c = calloc(7, 11);
	void *volatile r, *volatile s, *volatile p[5];
	void *q = NULL;

	leak();
	errno = 0;
	if (calloc(huge, 1) || errno != ENOMEM || malloc(huge))
		return 1;
	r = realloc(NULL, 50);
	r = realloc(r, 5000);
	s = reallocarray(NULL, 3, 40);
	if (posix_memalign(&q, 64, 300) || ((uintptr_t)q & 63))
		return 2;
	p[0] = q;
	p[1] = aligned_alloc(128, 256);
	p[2] = memalign(32, 33);
	p[3] = valloc(10);
	p[4] = pvalloc(20);
	r = realloc(r, 5);
	r = realloc(r, 0);
	if (r)
		return 3;
	errno = 0;
	if (reallocarray(s, SIZE_MAX / 2, 3) || errno != ENOMEM)
		return 4;
	free(NULL);
	free(a);
	free(zero);
	free(c);
	free(s);
	for (int i = 0; i < 5; i++)
		free(p[i]);
	return 0;
}
