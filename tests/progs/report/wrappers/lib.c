/* SPDX-License-Identifier: Apache-2.0 */
/* malloc through xmalloc() and local_alloc(), which adds 8: 100000 and 20000
 * bytes for setup(), 50000 for solve(), all kept.
 * Used by t5180. */
#include <stdio.h>
#include <stdlib.h>
void *volatile keep[9];
static inline void *xmalloc(size_t n)
{
	void *p = malloc(n);
	if (!p) {
		perror("malloc");
		abort();
	}
	return p;
}
static inline void *local_alloc(size_t n)
{
	return xmalloc(n + 8);
}
__attribute__((noinline)) static void setup(void)
{
	keep[0] = local_alloc(100000);
	keep[1] = local_alloc(20000);
}
__attribute__((noinline)) static void solve(void)
{
	keep[2] = local_alloc(50000);
}
int main(void)
{
	setup();
	solve();
	keep[3] = 0;
	return 0;
}
