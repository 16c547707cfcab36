/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 10 bytes and realloc to 20, freed; brings free and realloc
 * itself, with -DWRAP a __wrap_malloc, with -DLEAVE an _Exit.
 * Used by t1242. */
#include <stdlib.h>
#ifdef WRAP
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n) { return __real_malloc(n); }
#elif defined(LEAVE)
void _Exit(int status) { for (;;) exit(status); }
#else
void free(void *p) { (void)p; }
void *realloc(void *p, size_t n) { return p ? p : malloc(n); }
#endif
int main(void)
{
	void *volatile p = realloc(malloc(10), 20);

	free(p);
	return 0;
}
