/* SPDX-License-Identifier: Apache-2.0 */
/* A resolver that calls hooked functions and memset, before TLS is there.  Used by t3422. */
#include <stdio.h>
#include <string.h>
static volatile int table[4] = { 1, 2, 3, 4 };
static char buf[64];
volatile int n = 20;
static int f1(void)
{
	return table[1];
}
static int f2(void)
{
	return table[2];
}
static __attribute__((noinline)) int sum(int k)
{
	int s = 0;
	for (int i = 0; i < k; i++)
		s += table[i & 3];
	return s;
}
static void *pick(void)
{
	memset(buf, 1, n);
	return sum(n) > 3 ? (void *)f1 : (void *)f2;
}
int f(void) __attribute__((ifunc("pick")));
int main(void)
{
	printf("%d %d\n", f(), buf[3]);
	return 0;
}
