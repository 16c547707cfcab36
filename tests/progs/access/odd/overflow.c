/* SPDX-License-Identifier: Apache-2.0 */
/* A stack that overflows into a handler on another stack.  Used by t3422. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static char alt[65536];
static volatile int d;
static void h(int s)
{
	(void)s;
	d++;
	write(1, "overflow\n", 9);
	_exit(0);
}
static int rec(int n)
{
	volatile char b[1000];
	b[n % 1000] = 1;
	d++;
	return rec(n + 1) + b[5];
}
int main(void)
{
	stack_t s = { .ss_sp = alt, .ss_size = sizeof alt };
	struct sigaction a = { .sa_handler = h, .sa_flags = SA_ONSTACK };
	sigaltstack(&s, 0);
	sigaction(SIGSEGV, &a, 0);
	return rec(0);
}
