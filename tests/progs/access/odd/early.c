/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses before main, before constructors and behind main.  Used by t3422. */
#include <stdio.h>
static int v[100];
__attribute__((constructor(101))) static void a(void)
{
	for (int i = 0; i < 100; i++)
		v[i] = i;
}
__attribute__((destructor)) static void b(void)
{
	int s = 0;
	for (int i = 0; i < 100; i++)
		s += v[i];
	fprintf(stderr, "%d\n", s);
}
static void pre(void)
{
	v[3] = 9;
}
#ifndef NO_PREINIT
__attribute__((section(".preinit_array"), used)) static void (*p)(void) = pre;
#endif
int main(void)
{
	printf("%d\n", v[99]);
	return 0;
}
