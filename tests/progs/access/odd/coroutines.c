/* SPDX-License-Identifier: Apache-2.0 */
/* Eight coroutines on stacks of 16 KiB take turns.  Used by t3422. */
#include <ucontext.h>
#include <stdio.h>
static ucontext_t m, c[8];
static char st[8][16384];
static int n[8];
static void f(int i)
{
	for (int k = 0; k < 50; k++) {
		n[i]++;
		swapcontext(&c[i], &m);
	}
}
int main(void)
{
	for (int i = 0; i < 8; i++) {
		getcontext(&c[i]);
		c[i].uc_stack.ss_sp = st[i];
		c[i].uc_stack.ss_size = sizeof st[i];
		c[i].uc_link = &m;
		makecontext(&c[i], (void (*)(void))f, 1, i);
	}
	for (int k = 0; k < 50; k++)
		for (int i = 0; i < 8; i++)
			swapcontext(&m, &c[i]);
	int s = 0;
	for (int i = 0; i < 8; i++)
		s += n[i];
	printf("%d\n", s);
	return 0;
}
